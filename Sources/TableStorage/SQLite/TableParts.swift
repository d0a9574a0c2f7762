import GRDB

/// The columns and constraints of a table, as its `CREATE TABLE` has them: two tables with the same ones may have
/// different texts. A later version adds columns, and every version has comments of its own.
struct TableParts: Hashable {
  /// Each is a list of the words and signs of SQL.
  private let parts: Set<[String]>

  /// Nil for a statement that makes no plain table.
  init?(_ sql: String) {
    let tokens = Self.tokens(of: sql)
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

  /// Whether the table is as the server makes it: of `own`, with all of its parts if `isWhole` is true, and for a list
  /// with more columns, which have a type of the server's and nothing else.
  func isMade(as own: TableParts, isWhole: Bool, isList: Bool) -> Bool {
    let types = Set([TableColumn.Kind.text, .bool, .number].map { $0.type.lowercased() })
    let others = parts.subtracting(own.parts)
    let arePlain = others.allSatisfy { isList && $0.count == 2 && types.contains($0[1]) }
    return arePlain && (!isWhole || own.parts.isSubset(of: parts))
  }

  /// Those that the server makes for these lists, by the names of the tables.
  static func own(for places: [ListPlace]) throws -> [String: TableParts] {
    let queue = try DatabaseQueue()
    return try queue.write { database in
      try SQLiteStorage.makeTables(in: database)
      for place in places where place.number != ListPlace.first.number { try place.makeTable(in: database) }
      return try all(in: database).compactMapValues { $0 }
    }
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

  /// Without spaces and comments. Words are in lower case, and what is in quotes stays as it is.
  private static func tokens(of sql: String) -> [String] {
    var tokens: [String] = []
    var rest = Array(sql.unicodeScalars)[...]
    while let first = rest.first {
      if rest.starts(with: "--".unicodeScalars) {
        rest = rest.drop { $0 != "\n" }
      } else if rest.starts(with: "/*".unicodeScalars) {
        rest = rest.firstRange(of: Array("*/".unicodeScalars)).map { rest[$0.upperBound...] } ?? []
      } else if " \t\n\r\u{0C}".unicodeScalars.contains(first) {
        rest = rest.dropFirst()
      } else {
        let length = length(ofTokenAt: rest, first)
        let token = text(rest.prefix(length))
        tokens.append(endings[first] == nil ? token.lowercased() : token)
        rest = rest.dropFirst(length)
      }
    }
    return tokens
  }

  /// A quotation, a word or a number, or a sign.
  private static func length(ofTokenAt rest: ArraySlice<Unicode.Scalar>, _ first: Unicode.Scalar) -> Int {
    guard let ending = endings[first] else { return max(1, rest.prefix { isPartOfWord($0) }.count) }
    // A quotation mark that stands twice is read as two quotations, which no table of the server has.
    return 1 + rest.dropFirst().prefix { $0 != ending }.count + 1
  }

  private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var text = ""
    text.unicodeScalars.append(contentsOf: scalars)
    return text
  }

  /// As SQLite has it.
  private static func isPartOfWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "_", "$": true
    default: !scalar.isASCII
    }
  }

  /// By which sign a quotation ends that begins with this one.
  private static let endings: [Unicode.Scalar: Unicode.Scalar] = ["\"": "\"", "'": "'", "`": "`", "[": "]"]
}
