package import TableProtocol

/// The rows of the server, as far as this device knows. Pending changes are left out.
///
/// A row that is edited or deleted here counts with the server's version. A row that the server never accepted does not
/// count. Local changes do not alter the result; only answers and pages of the server do.
package struct KnownServerRows {
  private let table: String
  private let store: any StoreReader
  /// The server's version of each row with a pending change; nil if the server has no such row.
  private let pending: [RecordID: RecordVersion?]

  /// Stands for the version of a row of a server that gives none.
  static let noVersion = RecordVersion("")

  /// Covers all rows of a table. Must not be used after the open transaction of `store`.
  package init(of table: String, in store: any StoreReader) throws {
    try self.init(store.operations(in: table), of: table, in: store)
  }

  /// Covers some rows of a table.
  init(about ids: [RecordID], of table: String, in store: any StoreReader) throws {
    try self.init(store.operations(ofItems: ids, in: table), of: table, in: store)
  }

  /// `operations` are all of their rows.
  private init(_ operations: [TableOperation], of table: String, in store: any StoreReader) throws {
    self.table = table
    self.store = store
    let ids = Array(Set(operations.map(\.itemID)))
    let rows = try ids.isEmpty ? [] : store.trackedRows(ids, operations: operations, in: table)
    pending = Dictionary(
      rows.map { ($0.id, $0.there.isLive ? $0.there.version ?? Self.noVersion : nil) }, uniquingKeysWith: { $1 })
  }

  /// How many of the rows have a pending change.
  var waiting: Int { pending.count }

  /// Returns the digest of the rows. Call it only if all rows of the table are covered.
  package func digest() throws -> TableDigest {
    var digest = try store.digest(of: table)
    for row in try store.records(Array(pending.keys), in: table) where !row.system.deleted {
      if let own = row.system.version { digest.remove(row.id, own) }
    }
    for (id, version) in pending {
      if let version, version != Self.noVersion { digest.add(id, version) }
    }
    return digest
  }

  /// Returns the rows that the server has without a version. They are not in the digest. Call it only if all rows of
  /// the table are covered.
  func unversioned() throws -> [RecordID] {
    let isUnversioned = Filter.compare(SystemColumn.version, .equal, .null)
    let rows = try store.records(TableQuery(table: table, filter: isUnversioned)).records
    return rows.map(\.id).filter { pending[$0] == nil } + pending.filter { $0.value == Self.noVersion }.map(\.key)
  }

  /// Returns the versions of those rows that the server has; ``noVersion`` for one without.
  package func versions(of ids: [RecordID]) throws -> [RecordID: RecordVersion] {
    var versions = try store.versions(of: ids, in: table).mapValues { $0 ?? Self.noVersion }
    for id in ids {
      if let known = pending[id] { versions[id] = known }
    }
    return versions
  }
}
