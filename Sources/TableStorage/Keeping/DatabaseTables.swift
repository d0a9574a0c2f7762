package import FoundationEssentials
import TableProtocol
import TableSQL

/// A table of the wire as the keeper of a database sees it: the lists of all users together.
package struct KeptTable: Hashable, Sendable {
  package let table: ServedTable
  /// How many users have a list of it.
  package internal(set) var lists = 0
  /// Rows that are not deleted.
  package internal(set) var items = 0
  package internal(set) var tombstones = 0
  /// Those that any of the lists has, by their names.
  package internal(set) var columns: [TableColumn] = []

  init(_ table: ServedTable) { self.table = table }

  mutating func add(_ content: ListContent) {
    lists += 1
    items += content.items
    tombstones += content.tombstones
    for column in content.columns where !columns.contains(where: { $0.name == column.name }) { columns.append(column) }
  }
}

/// How much is in a list.
struct ListContent: Sendable {
  let items: Int
  let tombstones: Int
  let columns: [TableColumn]

  init(of list: any StoredList) throws {
    items = try list.state().digest.count
    tombstones = max(try list.count(of: ListQuery(nulls: .sql, limit: 0, includesDeleted: true)) - items, 0)
    columns = list.schema.columns
  }
}

extension ServerDatabase {
  /// The tables that something was written to, and that of to-do items, which comes first. A server may run meanwhile.
  package func tables(_ update: DatabaseUpdate) async throws(ServerDatabaseError) -> [KeptTable] {
    try await keeping(update) { storage in
      var tables = [ServedTable.todoItem: KeptTable(.todoItem)]
      for list in try await storage.lists() {
        let content = try await storage.read(list, mayBeLong: true) { try ListContent(of: $0) }
        tables[list.table, default: KeptTable(list.table)].add(content)
      }
      let others = tables.values.filter { $0.table != .todoItem }.sorted { $0.table.name < $1.table.name }
      return tables[.todoItem].map { [$0] + others } ?? others
    }
  }

  /// Removes tables of all users. A server that runs then serves them as ones that never were. One epoch begins for
  /// all. `makeUUID` gives its random part.
  package func remove(
    _ tables: Set<ServedTable>, _ update: DatabaseUpdate, makeUUID: () -> UUID = { UUID() }
  ) async throws(ServerDatabaseError) -> RemovedLists {
    try await keeping(update) { storage in
      try storage.remove(tables, now: update.clock(), nonce: makeUUID().epochNonce)
    }
  }

  /// Works on the database, which is brought up to date first.
  func keeping<Value: Sendable>(
    _ update: DatabaseUpdate, _ body: (any ServerStorage) async throws -> Value
  ) async throws(ServerDatabaseError) -> Value {
    do {
      let storage = try location.open(update: update)
      defer { try? storage.close() }
      return try await body(storage)
    } catch {
      throw location.failure(error)
    }
  }
}
