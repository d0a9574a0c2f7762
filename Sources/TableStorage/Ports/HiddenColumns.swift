package import TableProtocol
import TableSQL

/// Columns made by clients, whose names are now those of others.
///
/// A client that calls the text of an item `title` makes a column of that name on a server without aliases. Once
/// `title` is an alias of `text`, requests for `title` get `text`, and the values of the column are hidden. So a server
/// does not start with such an alias until the values are moved.
package enum HiddenColumns {
  /// Those that have values, by their names.
  package static func all(in storage: any TableStorage, under names: ColumnNames) async throws -> [HiddenColumn] {
    guard !names.isEmpty else { return [] }
    var found: [String: HiddenColumn] = [:]
    for list in try await storage.lists() where list.table == .todoItem {
      for hidden in try await storage.read(list, { try Self.all(in: $0, under: names) }) {
        let none = HiddenColumn(column: hidden.column, name: hidden.name, items: 0)
        found[hidden.name, default: none].items += hidden.items
      }
    }
    return found.values.sorted { $0.name < $1.name }
  }

  /// The same of one list.
  static func all(in list: any StoredList, under names: ColumnNames) throws -> [HiddenColumn] {
    try list.schema.columns.filter { names.hides($0.name) }.compactMap { column in
      let items = try list.count(of: rows(having: column.name, includesDeleted: false, list.schema))
      return items > 0 ? HiddenColumn(column: names.own(column.name), name: column.name, items: items) : nil
    }
  }

  /// Columns that have values under names that other programs use, in items that have none in the column of this
  /// server: devices see these items without a text.
  static func unnamed(in list: any StoredList) throws -> [HiddenColumn] {
    try ColumnNames.usual.compactMap { own, others in
      guard list.schema.index(of: own) != nil, let name = others.first(where: { list.schema.index(of: $0) != nil })
      else { return nil }
      var query = rows(having: name, includesDeleted: false, list.schema)
      query.filter = query.filter.map { .binary(.and, $0, .compare(own, .equal, .null)) }
      let items = try list.count(of: query)
      return items > 0 ? HiddenColumn(column: own, name: name, items: items) : nil
    }
  }

  /// The rows that have something in the column.
  package static func rows(having column: String, includesDeleted: Bool, _ schema: TableSchema) -> ListQuery {
    // A column of booleans has `false` in each item of a client that leaves out what is false: nothing is lost by that.
    let isBoolean = schema.index(of: column).map { schema.columns[$0].kind == .bool } ?? false
    let filter = isBoolean ? Filter.compare(column, .equal, .bool(true)) : Filter.compare(column, .notEqual, .null)
    return ListQuery(filter: filter, nulls: .sql, limit: .max, includesDeleted: includesDeleted)
  }
}
