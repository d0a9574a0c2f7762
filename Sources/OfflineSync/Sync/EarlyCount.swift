import Synchronization
import TableProtocol

/// Counts the rows of tables while the first request of a pull is under way: most pulls bring nothing, and then the
/// receipt need not wait for the counting.
///
/// The count holds only if the store has the revision that it had before the counting began. If any program wrote
/// since, this one or another, the count is void and the rows are counted again.
final class EarlyCount {
  private let revision: StoreRevision
  private let counted: Counted
  /// Waits for the end of the counting; nil after it.
  private var wait: (() -> Void)?

  private final class Counted: Sendable {
    let digests = Mutex<[String: TableDigest]>([:])
  }

  /// Returns nil if the store does not count its revisions. Throws `StoreError`.
  init?(of tables: [String], in store: any LocalStore, _ environment: Environment) throws {
    guard let revision = try store.write({ try $0.revision() }) else { return nil }
    self.revision = revision
    let counted = Counted()
    self.counted = counted
    wait = environment.beside {
      let found = try? store.read { store in
        try tables.reduce(into: [:]) { $0[$1] = try KnownServerRows(of: $1, in: store).digest() }
      }
      if let found { counted.digests.withLock { $0 = found } }
    }
  }

  /// Waits, because the store must stay open while its rows are counted.
  deinit { finish() }

  /// Waits for the end of the counting. Not for a transaction: others would wait too.
  func finish() {
    wait?()
    wait = nil
  }

  /// Returns the digests by table; none if the store is another now. Call it after ``finish()``, in a transaction that
  /// has written nothing.
  func digests(in store: any StoreWriter) throws -> [String: TableDigest] {
    try store.revision() == revision ? counted.digests.withLock(\.self) : [:]
  }

  /// Waits, and returns the digest of one table; nil if it is void.
  func digest(of table: String, in store: any LocalStore) throws -> TableDigest? {
    finish()
    return try store.write { try digests(in: $0)[table] }
  }
}
