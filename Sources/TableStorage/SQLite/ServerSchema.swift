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

  /// By which it is found, whatever it does: a trigger may have the name of an index. The order of ``all(in:)``.
  var ownName: [String] { [kind.rawValue, name] }

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

  /// For one that is in a database and is none of the server's.
  var foreignFinding: DatabaseFinding {
    switch kind {
    case .trigger: .foreignTrigger(name, table: table)
    case .view: .foreignView(name)
    case .index: .foreignIndex(name, table: table)
    }
  }

  /// For one of the server's that is not in a database. Nil for a view: the server makes none.
  var missingFinding: DatabaseFinding? {
    switch kind {
    case .trigger: .missingTrigger(name, table: table)
    case .view: nil
    case .index: .missingIndex(name, table: table)
    }
  }
}
