package import TableProtocol

/// A whole table as this device and its server have it, compared in count and checksum.
package struct TableComparison: Sendable, Hashable {
  package let table: String
  package let here: TableDigest
  package let there: TableDigest

  package var isSame: Bool { here == there }
}

/// Compares what the server told of a table with what is believed here, after a pull and under the same lock.
struct Comparison {
  let table: String
  let there: TableDigest
  let store: any LocalStore

  /// `isUnchanged` says that nothing was sent or received: where both sides were the same before, with what the
  /// server still tells, the rows are not looked at again. Throws `StoreError`.
  func run(isUnchanged: Bool) throws -> TableComparison {
    let fact = SyncFact.agreement(on: table)
    let (here, known) = try store.read { store in
      let known = try store.fact(fact).flatMap { TableDigest($0) }
      return (isUnchanged && known == there ? there : try ServerBelief(of: table, in: store).digest(), known)
    }
    if here == there, known != there { try store.write { try $0.setFact(fact, there.text) } }
    if here != there, known != nil { try store.write { try $0.removeFact(fact) } }
    return TableComparison(table: table, here: here, there: there)
  }
}
