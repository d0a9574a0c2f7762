import GRDB
import OfflineSync
import Synchronization

/// Notes what kinds of thing each write of this program changes, and tells whoever listens when it is durable.
///
/// It goes by the tables that the statements name, so no row costs anything.
final class WriteLog: TransactionObserver, Sendable {
  private let current = Mutex(StoreChanges())
  private let listener = Mutex<(@Sendable (StoreChanges) -> Void)?>(nil)

  /// `listener` is called on the thread that wrote, before the write returns. There is one at most.
  func listen(_ listener: (@Sendable (StoreChanges) -> Void)?) {
    self.listener.withLock { $0 = listener }
  }

  /// What was noted since it was taken last. Call it within the transaction.
  func take() -> StoreChanges {
    current.withLock { changes in
      defer { changes = [] }
      return changes
    }
  }

  func tell(_ changes: StoreChanges) {
    listener.withLock { $0 }?(changes)
  }

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
