import GRDB
import OfflineSync
import TableProtocol
import TableSQL

/// A row query as SQL over one table of the store.
///
/// The rows beyond a place come in several runs, one statement each: those that share all but the last value of the
/// order with it, those that share all but the last two, and so on. An index finds the beginning of each at once,
/// also among thousands of rows that are alike in the first value; one condition for all of them would hide that.
struct RowSQL {
  private let shape: TableShape
  private let query: RowQuery
  private let condition: SQLFragment?

  /// Throws `QueryError` when the query names a column the table has not.
  init(_ query: RowQuery, shape: TableShape) throws {
    self.shape = shape
    self.query = query
    condition = try query.condition.map { try $0.sql(shape) }
  }

  /// Returns the runs in the order in which they must be read, each with a `?` for the rows that are still wanted.
  /// Values that all rows of a run share do not sort them. Without an order, rows come as they are stored.
  func runs(selecting selection: String) -> [SQLFragment] {
    places.map { shared, place in
      let clause = whereClause([condition, place])
      let order = query.order.dropFirst(shared).map { key in
        key.value.sql(in: shape.table) + (key.ascending == query.isBackward ? " DESC" : "")
      }
      let ordered = order.isEmpty ? "" : " ORDER BY \(order.joined(separator: ", "))"
      return SQLFragment(
        "SELECT \(selection) FROM \(order.isEmpty ? source : shape.quotedTable)\(clause.sql)\(ordered) LIMIT ?",
        clause.arguments)
    }
  }

  /// How many rows each run has, by value if there is one: the index of an order by the value serves it. Texts are read
  /// fastest in the order they are stored in.
  func counts(by value: RowValue?) -> [SQLFragment] {
    conditionsToCount.map { place in
      let clause = whereClause([condition, place])
      let what = value?.sql(in: shape.table) ?? "''"
      return SQLFragment(
        "SELECT count(*), \(what) FROM \(source)\(clause.sql)" + (value == nil ? "" : " GROUP BY 2"), clause.arguments)
    }
  }

  private var source: String {
    shape.quotedTable + (query.condition?.readsTexts == true ? " NOT INDEXED" : "")
  }

  /// No index helps where texts are read: then all runs are counted in one walk.
  private var conditionsToCount: [SQLFragment?] {
    let runs = places.map(\.condition)
    let all = runs.compactMap(\.self)
    guard query.condition?.readsTexts == true, all.count == runs.count else { return runs }
    let either = SQLFragment.joined(all.map { SQLFragment("(\($0.sql))", $0.arguments) }, by: " OR ")
    return [SQLFragment("(\(either.sql))", either.arguments)]
  }

  /// The condition of each run, and how many values its rows share with the place.
  private var places: [(shared: Int, condition: SQLFragment?)] {
    guard let anchor = query.anchor else { return [(0, nil)] }
    return query.order.indices.reversed().map { last in
      var parts: [SQLFragment] = []
      for (index, key) in query.order[...last].enumerated() {
        let relation = index < last ? "=" : key.ascending == query.isBackward ? "<" : ">"
        let place = anchorValue(of: key.value, anchor)
        parts.append(
          SQLFragment("\(key.value.sql(in: shape.table)) \(relation) \(place.sql)", place.arguments))
      }
      return (last, SQLFragment.joined(parts, by: " AND "))
    }
  }

  private func anchorValue(of value: RowValue, _ anchor: Record) -> SQLFragment {
    let text = FieldValue.text(value.text(of: anchor))
    // A row in which the column is not true has no such moment, whatever its past versions are.
    guard case .turnedTrue(let column) = value, anchor.values[column] != .bool(false) else {
      return SQLFragment("?", [text])
    }
    return SQLFragment(
      "coalesce((\(RowValue.turn(of: column, "?", "?"))), ?)", [.text(anchor.id.text), .text(shape.table), text])
  }

