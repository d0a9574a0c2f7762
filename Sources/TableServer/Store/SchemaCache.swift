/// The tables as one transaction knows them: their columns are asked once, not once for every row. What
/// is undone makes it wrong; then a new one begins.
struct SchemaCache {
  private var tables: [ServedTable: StoredTable] = [:]

  /// Lets `body` use the table's columns and add to them.
  mutating func with<Value>(
    _ table: ServedTable, in transaction: WriteTransaction, _ body: (inout RowWriter) throws -> Value
  ) throws -> Value {
    let stored = try tables[table] ?? StoredTable(TableSchema(of: table, in: transaction.database))
    var writer = RowWriter(table: stored, transaction: transaction)
    let value = try body(&writer)
    if tables[table]?.schema.columns.count != writer.table.schema.columns.count { tables[table] = writer.table }
    return value
  }
}
