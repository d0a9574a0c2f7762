import AsyncHTTPClient
import Dispatch
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import OfflineSync
import Synchronization
import TableProtocol

extension HTTPExchange {
  /// Why it can't be sent; nil if it can. Headers send back what a server gave us once.
  fileprivate func flaw(largestHead: Int) -> RemoteFailure? {
    let size = headers.reduce(path.utf8.count) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
    let hasControls = headers.contains { $0.value.utf8.contains { $0 < 0x20 || $0 == 0x7F } }
    guard size > largestHead || hasControls else { return nil }
    let words = size > largestHead ? "the head of the request is too large" : "a header has a control character"
    return RemoteFailure(.serverError(status: 431, message: words), mayHaveActed: false, concernsAll: false)
  }
}

/// Makes requests and waits for their answers, over connections that are kept until no request was made for a moment.
///
/// Each request has a name, and a server of ours gives it back: the answer to another request is a failure (wire,
/// `x-ebb-request`).
///
/// Must be called from a thread that may block; nothing is opened before the first request, so that
/// a program that never syncs pays nothing. Redirects are answers like others.
final class HTTPTransport: RequestTransport {
  /// An answer is read up to this many bytes.
  static let largestAnswer = 64 * 1_024 * 1_024
  /// A request with a longer head is not sent: no server takes one, and the connection would not survive it.
  private static let largestHead = 32 * 1_024
  /// Something on the way may swallow questions of a kind that it does not know. Their connections are then given back.
  private static let patienceForQuestions: Int64 = 3
  /// How long connections are kept that no request needs. Within a sync the next request comes sooner.
  private static let patience = DispatchTimeInterval.milliseconds(700)

  private struct State {
    var connections: HTTPConnections?
    /// Connections to open beside that of the next request, if there is none yet.
    var spare = 0
    /// Requests that need the connections.
    var inUse = 0
    /// Whether somebody looks again in a moment if the connections are still needed.
    var isWatched = false
    var traffic = Traffic()
    var underWay: [Int: HTTPClient.Task<HTTPClient.Response>] = [:]
    /// The number of requests so far, and of the newest one.
    var begun = 0
    /// How the names of requests begin: those of an earlier run have another beginning. Nil before the first.
    var name: String?
    var interruptions = 0

    mutating func takeConnections() -> HTTPConnections? {
      defer { connections = nil }
      return connections
    }

    /// Forgets the number, so that it is not used later for another push.
    mutating func takeSpare() -> Int {
      defer { spare = 0 }
      return connections == nil ? spare : 0
    }
  }

  /// The only place requests go to.
  private let origin: String
  private let limits: TimeLimits
  private let caFile: String?
  private let log: RequestLog
  private let newID: @Sendable () -> String
  private let state = Mutex(State())

  init(origin: String, _ settings: ClientSettings, log: RequestLog) {
    self.origin = origin
    limits = settings.limits
    caFile = settings.caFile
    newID = settings.newID
    self.log = log
  }

  deinit {
    state.withLock { $0.takeConnections() }?.close()
  }

  /// Closes the connections and ends their thread once no request has begun for a moment. A later one opens new ones.
  private func closeWhenUnused(sinceRequest number: Int) {
    HTTPConnections.queue.asyncAfter(deadline: .now() + Self.patience) { [weak self] in
      self?.closeUnlessUsed(sinceRequest: number)
    }
  }

  private func closeUnlessUsed(sinceRequest number: Int) {
    let (newest, unused) = state.withLock { state in
      let isUnused = state.begun == number && state.inUse == 0
      if isUnused || state.inUse > 0 { state.isWatched = false }
      return (state.isWatched ? state.begun : nil, isUnused ? state.takeConnections() : nil)
    }
    unused?.close()
    if let newest { closeWhenUnused(sinceRequest: newest) }
  }

  var traffic: Traffic { state.withLock(\.traffic) }

  func expect(atOnce width: Int) { state.withLock { $0.spare = max(0, width - 1) } }

  func interrupt() {
    let tasks = state.withLock { state in
      state.interruptions += 1
      return Array(state.underWay.values)
    }
    for task in tasks { task.cancel() }
  }

