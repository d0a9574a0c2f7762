package import TableProtocol

/// What the server has, as far as this device knows, seen through the changes that wait here.
///
/// A row that is edited here counts with the version the server has, one that is deleted here too, and one that was
/// never accepted does not count. Local changes do not alter it: only what comes from the server does.
package struct ServerBelief {
  private let table: String
  private let store: any StoreReader
  /// Rows with pending changes: the version the server has, nil if it has none.
  private let pending: [RecordID: RecordVersion?]

  /// About all rows of a table, in an open transaction, which it must not outlive.
  package init(of table: String, in store: any StoreReader) throws {
    let operations = try store.operations(after: 0, limit: .max).filter { $0.table == table }
    try self.init(about: operations.map(\.itemID), of: table, in: store)
  }

  /// About some rows of a table.
  init(about ids: [String], of table: String, in store: any StoreReader) throws {
    self.table = table
    self.store = store
    var changed: Set<RecordID> = []
    for operation in try store.operations(ofItems: ids, in: table) { changed.insert(RecordID(operation.itemID)) }
    pending = Dictionary(
      try store.trackedRows(changed.map(\.text), in: table).map { ($0.id, $0.server.isLive ? $0.server.version : nil) },
      uniquingKeysWith: { $1 })
  }

  /// The digest of all these rows; of a belief about all of them.
  package func digest() throws -> TableDigest {
    var digest = try store.digest(of: table)
    for (id, version) in pending {
      if let row = try store.record(id.text, in: table), let own = row.system.version, !row.system.deleted {
        digest.remove(row.id, own)
      }
      if let version { digest.add(id.text, version) }
    }
    return digest
  }

  /// The versions of those of the rows that the server has.
  package func versions(of ids: [String]) throws -> [RecordID: RecordVersion] {
    var versions = try store.versions(of: ids, in: table).compactMapValues(\.self)
    for id in ids.map({ RecordID($0) }) {
      if let known = pending[id] { versions[id] = known }
    }
    return versions
  }
}
