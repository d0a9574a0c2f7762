/// An event of a running sync. Reported on the sync queue.
public enum SyncEvent: Sendable {
  /// Another program is syncing this store.
  case waitingForOtherProgram
  case progress(SyncProgress)
  /// The end of the sync. Comes once; only `.compared` can follow.
  case finished(SyncReport)
  /// A table was compared with the server's digest. Does not come if the server sends none.
  case compared(TableComparison)
}

public struct SyncProgress: Sendable, Hashable {
  /// The number of changes sent.
  public var sent = 0
  /// The number of all changes to send, those sent included.
  public var toSend = 0
  /// The number of rows received.
  public var received = 0
  /// Requests and bytes of this sync so far.
  public var traffic = Traffic()

  package init() {}
}

/// The state of a sync context.
public enum SyncState: Sendable, Hashable {
  case idle
  case waitingForOtherProgram
  case syncing(SyncProgress)
}

/// The result of a sync. The counts are correct even if the sync failed.
public struct SyncReport: Sendable {
  public var push = PushReport()
  /// The number of rows that the server's copies changed here.
  public var pulled = 0
  public var traffic = Traffic()
  /// The duration in milliseconds.
  public var milliseconds: Int64 = 0
  public var failure: SyncFailure?
  /// True if changes are left that met a newer copy each time they were sent. The next sync sends them again.
  public var leavesChanges = false
  /// The questions that the request answered. Its other answers had no effect.
  public var answered: Set<SyncAnswer> = []
  /// The number of deletions that waited for the account that the list was taken along from, and are sent to no other.
  /// That account may still have the rows. Of a deletion that was sent to it without an answer, nobody knows.
  public var droppedDeletions = 0
  /// The rows of the server that pulls met and that can't be stored here.
  package var leftOut: [UnreadableRow] = []

  package init() {}
}

/// Why a sync could not be completed. The journal is always kept.
public enum SyncFailure: Error, Sendable, Hashable {
  case remote(RemoteFailure)
  case store(StoreError)
  /// Another program held the store's sync lock for too long: see ``SyncLock``. Nothing was sent or received.
  case otherProgramBusy
  /// Another account owns the list in the store.
  case otherAccount(OtherAccount)
  /// The query can't be pulled.
  case invalidPull(InvalidPull)
  /// The pull would have removed too many rows.
  case massRemoval(MassRemoval)
  /// The server went back to an older state, and the user has to decide which side is right.
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