  private func whereClause(_ parts: [SQLFragment?]) -> SQLFragment {
    let parts = parts.compactMap(\.self)
    guard !parts.isEmpty else { return SQLFragment("") }
    let condition = SQLFragment.joined(parts, by: " AND ")
    return SQLFragment(" WHERE " + condition.sql, condition.arguments)
  }
}

extension RowCondition {
  func sql(_ shape: TableShape) throws -> SQLFragment {
    switch self {
    case .matches(let filter):
      return try FilterSQL(.sqlite, nulls: .sql, column: shape.sqlColumn).condition(filter)
    case .fits(let column, let pattern):
      return SQLFragment(
        "\(MatchFunction.name)(\(column.quotedDatabaseIdentifier), ?, ?)",
        [.text(pattern.word), .integer(Int64(pattern.fit.rawValue))])
    case .compare(let value, let relation, let text):
      // As ranges, so that the index of an order serves them. Missing values lie on one side of all others.
      let sql = value.sql(in: shape.table)
      let isTowardsMissing = relation == (value.missing == "" ? .less : .greater)
      let present = isTowardsMissing ? value.presence(of: sql).map { " AND \($0)" } ?? "" : ""
      return SQLFragment("(\(sql) \(relation.rawValue) ?\(present))", [.text(text)])
    case .has(let value):
      return SQLFragment(value.presence(of: value.sql(in: shape.table)).map { "(\($0))" } ?? "1")
    case .arrived:
      return SQLFragment(
        "id IN (SELECT itemId FROM Ebb_Arrivals WHERE \"table\" = ?)", [.text(shape.table)])
    case .isPending:
      return SQLFragment(
        "id IN (SELECT itemId FROM MS_TableOperations WHERE \"table\" = ?)", [.text(shape.table)])
    case .not(let condition):
      let part = try condition.sql(shape)
      return SQLFragment("(NOT coalesce(\(part.sql), 0))", part.arguments)
    case .all(let conditions):
      let parts = try conditions.map { try $0.sql(shape) }
      guard !parts.isEmpty else { return SQLFragment("1") }
      return SQLFragment.joined(parts, by: " AND ")
    case .any(let conditions):
      let parts = try conditions.map { try $0.sql(shape) }
      guard !parts.isEmpty else { return SQLFragment("0") }
      let either = SQLFragment.joined(parts.map { SQLFragment("(\($0.sql))", $0.arguments) }, by: " OR ")
      return SQLFragment("(\(either.sql))", either.arguments)
    }
  }
}

extension RowValue {
  /// The value in SQL, never null. Only functions that every SQLite has, and no `?`: an index is made of it, and a
  /// table with an index on a function of ours could not be written to by any other tool.
  func sql(in table: String) -> String {
    switch self {
    case .column(let name): name.quotedDatabaseIdentifier
    case .caseless(let name): "\(name.quotedDatabaseIdentifier) COLLATE NOCASE"
    case .optional(let name): "coalesce(\(name.quotedDatabaseIdentifier), \(Self.absent.quoted))"
    case .capital(let name, let before, let after):
      Self.capital(name.quotedDatabaseIdentifier, between: before, and: after)
    case .date(let name, let mark): Self.date(name.quotedDatabaseIdentifier, mark)
    case .word(let name, let sign): Self.word(name.quotedDatabaseIdentifier, sign)
    case .turnedTrue(let name): Self.turn(of: name, in: table)
    }
  }

  /// Whether a row has the value, as a range of its SQL; nil if every row has it.
  func presence(of sql: String) -> String? {
    missing.map { $0.isEmpty ? "\(sql) > ''" : "\(sql) < \($0.quoted)" }
  }

  private static func turn(of column: String, in table: String) -> String {
    let moment = turn(of: column, "\(table.quotedDatabaseIdentifier).id", table.quoted)
    return "CASE WHEN \(column.quotedDatabaseIdentifier) THEN coalesce((\(moment)), '') ELSE '' END"
  }

