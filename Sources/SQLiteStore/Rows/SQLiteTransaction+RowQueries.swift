import GRDB
import OfflineSync
import TableProtocol
import TableSQL

extension SQLiteTransaction {
  func forEach(_ query: RowQuery, _ body: (Record) throws -> Void) throws {
    let shape = try shape(query.table)
    var left = query.limit ?? .max
    for run in try RowSQL(query, shape: shape).runs where left > 0 {
      try forEachRow(run, [left]) { row in
        left -= 1
        try body(shape.record(row))
      }
    }
  }

  func forEachText(of column: String, _ query: RowQuery, _ body: (String) throws -> Void) throws {
    let texts = try RowSQL(query, shape: try shape(query.table)).texts(of: column)
    try forEachRow(texts) { row in
      if let text = row.text(0) { try body(text) }
    }
  }

  func count(_ query: RowQuery) throws -> Int {
    try RowSQL(query, shape: try shape(query.table)).counts.reduce(0) { sum, count in
      let statement = try database.cachedStatement(count)
      return sum + (try Int.fetchOne(statement, arguments: count.statementArguments) ?? 0)
    }
  }

  func isPrepared(_ index: RowIndex) throws -> Bool {
    let statement = try database.cachedStatement(
      sql: "SELECT sql FROM sqlite_schema WHERE type = 'index' AND name = ?")
    return try String.fetchOne(statement, arguments: [index.name]) == index.sql
  }

  /// An index of this name that another version of the program made otherwise is made anew.
  func prepare(_ index: RowIndex) throws {
    guard try !isPrepared(index) else { return }
    try database.execute(sql: "DROP INDEX IF EXISTS \(index.name.quotedDatabaseIdentifier)")
    try database.execute(sql: index.sql)
  }
}

extension RowIndex {
  /// As the database keeps it.
  var sql: String {
    let keys = order.map { $0.value.sql + ($0.ascending ? "" : " DESC") }
    return "CREATE INDEX \(name.quotedDatabaseIdentifier) ON \(table.quotedDatabaseIdentifier) "
      + "(\((alike.map(\.quotedDatabaseIdentifier) + keys).joined(separator: ", ")))"
  }
}
