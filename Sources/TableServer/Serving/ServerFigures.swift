import CoreMetrics
import HTTPTypes
import Logging
import Synchronization
import TableProtocol

/// Counts the requests of a server, and writes a line for each into the log.
struct ServerFigures: Sendable {
  let metrics = PrometheusMetrics(help: [
    "ebb_http_requests_total": "Requests that were answered.",
    "ebb_http_request_duration_seconds": "From a request's head to the beginning of its answer.",
    "ebb_http_requests_active": "Requests that are being answered.",
    "ebb_connections": "Open connections.",
    "ebb_streams": "Streams of notices that are open.",
    "ebb_backups_total": "Backups that were made while the server runs, or failed.",
    "ebb_backup_last_success_timestamp_seconds": "When the newest backup was made, also before the server started.",
    "ebb_wrong_tokens_total": "Wrong tokens and invitations that were shown.",
    "ebb_database_bytes": "The size of the database's file and of its log.",
    "ebb_certificate_expires_timestamp_seconds": "Until when the server's certificate is valid.",
    "ebb_start_time_seconds": "When the server started.",
  ])
  private let logger: Logger
  private let active: Meter
  private let wrongTokens: Counter
  private let known = Known()

  private struct Kind: Hashable {
    let method: String
    let route: ServerRoute
    let status: Int
  }

  private struct Counters {
    let requests: Counter
    let times: Timer
  }

  private final class Known: Sendable {
    let kinds: Mutex<[Kind: Counters]> = Mutex([:])
  }

  init(_ logger: Logger, now: Timestamp) {
    self.logger = logger
    active = Meter(label: "ebb_http_requests_active", factory: metrics)
    wrongTokens = Counter(label: "ebb_wrong_tokens_total", factory: metrics)
    Meter(label: "ebb_start_time_seconds", factory: metrics).set(Double(now.milliseconds) / 1_000)
  }

  /// One request, from its head to the beginning of its answer.
  struct Entry {
    let method: HTTPRequest.Method
    let route: ServerRoute
    let address: String?
    let began = ContinuousClock.now
  }

  func begin(_ entry: Entry) { active.increment() }

  /// `size` is that of the body; nil if it is not known.
  func end(_ entry: Entry, status: Int, size: Int?) {
    active.decrement()
    let time = entry.began.duration(to: .now)
    let (method, route) = (Self.name(entry.method), entry.route.rawValue)
    let counters = counters(Kind(method: method, route: entry.route, status: status))
    counters.requests.increment()
    counters.times.recordNanoseconds(Int64(time / .nanoseconds(1)))
    guard logger.logLevel <= .info else { return }
    var metadata: Logger.Metadata = [
      "request": "\(RequestID.current ?? "")", "method": "\(method)", "route": "\(route)",
      "status": .stringConvertible(status), "milliseconds": .stringConvertible(Int(time / .milliseconds(1))),
      "address": "\(entry.address ?? "unix")",
    ]
    metadata["bytes"] = size.map { .stringConvertible($0) }
    logger.info("\(method) \(route) \(status)", metadata: metadata)
  }

  /// Made once for each kind of request, and not for each request.
  private func counters(_ kind: Kind) -> Counters {
    known.kinds.withLock { known in
      if let counters = known[kind] { return counters }
      let labels = [("method", kind.method), ("route", kind.route.rawValue), ("status", "\(kind.status)")]
      let counters = Counters(
        requests: Counter(label: "ebb_http_requests_total", dimensions: labels, factory: metrics),
        times: Timer(
          label: "ebb_http_request_duration_seconds", dimensions: [("route", kind.route.rawValue)], factory: metrics))
      known[kind] = counters
      return counters
    }
  }

  func noteWrongToken() { wrongTokens.increment() }

  func noteBackup(isMade: Bool) {
    Counter(label: "ebb_backups_total", dimensions: [("outcome", isMade ? "made" : "failed")], factory: metrics)
      .increment()
  }

  func noteNewestBackup(_ moment: Timestamp) {
    Meter(label: "ebb_backup_last_success_timestamp_seconds", factory: metrics)
      .set(Double(moment.milliseconds) / 1_000)
  }

  func noteCertificate(until end: Timestamp) {
    Meter(label: "ebb_certificate_expires_timestamp_seconds", factory: metrics).set(Double(end.milliseconds) / 1_000)
  }

  /// As Prometheus reads it. `databaseBytes` is nil for a database that is no file.
  func text(connections: Int, streams: Int, databaseBytes: Int? = nil) -> String {
    if let databaseBytes { Meter(label: "ebb_database_bytes", factory: metrics).set(databaseBytes) }
    Meter(label: "ebb_connections", factory: metrics).set(connections)
    Meter(label: "ebb_streams", factory: metrics).set(streams)
    return metrics.text
  }

  /// A client may send any word as a method.
  private static func name(_ method: HTTPRequest.Method) -> String {
    let known: [HTTPRequest.Method] = [.get, .head, .post, .put, .patch, .delete, .options]
    return known.contains(method) ? method.rawValue : "other"
  }
}