  /// The request is made once more when a connection that was kept turns out to be closed, and when it failed beside
  /// others that open connections: one of those that can't be opened ends all requests that wait for theirs.
  func answer(to exchange: HTTPExchange) throws(RemoteFailure) -> ServerAnswer {
    let spare = state.withLock { $0.takeSpare() }
    let first = start(exchange)
    open(spare, beside: exchange)
    do {
      return try finish(first)
    } catch let error where first.isRepeatable(after: error) || spare > 0 && exchange.method == .GET {
      do { return try finish(start(exchange)) } catch { throw RemoteFailure(error, method: exchange.method) }
    } catch {
      throw RemoteFailure(error, method: exchange.method)
    }
  }

  func exchange(atOnce width: Int, _ next: () -> HTTPExchange?, receive: (HTTPOutcome) -> Bool) {
    var underWay: ArraySlice<RunningExchange> = []
    var goesOn = true
    while true {
      while goesOn, underWay.count < width {
        if let exchange = next() { underWay.append(start(exchange)) } else { goesOn = false }
      }
      guard let oldest = underWay.popFirst() else { return }
      let outcome = Result { try finish(oldest) }.mapError { RemoteFailure($0, method: oldest.exchange.method) }
      goesOn = receive(outcome) && goesOn
    }
  }

  /// Opens connections to the server of a request that has just begun: at most one by each of `count` requests, which
  /// are not made again. They ask what any server may be asked, carry no token, and their answers are only logged.
  ///
  /// The client's own `preWarmedHTTP1ConnectionCount` opens one after the other, and opens each again that a server
  /// closes.
  private func open(_ count: Int, beside exchange: HTTPExchange) {
    let path = String(exchange.path.prefix { $0 != "?" })
    let question = HTTPExchange(
      method: .OPTIONS, path: path, headers: HTTPHeaders(ClientHeaders.common), body: nil)
    for _ in 0..<count {
      let running = start(question, within: Self.patienceForQuestions)
      switch running.task {
      case .success(let task):
        task.futureResult.whenComplete { [weak self] result in _ = try? self?.end(running, result) }
      case .failure(let error):
        _ = try? end(running, .failure(error))
      }
    }
  }

  /// `seconds` is the longest time until the answer is there.
  private func start(_ exchange: HTTPExchange, within seconds: Int64? = nil) -> RunningExchange {
    let (number, name, interruptions) = state.withLock { state in
      state.inUse += 1
      state.begun += 1
      let beginning = state.name ?? newID()
      state.name = beginning
      return (state.begun, "\(beginning)-\(state.begun)", state.interruptions)
    }
    let result = Result {
      if let failure = exchange.flaw(largestHead: Self.largestHead) { throw failure }
      var fields = exchange.headers
      fields.replaceOrAdd(name: ZumoHeader.request, value: name)
      let request = try HTTPClient.Request(
        url: origin + exchange.path, method: exchange.method, headers: fields,
        body: exchange.body.map { .bytes($0) })
      let accumulator = ResponseAccumulator(request: request, maxBodySize: Self.largestAnswer)
      let deadline = NIODeadline.now() + .seconds(seconds ?? limits.wholeRequest)
      return client().execute(request: request, delegate: accumulator, deadline: deadline)
    }
    let isInterrupted = state.withLock { state in
      state.traffic.requests += 1
      state.traffic.bytesSent += exchange.body?.count ?? 0
      state.underWay[number] = try? result.get()
      return state.interruptions != interruptions
    }
    // It was on its way already, and not yet among those that an interruption ends.
    if isInterrupted { try? result.get().cancel() }
    return RunningExchange(exchange: exchange, number: number, name: name, task: result, startedAt: log.clock())
  }

  private func finish(_ running: RunningExchange) throws -> ServerAnswer {
    try end(running, Result { try running.task.get().wait() })
  }

  /// Notes how a request ended. Called on the thread of its caller or on that of the connections.
  private func end(
    _ running: RunningExchange, _ result: Result<HTTPClient.Response, any Error>
  ) throws -> ServerAnswer {
    defer {
      let newest = state.withLock { state -> Int? in
        state.underWay[running.number] = nil
        state.inUse -= 1
        guard state.inUse == 0, !state.isWatched else { return nil }
        state.isWatched = true
        return state.begun
      }
      if let newest { closeWhenUnused(sinceRequest: newest) }
    }
    do {
      let answer = ServerAnswer(try result.get(), now: log.now())
      state.withLock { $0.traffic.bytesReceived += answer.body.count }
      if let failure = running.flaw(of: answer) { throw failure }
      log.note(running, .success(answer))
      return answer
    } catch {
      log.note(running, .failure(RemoteFailure(error, method: running.exchange.method)))
      throw error
    }
  }

