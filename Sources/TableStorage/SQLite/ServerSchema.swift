import GRDB

/// The tables that the server makes for some lists, with their triggers and indexes.
struct ServerSchema {
  /// By their names.
  let tables: [String: TableParts]
  let code: Set<SchemaCode>

  init(for places: [ListPlace]) throws {
    let queue = try DatabaseQueue()
    (tables, code) = try queue.write { database -> ([String: TableParts], Set<SchemaCode>) in
      try SQLiteStorage.makeTables(in: database)
      for place in places where place.number != ListPlace.first.number { try place.makeTable(in: database) }
      return (try TableParts.all(in: database).compactMapValues { $0 }, Set(try SchemaCode.all(in: database)))
    }
  }
}

/// A trigger, a view or an index. SQLite runs the first two with statements of the server. An index may refuse rows.
struct SchemaCode: Hashable {
  enum Kind: String {
    case trigger, view, index
  }

  let kind: Kind
  let name: String
  /// Of a trigger or an index; for a view its own name.
  let table: String
  /// Earlier versions wrote names without quotation marks.
  private let tokens: [String]

  /// In the order of their kinds and names.
  static func all(in database: Database) throws -> [SchemaCode] {
    var found: [SchemaCode] = []
    // The indexes of keys have no text.
    let sql = """
      SELECT type, name, tbl_name, sql FROM sqlite_schema
      WHERE type IN ('trigger', 'view', 'index') AND sql NOT NULL ORDER BY type, name
      """
    try database.forEach(sql, isKept: false) { row in
      guard let kind = row.text(0).flatMap(Kind.init(rawValue:)) else { return true }
      let tokens = SQLTokens.all(in: row.text(3) ?? "").map { token in
        token.hasPrefix("\"") ? SQLTokens.name(token).lowercased() : token
      }
      found.append(SchemaCode(kind: kind, name: row.text(1) ?? "", table: row.text(2) ?? "", tokens: tokens))
      return true
    }
    return found
  }

  var finding: DatabaseFinding {
    switch kind {
    case .trigger: .foreignTrigger(name, table: table)
    case .view: .foreignView(name)
    case .index: .foreignIndex(name, table: table)
    }
  }
}
