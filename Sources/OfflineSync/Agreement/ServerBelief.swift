package import TableProtocol

/// What the server has, as far as this device knows, seen through the changes that wait here.
///
/// A row that is edited here counts with the version the server has, one that is deleted here too, and one that was
/// never accepted does not count. Local changes do not alter it: only what comes from the server does.
package struct ServerBelief {
  private let table: String
  private let store: any StoreReader
  /// Rows with pending changes: the version the server has, nil where it has none.
  private let pending: [ExactText: RecordVersion?]

  /// About all rows of a table, in an open transaction, which it must not outlive.
  package init(of table: String, in store: any StoreReader) throws {
    try self.init(table, store, try store.operations(after: 0, limit: .max).filter { $0.table == table })
  }

  /// About some rows of a table.
  init(about ids: [String], of table: String, in store: any StoreReader) throws {
    try self.init(table, store, try store.operations(ofItems: ids, in: table))
  }

  private init(_ table: String, _ store: any StoreReader, _ operations: [TableOperation]) throws {
    self.table = table
    self.store = store
    var first: [ExactText: TableOperation] = [:]
    for operation in operations where first[ExactText(operation.itemID)] == nil {
      first[ExactText(operation.itemID)] = operation
    }
    let errors = operations.isEmpty ? [] : try store.operationErrors().filter { $0.kind == .conflict }
    let conflicts = Dictionary(errors.map { (ExactText($0.itemID), $0) }) { $1 }
    pending = try first.reduce(into: [:]) { pending, entry in
      let copy: Record?
      // What was kept aside came after the conflict was met, and that after the change was begun.
      if let shadow = try store.shadow(of: entry.value.itemID, in: table) {
        copy = shadow
      } else if let conflict = conflicts[entry.key], conflict.table == table {
        copy = conflict.serverItem
      } else {
        copy = entry.value.base
      }
      pending[entry.key] = .some(copy?.system.deleted == false ? copy?.system.version : nil)
    }
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
  package func versions(of ids: [String]) throws -> [String: RecordVersion] {
    var versions = try store.versions(of: ids, in: table).compactMapValues(\.self)
    for id in ids {
      if let known = pending[ExactText(id)] { versions[id] = known }
    }
    return versions
  }
}
