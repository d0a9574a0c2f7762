import Synchronization
package import TableProtocol

/// The digests of a whole table on this device and on its server: count, and checksum of ids and versions.
public struct TableComparison: Sendable, Hashable {
  public let table: String
  package let here: TableDigest
  package let there: TableDigest

  public var isSame: Bool { here == there }
}

/// Compares the server's digest of a table with the rows here, after a pull and under the same lock.
struct Comparison {
  let table: String
  let there: TableDigest
  /// The digest of the rows here, if it was counted after the last change of them.
  var counted: TableDigest?
  let store: any LocalStore

  /// Counts the rows here and compares. They are counted even if nothing was sent or received, because a saved digest
  /// does not show that the store was damaged. It is one pass over ids and versions. Throws `StoreError`.
  func run() throws -> TableComparison {
    let fact = SyncFact.agreement(on: table)
    let (here, known, hasWayBack) = try store.read { store in
      (
        try counted ?? KnownServerRows(of: table, in: store).digest(), try store.fact(fact),
        try TokensBeforePush.areKept(of: table, in: store)
      )
    }
    let agreed = here == there ? there.text : nil
    // Most refreshes bring nothing: then there is nothing to write either.
    if known != agreed || hasWayBack {
      try store.write { store in
        if let agreed { try store.setFact(fact, agreed) } else { try store.removeFact(fact) }
        try TokensBeforePush.settle(table, isSame: here == there, in: store)
      }
    }
    return TableComparison(table: table, here: here, there: there)
  }

  /// Removes the saved agreement of both sides: changes were sent since, and nothing was compared.
  static func forget(_ tables: [String], in store: any LocalStore) throws {
    let facts = tables.map(SyncFact.agreement)
    guard try store.read({ store in try facts.contains { try store.fact($0) != nil } }) else { return }
    try store.write { store in for fact in facts { try store.removeFact(fact) } }
  }
}

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
