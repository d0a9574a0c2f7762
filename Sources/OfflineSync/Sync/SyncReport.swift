import TableProtocol

/// What a sync says while it runs. Called on the sync queue.
package enum SyncEvent: Sendable {
  /// Another program is syncing this store.
  case waitingForOtherProgram
  case progress(SyncProgress)
  /// The only event of its kind; what can follow it is `.compared`.
  case finished(SyncReport)
  /// A table was compared with what the server told of it. A server need not tell.
  case compared(TableComparison)
}

package struct SyncProgress: Sendable, Hashable {
  /// Changes sent, of those there are to send.
  package var sent = 0
  package var toSend = 0
  /// Rows received.
  package var received = 0
  /// Requests and bytes of this sync so far.
  package var traffic = Traffic()

  package init() {}
}

/// What a sync context is doing.
package enum SyncState: Sendable, Hashable {
  case idle
  case waitingForOtherProgram
  case syncing(SyncProgress)
}

/// How a sync ended. What is counted was done, whatever the failure.
package struct SyncReport: Sendable {
  package var push = PushReport()
  /// Rows that a pull changed here.
  package var pulled = 0
  package var traffic = Traffic()
  /// Milliseconds from beginning to end.
  package var milliseconds: Int64 = 0
  package var failure: SyncFailure?
  /// What the server told of whole tables, by their names.
  var digests: [String: TableDigest] = [:]

  package init() {}
}

/// Why a sync could not be finished. The journal is kept in any case.
package enum SyncFailure: Error, Sendable, Hashable {
  case remote(RemoteFailure)
  case store(StoreError)
  /// Another program held the store's sync lock for too long.
  case otherProgramBusy
  /// The store holds another account's list.
  case otherAccount(OtherAccount)
  /// A query can't be pulled so.
  case invalidPull(InvalidPull)
  /// The pull would have removed more than half of the list.
  case massRemoval(MassRemoval)
  /// The server went back to an older state, and somebody has to say which side is right.
  case serverWentBack(ServerWentBack)
  case cancelled
  case other(String)

  init(_ error: any Error) {
    switch error {
    case let failure as RemoteFailure: self = .remote(failure)
    case let failure as StoreError: self = .store(failure)
    case SyncLockError.timedOut: self = .otherProgramBusy
    case let account as OtherAccount: self = .otherAccount(account)
    case let invalid as InvalidPull: self = .invalidPull(invalid)
    case let removal as MassRemoval: self = .massRemoval(removal)
    case let wentBack as ServerWentBack: self = .serverWentBack(wentBack)
    case is SyncCancelled: self = .cancelled
    default: self = .other(String(describing: error))
    }
  }
}
