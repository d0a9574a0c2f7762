package import TableProtocol

/// The digests of a whole table on this device and on its server: count, and checksum of ids and versions.
public struct TableComparison: Sendable, Hashable {
  public let table: String
  package let here: TableDigest
  package let there: TableDigest

  public var isSame: Bool { here == there }
}

/// Compares the server's digest of a table with the rows here, after a pull and under the same lock.
///
/// A complete comparison is something else: ``FullPull`` looks at every row, and changes those that differ.
struct DigestComparison {
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
        try TokensBeforePush.restore(of: table, unless: here == there, in: store)
      }
    }
    return TableComparison(table: table, here: here, there: there)
  }

  /// Removes the saved agreement of both sides: changes were sent since, and nothing was compared.
  static func forgetAgreement(on tables: [String], in store: any LocalStore) throws {
    let facts = tables.map(SyncFact.agreement)
    guard try store.read({ store in try facts.contains { try store.fact($0) != nil } }) else { return }
    try store.write { store in for fact in facts { try store.removeFact(fact) } }
  }
}
