import GRDB
import SQLiteStatements
import TableProtocol
import TableSQL

/// Decides which of some rows match a filter, by asking SQLite: a table in memory has them for the moment.
///
/// For a storage over another database, which does not say the same of every condition. So all of them give the same
/// answers, and there is one meaning of a filter.
final class ConditionTable {
  private static let place = "row-place"

  private let queue: DatabaseQueue
  private let watch = StatementWatch()
  private let schema: TableSchema
  private let insert: String
  private let select: String
  private let values: [any DatabaseValueConvertible]

  /// Throws `QueryError` for a filter that can't be asked.
  init(_ filter: Filter, nulls: FilterSQL.NullRule, _ schema: TableSchema) throws {
    self.schema = schema
    let condition = try schema.condition(
      of: ListQuery(filter: filter, nulls: nulls, limit: 0, includesDeleted: true))
    values = condition.databaseValues
    select = "SELECT \"\(Self.place)\" FROM rows WHERE \(condition.sql)"
    let own = [
      (SystemColumn.id, "TEXT"), (SystemColumn.createdAt, "INTEGER"), (SystemColumn.updatedAt, "INTEGER"),
      (SystemColumn.version, "TEXT"), (SystemColumn.deleted, "BOOLEAN"), (Self.place, "INTEGER"),
    ]
    let columns = own + schema.columns.map { ($0.name, $0.kind.type) }
    let marks = columns.map { _ in "?" }.joined(separator: ", ")
    insert = "INSERT INTO rows VALUES (\(marks))"
    var configuration = Configuration()
    configuration.prepareDatabase { [watch] database in watch.install(on: database) }
    queue = try DatabaseQueue(configuration: configuration)
    let definition = columns.map { "\(SQLiteDialect.sqlite.quoted($0.0)) \($0.1)" }.joined(separator: ", ")
    try queue.write { try $0.execute(sql: "CREATE TABLE rows (\(definition))") }
  }

  /// The places of the rows that match, in their order. All of it must be done within the time.
  func places(of rows: [ListedRow], within time: Duration) throws -> [Int] {
    try queue.inDatabase { database in
      try watch.within(time) {
        try SQLiteFailure.named {
          try database.execute(sql: "DELETE FROM rows")
          let statement = try database.cachedStatement(sql: insert)
          for (place, row) in rows.enumerated() { try statement.run(values(of: row, place)) }
          return try matching(in: database)
        }
      }
    }
  }

  private func values(of row: ListedRow, _ place: Int) -> [DatabaseValue] {
    let own = [
      row.id.text.databaseValue, row.createdAt.milliseconds.databaseValue, row.updatedAt.milliseconds.databaseValue,
      row.version.text.databaseValue, row.deleted.databaseValue, place.databaseValue,
    ]
    return own + row.values.map(\.databaseValue)
  }

  private func matching(in database: Database) throws -> [Int] {
    let statement: Statement
    do {
      statement = try database.cachedStatement(sql: select)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
      throw QueryError.tooComplex
    }
    var places: [Int] = []
    try statement.forEach(values) { row in
      if let place = row.integer(0) { places.append(Int(place)) }
      return true
    }
    return places.sorted()
  }
}
