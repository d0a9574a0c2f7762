import GRDB

/// The columns and constraints of a table, as its `CREATE TABLE` has them: two tables with the same ones may have
/// different texts. A later version adds columns, and every version has comments of its own.
struct TableParts: Hashable {
  /// Each is a list of the words and signs of SQL.
  private let parts: Set<[String]>

  /// Nil for a statement that makes no plain table.
  init?(_ sql: String) {
    let tokens = SQLTokens.all(in: sql)
    // CREATE TABLE name ( … )
    guard tokens.count > 4, tokens[0] == "create", tokens[1] == "table", tokens[3] == "(", tokens.last == ")" else {
      return nil
    }
    var parts: [[String]] = [[]]
    var depth = 0
    for token in tokens[4...].dropLast() {
      if token == "(" { depth += 1 }
      if token == ")" { depth -= 1 }
      // More follows the columns, such as WITHOUT ROWID.
      guard depth >= 0 else { return nil }
      if token == ",", depth == 0 { parts.append([]) } else { parts[parts.count - 1].append(token) }
    }
    self.parts = Set(parts)
  }

  /// How the table differs from `own`, as the server makes it: it has all of those parts if `isWhole` is true, and may
  /// have more columns if it is that of a list, which have a type of the server's and nothing else.
  func difference(from own: TableParts, isWhole: Bool, isList: Bool) -> TableDifference {
    let types = Set([TableColumn.Kind.text, .bool, .number].map { $0.type.lowercased() })
    let added = parts.subtracting(own.parts).filter { !isList || $0.count != 2 || !types.contains($0[1]) }
    return TableDifference(isWhole ? added.union(own.parts.subtracting(parts)) : added)
  }

  /// The rules that a column was made with beside `NOT NULL` and `DEFAULT`, as SQL names them.
  func rules(ofColumn name: String) -> [String] {
    let definition = parts.first { part in
      guard let first = part.first, !TableDifference.constraints.contains(first) else { return false }
      return SQLTokens.name(first).lowercased() == name.lowercased()
    }
    var words: Set<String> = []
    var depth = 0
    for token in (definition ?? []).dropFirst() {
      if token == "(" { depth += 1 }
      if token == ")" { depth -= 1 }
      if depth == 0 { words.insert(token) }
    }
    return ["check", "collate", "references", "unique"].filter(words.contains).map { $0.uppercased() }
  }

  /// Those of all tables, by their names. Nil for a table that is no plain one.
  static func all(in database: Database) throws -> [String: TableParts?] {
    var found: [String: TableParts?] = [:]
    let sql = "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_*'"
    try database.forEach(sql, isKept: false) { row in
      found.updateValue(row.text(1).flatMap(TableParts.init), forKey: row.text(0) ?? "")
      return true
    }
    return found
  }
}

/// The columns and constraints of a table that are not as the server makes them.
struct TableDifference: Hashable {
  /// With these a constraint of the whole table begins. A column of such a name has quotation marks.
  fileprivate static let constraints: Set = ["constraint", "primary", "unique", "check", "foreign"]

  /// The names of columns, in their order.
  private(set) var columns: [String] = []
  /// True for a constraint of the whole table.
  private(set) var hasConstraints = false

  /// Each part is a list of the words and signs of SQL.
  fileprivate init(_ parts: Set<[String]>) {
    var names: Set<String> = []
    for part in parts {
      if let first = part.first, !Self.constraints.contains(first) {
        names.insert(SQLTokens.name(first))
      } else {
        hasConstraints = true
      }
    }
    columns = names.sorted()
  }
}
