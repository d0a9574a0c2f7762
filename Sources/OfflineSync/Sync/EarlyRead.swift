import Synchronization
import TableProtocol

/// Reads something of the store while a request is under way, so that it is there when the answer is.
///
/// It holds only if the store has the revision that it had before the reading began. If any program wrote since, this
/// one or another, it is void, and the caller reads again.
final class EarlyRead<Value: Sendable> {
  private var revision: StoreRevision
  private let found: Found
  /// Waits for the end of the reading; nil after it.
  private var wait: (() -> Void)?

  private final class Found: Sendable {
    let value = Mutex<Result<Value, any Error>?>(nil)
  }

  /// Returns nil if the store does not count its revisions. Throws `StoreError`.
  init?(
    of store: any LocalStore, _ environment: Environment,
    read: @escaping @Sendable (any StoreReader) throws -> Value
  ) throws {
    guard let revision = try store.write({ try $0.revision() }) else { return nil }
    self.revision = revision
    let found = Found()
    self.found = found
    wait = environment.beside {
      let value = Result { try store.read(read) }
      found.value.withLock { $0 = value }
    }
  }

  /// Waits, because the store must stay open while it is read.
  deinit { finish() }

  /// Waits for the end of the reading. Not for a transaction: others would wait too.
  func finish() {
    wait?()
    wait = nil
  }

  /// Returns what was read; nil if it is void. Call it after ``finish()``, in a transaction that has written nothing.
  /// Throws the error of the reading too.
  func value(in store: any StoreWriter) throws -> Value? {
    try store.revision() == revision ? found.value.withLock(\.self)?.get() : nil
  }

  /// Writes something that is no part of what was read, in a transaction: what was read still holds then.
  func keep(in store: any StoreWriter, _ write: () throws -> Void) throws {
    let holds = try store.revision() == revision
    try write()
    if holds, let reached = try store.revision() { revision = reached }
  }
}

/// The digests of the rows of tables, by table name.
///
/// Most pulls bring nothing, and then the receipt need not wait for the counting.
typealias EarlyCount = EarlyRead<[String: TableDigest]>

extension EarlyCount {
  /// Returns nil if the store does not count its revisions. Throws `StoreError`.
  convenience init?(of tables: [String], in store: any LocalStore, _ environment: Environment) throws {
    try self.init(of: store, environment) { store in
      try tables.reduce(into: [:]) { $0[$1] = try KnownServerRows(of: $1, in: store).digest() }
    }
  }

  /// Waits, and returns the digest of one table; nil if it is void.
  func digest(of table: String, in store: any LocalStore) throws -> TableDigest? {
    finish()
    return try store.write { try value(in: $0)?[table] }
  }
}

/// The changes that a push sends first: it can begin with them when the server has said which database it is.
typealias EarlyBatch = EarlyRead<PushBatch>

extension EarlyBatch {
  /// Returns nil if the store does not count its revisions. Throws `StoreError`.
  convenience init?(in store: any LocalStore, _ environment: Environment) throws {
    try self.init(of: store, environment) { try PushBatch(after: 0, passingOver: [], in: $0, environment) }
  }
}
