import FoundationEssentials
import TableProtocol

@testable import OfflineSync

/// Short ways to write the engine's values in the tests of the screen.
extension SyncFailure {
  static func remote(_ reason: RemoteFailure.Reason) -> SyncFailure {
    .remote(RemoteFailure(reason, mayHaveActed: false))
  }

  static func massRemoval(rows: Int, total: Int) -> SyncFailure {
    .massRemoval(MassRemoval(rows: rows, total: total))
  }
}

extension OtherAccount {
  init(owner: String, current: String, isOtherUser: Bool = false, pending: Int = 0) {
    self.init(
      owner: Account(server: owner, user: "a"), current: Account(server: current, user: isOtherUser ? "b" : "a"),
      pending: pending)
  }
}

extension SyncProgress {
  init(sent: Int = 0, toSend: Int = 0, received: Int = 0) {
    self.init()
    self.sent = sent
    self.toSend = toSend
    self.received = received
  }
}

extension TableComparison {
  init(here: TableDigest, there: TableDigest) {
    self.init(table: "TodoItem", here: here, there: there)
  }
}

extension Timestamp {
  init(_ date: Date) { self.init(milliseconds: Int64((date.timeIntervalSince1970 * 1_000).rounded())) }
}
