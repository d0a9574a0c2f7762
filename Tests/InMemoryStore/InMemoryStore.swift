package import OfflineSync
import Synchronization

/// A local store that lives as long as the object, for tests and for simulated worlds of devices.
///
/// A transaction works on a copy, which takes the place of the state when it ends well.
package final class InMemoryStore: LocalStore {
  /// Held by the one transaction that writes.
  private let writing = Mutex(())
  private let committed: Mutex<InMemoryState>
  private let mostRecords = Mutex(0)

  package init(tables: [InMemoryTable]) {
    committed = Mutex(InMemoryState(tables: tables))
  }

  /// Holds what another store holds now.
  package init(copying other: InMemoryStore) {
    committed = Mutex(other.committed.withLock { $0 })
  }

  /// The largest number of records that one call has returned to a transaction that writes.
  package var mostRecordsAtOnce: Int { mostRecords.withLock(\.self) }

  package func read<Value>(_ body: (any StoreReader) throws -> Value) throws -> Value {
    try body(InMemoryTransaction(committed.withLock { $0 }))
  }

  package func write<Value>(_ body: (any StoreWriter) throws -> Value) throws -> Value {
    var result: Result<Value, any Error>?
    writing.withLock { _ in
      let transaction = InMemoryTransaction(committed.withLock { $0 })
      result = Result { try body(transaction) }
      let most = transaction.mostRecords
      mostRecords.withLock { $0 = max($0, most) }
      if case .success = result {
        var state = transaction.state
        if transaction.isChanged { state.revision += 1 }
        committed.withLock { $0 = state }
      }
    }
    guard let result else { throw StoreError.failed(path: "", reason: "the transaction did not run") }
    return try result.get()
  }
}
