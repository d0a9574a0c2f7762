import GRDB
import TableProtocol
import TableSQL

/// A column that clients read and write.
struct TableColumn: Hashable, Sendable {
  enum Kind: String, Hashable, Sendable {
    case text = "TEXT"
    case bool = "BOOLEAN"
    case number = "NUMERIC"
  }

  let name: String
  let kind: Kind

  /// What a client means that leaves the column out of a whole item: some leave out `false`
  /// (wire 5).
  var absentValue: FieldValue { kind == .bool ? .bool(false) : .null }
}

/// The columns of a table as they are now: clients may add some (wire 1, policy "store").
struct TableSchema: Sendable {
  /// More than any to-do list has; a limit because anybody may add one.
  static let mostColumns = 100

  let table: ServedTable
  /// The clients' columns in the order they came to be.
  private(set) var columns: [TableColumn]

  init(of table: ServedTable, in database: Database) throws {
    self.table = table
    let statement = try database.cachedStatement(sql: "SELECT name, type FROM pragma_table_info(?)")
    columns = try Row.fetchAll(statement, arguments: [table.name]).compactMap { row in
      let name: String = row[0]
      guard !SystemColumn.contains(name), name != RowDigest.column else { return nil }
      return TableColumn(name: name, kind: TableColumn.Kind(rawValue: row[1]) ?? .text)
    }
  }

  /// The column of that name, exactly or else without regard to the case of ASCII letters, as
  /// SQLite and the servers of protocol 3.0.0 see names.
  func column(_ name: String) -> TableColumn? {
    index(of: name).map { columns[$0] }
  }

  /// The place of ``column(_:)``.
  func index(of name: String) -> Int? {
    columns.firstIndex { $0.name == name } ?? columns.firstIndex { $0.name.lowercased() == name.lowercased() }
  }

  /// Where a condition finds a column.
  func sqlColumn(_ name: String) -> SQLColumn? {
    switch name.lowercased() {
    case "createdat": return SQLColumn("createdAt", .milliseconds)
    case "updatedat": return SQLColumn("updatedAt", .milliseconds)
    case "deleted": return SQLColumn("deleted", .bool)
    case "id": return SQLColumn("id", .text)
    case "version": return SQLColumn("version", .text)
    default: break
    }
    return column(name).map { column in
      let name = SQLiteDialect.sqlite.quoted(column.name)
      return switch column.kind {
      case .text: SQLColumn(name, .text)
      case .bool: SQLColumn(name, .bool)
      case .number: SQLColumn(name, .number)
      }
    }
  }

  /// Adds a column for a value that has no place yet.
  mutating func add(_ column: TableColumn, in database: Database) throws {
    try database.execute(sql: "ALTER TABLE \"\(table.name)\" ADD COLUMN \"\(column.name)\" \(column.kind.rawValue)")
    columns.append(column)
  }
}

/// A table that clients may use.
struct ServedTable: Hashable, Sendable {
  let name: String

  private static let names = ["TodoItem"]
  static var all: [ServedTable] { names.compactMap(ServedTable.init(named:)) }

  /// Names match without regard to case, since clients derive them from class names in either case
  /// (wire 2).
  init?(named name: String) {
    let known = Self.names.first { $0 == name } ?? Self.names.first { $0.lowercased() == name.lowercased() }
    guard let known else { return nil }
    self.name = known
  }
}

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
