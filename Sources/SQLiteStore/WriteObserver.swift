import GRDB
import OfflineSync
import Synchronization

/// Collects the kinds of content that each write of this program changes, and reports them when the write is durable.
///
/// It reads the table names of the statements, so its cost does not depend on the number of rows.
final class WriteObserver: TransactionObserver, Sendable {
  private let current = Mutex(StoreChanges())
  private let listener = Mutex<(@Sendable (StoreChanges) -> Void)?>(nil)
  private let isLogLong = Atomic(false)

  /// `listener` is called on the thread that wrote, before the write returns. There is one at most.
  func listen(_ listener: (@Sendable (StoreChanges) -> Void)?) {
    self.listener.withLock { $0 = listener }
  }

  /// Returns the kinds collected since the last call. Call it within the transaction.
  func drain() -> StoreChanges {
    current.withLock { changes in
      defer { changes = [] }
      return changes
    }
  }

  func report(_ changes: StoreChanges) {
    listener.withLock { $0 }?(changes)
  }

  /// A commit has left a write-ahead log that is due to be copied into the database.
  func noteLongLog() { isLogLong.store(true, ordering: .relaxed) }

  /// True once after each note.
  func takeLongLog() -> Bool { isLogLong.exchange(false, ordering: .relaxed) }

  func observes(eventsOfKind kind: DatabaseEventKind) -> Bool {
    let changes = Self.changes(in: kind.tableName)
    current.withLock { $0.formUnion(changes) }
    return false
  }

  func databaseDidChange(with event: DatabaseEvent) {}
  func databaseDidCommit(_ database: Database) {}
  func databaseDidRollback(_ database: Database) {}

  private static func changes(in table: String) -> StoreChanges {
    switch table {
    case "MS_TableOperations", "MS_TableOperationErrors": .journal
    case "Ebb_Facts", "MS_TableConfig": .facts
    case "Ebb_Requests": .requests
    default: .rows
    }
  }
}

extension DatabaseEventKind {
  fileprivate var tableName: String {
    switch self {
    case .insert(let table), .delete(let table): table
    case .update(let table, _): table
    }
  }
}
