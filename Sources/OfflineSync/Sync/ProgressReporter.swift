import TableProtocol

/// Reports the progress of a sync, at most 20 times a second.
final class ProgressReporter {
  /// Milliseconds between two reports.
  private static let interval: Int64 = 50

  private let remote: any RemoteTable
  private let start: Traffic
  private let now: () -> Timestamp
  private let tell: (SyncEvent) -> Void
  private var progress = SyncProgress()
  private var last: Timestamp?

  init(
    remote: any RemoteTable, since start: Traffic, now: @escaping () -> Timestamp,
    report: @escaping (SyncEvent) -> Void
  ) {
    self.remote = remote
    self.start = start
    self.now = now
    tell = report
  }

  func sent(_ sent: Int, of toSend: Int) {
    progress.sent = sent
    progress.toSend = toSend
    report()
  }

  func received(_ received: Int) {
    progress.received = received
    report()
  }

  func report() {
    let moment = now()
    // A clock that was set back must not silence it.
    if let last, (0..<Self.interval).contains(moment.milliseconds - last.milliseconds) { return }
    last = moment
    progress.traffic = remote.traffic - start
    tell(.progress(progress))
  }
}