  /// ``PastVersion/turn(of:in:)`` of the row of this id; empty where that is nil, and no row if no version is kept in
  /// which the column is not true. A record writes a column as `"complete":true`, and a quote in a text as `\"`: so a
  /// text never has the same.
  static func turn(of column: String, _ id: String, _ table: String) -> String {
    let isTrue = "\"\(column)\":true".quoted
    let next =
      "SELECT 1 FROM Ebb_Versions AS next WHERE next.itemId = past.itemId AND next.\"table\" = past.\"table\" "
      + "AND next.number = past.number + 1 AND next.record IS NULL"
    return "SELECT CASE WHEN EXISTS (\(next)) THEN '' ELSE coalesce(past.changedAt, '') END FROM Ebb_Versions AS past "
      + "WHERE past.itemId = \(id) AND past.\"table\" = \(table) AND past.record IS NOT NULL "
      + "AND instr(CAST(past.record AS TEXT), \(isTrue)) = 0 ORDER BY past.number DESC LIMIT 1"
  }

  /// Each space is doubled first, so that signs that stand alone can all be taken away at once.
  private static func word(_ column: String, _ sign: String) -> String {
    let line = "substr(\(column), 1, instr(\(column) || char(10), char(10)) - 1)"
    let words = "replace(' ' || replace(\(line), ' ', '  ') || ' ', \(" \(sign) ".quoted), '  ')"
    let place = "instr(\(words), \((" " + sign).quoted))"
    let rest = "substr(\(words), \(place) + 1)"
    return "CASE WHEN instr(\(column), \(sign.quoted)) = 0 THEN \(absent.quoted) "
      + "WHEN \(place) = 0 THEN \(absent.quoted) ELSE substr(\(rest), 1, instr(\(rest), ' ') - 1) END"
  }

  private static func capital(_ column: String, between before: String, and after: String) -> String {
    "CASE WHEN \(column) GLOB \((before.glob + "[A-Z]" + after.glob + "*").quoted) "
      + "THEN substr(\(column), \(before.unicodeScalars.count + 1), 1) ELSE \(absent.quoted) END"
  }

  /// A text is a date if `date(value, '+0 days')` returns it unchanged. Tested last: `date` of other words is the
  /// present, which an index must not hold. The characters after the date are compared together with it: this runs for
  /// each row that is written, and a list of three for `IN` would be a table of its own each time.
  private static func date(_ column: String, _ mark: String) -> String {
    let place = "instr(' ' || \(column), \((" " + mark).quoted))"
    let start = "\(place) + \(mark.unicodeScalars.count)"
    let value = "substr(\(column), \(start), 10)"
    let form = "'[0-9][0-9][0-9][0-9]-[0-1][0-9]-[0-3][0-9][ \n]*'"
    return "CASE WHEN instr(\(column), \(mark.quoted)) = 0 THEN \(absent.quoted) "
      + "WHEN \(place) = 0 THEN \(absent.quoted) "
      + "WHEN substr(\(column), \(start), 11) || ' ' NOT GLOB \(form) THEN \(absent.quoted) "
      + "WHEN instr(substr(\(column), 1, \(place)), '\n') > 0 THEN \(absent.quoted) "
      + "WHEN date(\(value), '+0 days') IS \(value) THEN \(value) ELSE \(absent.quoted) END"
  }
}

extension String {
  fileprivate var quoted: String { "'" + (utf8.contains(UInt8(ascii: "'")) ? replacing("'", with: "''") : self) + "'" }

  /// The text as a pattern that only it matches.
  fileprivate var glob: String {
    String(flatMap { "*?[".contains($0) ? "[\($0)]" : "\($0)" })
  }
}

/// The SQL of ``TableSQL`` as statements of the library.
extension Database {
  func cachedStatement(_ fragment: SQLFragment) throws -> Statement {
    try cachedStatement(sql: SQLiteDialect.sqlite.statement(fragment))
  }
}
