package import OfflineSync
import Synchronization

/// A store of which one transaction fails when a test says so, as on a full disk.
package final class FailingStore: LocalStore {
  package static let error = StoreError.diskFull(path: "full")

  private let store: any LocalStore
  /// Transactions to go until the one that fails; nil when none is to.
  private let countdown = Mutex((reads: Int?.none, writes: Int?.none))

  package init(_ store: any LocalStore) {
    self.store = store
  }

  /// The transaction of this number from now on fails: one that reads at its beginning, one that writes at its end.
  package func fail(read: Int? = nil, write: Int? = nil) {
    countdown.withLock { $0 = (read, write) }
  }

  package func read<Value>(_ body: (any StoreReader) throws -> Value) throws -> Value {
    if countdown.withLock({ Self.isDue(&$0.reads) }) { throw Self.error }
    return try store.read(body)
  }

  package func write<Value>(_ body: (any StoreWriter) throws -> Value) throws -> Value {
    let fails = countdown.withLock { Self.isDue(&$0.writes) }
    return try store.write { writer in
      let value = try body(writer)
      if fails { throw Self.error }
      return value
    }
  }

  private static func isDue(_ left: inout Int?) -> Bool {
    left = left.map { $0 - 1 }
    return left == 0
  }
}

/// The store of a program that dies at some point. After that it still reads, but nothing it writes is stored.
package final class ReadOnlyAfterDeath: LocalStore {
  package let base: any LocalStore
  private let isDead = Mutex(false)

  package init(_ base: any LocalStore) { self.base = base }

  package func die() { isDead.withLock { $0 = true } }

  package func read<Value>(_ body: (any StoreReader) throws -> Value) throws -> Value { try base.read(body) }

  package func write<Value>(_ body: (any StoreWriter) throws -> Value) throws -> Value {
    if isDead.withLock(\.self) { throw FailingStore.error }
    return try base.write(body)
  }
}

/// For a store that no other program can have.
package struct FreeLock: SyncLock {
  package init() {}

  package func withLock<Value>(waiting: () throws -> Void, run body: () throws -> Value) throws -> Value {
    try body()
  }
}
