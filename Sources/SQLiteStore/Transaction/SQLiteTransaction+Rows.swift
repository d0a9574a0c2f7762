import GRDB
import OfflineSync
import TableProtocol

extension SQLiteTransaction {
  func record(_ id: String, in table: String) throws -> Record? {
    let shape = try TableShape(table, in: database)
    let statement = try database.cachedStatement(
      sql: "SELECT \(shape.selection) FROM \(shape.quotedTable) WHERE id = ?")
    return try Row.fetchOne(statement, arguments: [id]).map(shape.record)
  }

  func records(_ query: TableQuery) throws -> (records: [Record], totalCount: Int?) {
    let shape = try TableShape(query.table, in: database)
    let wanted = try shape.narrowed(to: query.select)
    let selection = try StoreQuery(query, shape: shape, wanted: wanted).rows
    let statement = try database.cachedStatement(sql: selection.sql)
    let rows = try Row.fetchCursor(statement, arguments: selection.statementArguments)
    var records: [Record] = []
    while let row = try rows.next() {
      records.append(wanted.record(row))
    }
    return (records, query.includesTotalCount ? try count(query) : nil)
  }

  func ids(beginning prefix: String, in table: String) throws -> [String] {
    let statement = try database.cachedStatement(
      sql: "SELECT id FROM \(table.quotedDatabaseIdentifier) WHERE id >= ? AND id < ? ORDER BY id")
    return try String.fetchAll(statement, arguments: [prefix, prefix + "\u{10FFFF}"])
  }

  func count(_ query: TableQuery) throws -> Int {
    let shape = try TableShape(query.table, in: database)
    let count = try StoreQuery(query, shape: shape, wanted: shape).count
    return try Int.fetchOne(database.cachedStatement(sql: count.sql), arguments: count.statementArguments) ?? 0
  }

  func upsert(_ records: [Record], in table: String) throws {
    let shape = try TableShape(table, in: database)
    for record in records {
      try upsert(record, shape)
    }
  }

  /// Names only the columns the record has, so that the others keep what they hold.
  private func upsert(_ record: Record, _ shape: TableShape) throws {
    var names = ["id"]
    var values = [record.id.databaseValue]
    func add(_ name: String, _ value: DatabaseValue?) {
      guard let value else { return }
      names.append(name.quotedDatabaseIdentifier)
      values.append(value)
    }
    add(SystemColumn.createdAt, record.system.createdAt?.text.databaseValue)
    add(SystemColumn.updatedAt, record.system.updatedAt?.text.databaseValue)
    add(SystemColumn.version, record.system.version?.text.databaseValue)
    add(SystemColumn.deleted, record.system.deleted.databaseValue)
    for column in shape.columns {
      add(column.name, record.values[column.name].map(column.stored))
    }
    let marks = Array(repeating: "?", count: names.count).joined(separator: ", ")
    let changes = names.dropFirst().map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
    let insertion = "INSERT INTO \(shape.quotedTable) (\(names.joined(separator: ", "))) VALUES (\(marks))"
    try database.cachedStatement(sql: "\(insertion) ON CONFLICT (id) DO UPDATE SET \(changes)")
      .execute(arguments: StatementArguments(values))
  }

  func remove(_ ids: [String], from table: String) throws {
    let statement = try database.cachedStatement(
      sql: "DELETE FROM \(table.quotedDatabaseIdentifier) WHERE id = ?")
    for id in ids {
      try statement.execute(arguments: [id])
    }
  }
}
