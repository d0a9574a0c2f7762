import NIOHTTP1
import OfflineSync
import TableProtocol

/// Tells of every request that was made.
struct RequestLog: Sendable {
  struct Moment: Sendable {
    /// UTC.
    let time: Timestamp
    let instant: ContinuousClock.Instant
  }

  let now: @Sendable () -> Timestamp
  let tell: @Sendable (RequestRecord) -> Void

  func clock() -> Moment { Moment(time: now(), instant: .now) }

  func note(_ running: RunningExchange, _ outcome: HTTPOutcome) {
    let duration = running.startedAt.instant.duration(to: .now)
    tell(
      RequestRecord(
        startedAt: running.startedAt.time, verb: running.exchange.method.rawValue,
        path: String(running.exchange.path.prefix(RequestRecord.longestPath)), outcome: outcome.record,
        milliseconds: Int(duration / .milliseconds(1)), bytesSent: running.exchange.body?.count ?? 0,
        bytesReceived: (try? outcome.get().body.count) ?? 0))
  }
}

extension HTTPOutcome {
  fileprivate var record: RequestRecord.Outcome {
    switch self {
    case .success(let answer): .status(answer.status)
    case .failure(let failure):
      if case .unreachable(let words, _) = failure.reason { .failed(words) } else { .failed("") }
    }
  }
}
