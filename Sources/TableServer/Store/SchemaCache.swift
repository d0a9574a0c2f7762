/// The columns of the tables as one transaction knows them: asked once, not once for every row. What is
/// undone makes it wrong; then a new one begins.
struct SchemaCache {
  private var schemas: [ServedTable: TableSchema] = [:]

  /// Lets `body` use the table's columns and add to them.
  mutating func with<Value>(
    _ table: ServedTable, in transaction: WriteTransaction, _ body: (inout RowWriter) throws -> Value
  ) throws -> Value {
    let schema = try schemas[table] ?? TableSchema(of: table, in: transaction.database)
    var writer = RowWriter(schema: schema, transaction: transaction)
    let value = try body(&writer)
    schemas[table] = writer.schema
    return value
  }
}