  private func client() -> HTTPClient {
    state.withLock { state in
      if let connections = state.connections { return connections.client }
      let connections = HTTPConnections(limits, caFile: caFile)
      state.connections = connections
      return connections.client
    }
  }
}

/// A client and its thread. They do not stay: their timers would wake the program up to two minutes later, also
/// those of requests that were answered.
struct HTTPConnections: Sendable {
  /// Not a global queue: the first use of one starts a timer that wakes the program every second from then on.
  static let queue = DispatchQueue(label: "ebb.connections")

  let client: HTTPClient
  private let group: MultiThreadedEventLoopGroup

  /// Unless it `endsSilence`, an answer may have pauses of any length.
  init(_ limits: TimeLimits, caFile: String?, endsSilence: Bool = true) {
    var configuration = HTTPClient.Configuration(
      redirectConfiguration: .disallow,
      timeout: .init(connect: .seconds(limits.connecting), read: endsSilence ? .seconds(limits.silence) : nil))
    // The program reports a dead server, and does not hide it behind retries.
    configuration.connectionPool.retryConnectionEstablishment = false
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = SendingWidth.most
    configuration.checkStatuses()
    if let caFile {
      var trust = TLSConfiguration.makeClientConfiguration()
      trust.additionalTrustRoots = [.file(caFile)]
      configuration.tlsConfiguration = trust
    }
    group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    client = HTTPClient(eventLoopGroupProvider: .shared(group), configuration: configuration)
  }

  /// `closed` is called once the connections are gone.
  func close(_ closed: @escaping @Sendable () -> Void = {}) {
    client.shutdown(queue: Self.queue) { [group] _ in
      closed()
      group.shutdownGracefully(queue: Self.queue) { _ in }
    }
  }
}

/// A request that is under way.
struct RunningExchange {
  let exchange: HTTPExchange
  fileprivate let number: Int
  fileprivate let name: String
  let task: Result<HTTPClient.Task<HTTPClient.Response>, any Error>
  /// UTC, and where the duration counts from.
  let startedAt: RequestLog.Moment

  /// A server of an earlier version does not give the name back.
  fileprivate func flaw(of answer: ServerAnswer) -> RemoteFailure? {
    guard let named = answer.headers[ZumoHeader.request], named != name else { return nil }
    return RemoteFailure(.alteredAnswer(.otherRequest), mayHaveActed: exchange.method != .GET)
  }

  fileprivate func isRepeatable(after error: any Error) -> Bool {
    exchange.method == .GET && error as? HTTPClientError == .remoteConnectionClosed
  }
}

/// How long a request may take, in seconds.
package struct TimeLimits: Sendable, Hashable {
  package var connecting: Int64
  /// Without a byte arriving.
  package var silence: Int64
  package var wholeRequest: Int64

  package init(connecting: Int64 = 10, silence: Int64 = 30, wholeRequest: Int64 = 120) {
    self.connecting = connecting
    self.silence = silence
    self.wholeRequest = wholeRequest
  }
}

/// Reports every request that was made.
struct RequestLog: Sendable {
  struct Moment: Sendable {
    /// UTC.
    let time: Timestamp
    let instant: ContinuousClock.Instant
  }

  let now: @Sendable () -> Timestamp
  let report: @Sendable (RequestRecord) -> Void

  func clock() -> Moment { Moment(time: now(), instant: .now) }

  func note(_ running: RunningExchange, _ outcome: HTTPOutcome) {
    note(running.exchange, startedAt: running.startedAt, outcome.record, received: (try? outcome.get().body.count) ?? 0)
  }

  /// `received` counts the bytes of the body that came.
  func note(_ exchange: HTTPExchange, startedAt: Moment, _ outcome: RequestRecord.Outcome, received: Int = 0) {
    report(
      RequestRecord(
        startedAt: startedAt.time, verb: exchange.method.rawValue,
        path: String(exchange.path.prefix(RequestRecord.longestPath)), outcome: outcome,
        milliseconds: Int(startedAt.instant.duration(to: .now) / .milliseconds(1)),
        bytesSent: exchange.body?.count ?? 0, bytesReceived: received))
  }
}

extension HTTPOutcome {
  var record: RequestRecord.Outcome {
    switch self {
    case .success(let answer): .status(answer.status)
    case .failure(let failure):
      if case .unreachable(let words, _) = failure.reason { .failed(words) } else { .failed("") }
    }
  }
}
