import FoundationEssentials
import GRDB
import SQLiteStatements
import TableProtocol
import TableSQL

/// The columns of a data table, as the database declares them. The type of a value follows the column it
/// is in, never its content (sync-rules Q24).
struct TableShape {
  struct Column {
    let name: String
    let isBoolean: Bool
    let isNumber: Bool
    /// The default of a column that can't be null. It replaces null too.
    let fallback: DatabaseValue?
  }

  let table: String
  let quotedTable: String
  /// The user's columns.
  let columns: [Column]
  /// All of them, quoted: the system columns first, then the user's, in the order of `columns`.
  private let names: [String]
  /// The names as a list.
  let selection: String
  /// SQLite's own number of a row, by a name that is no column's.
  let place: String

  /// Throws a `DatabaseError` when there is no such table.
  init(_ table: String, in transaction: SQLiteTransaction) throws {
    var columns: [Column] = []
    var exists = false
    try transaction.forEachRow("PRAGMA table_info(\(table.quotedDatabaseIdentifier))") { row in
      exists = true
      let name = row.text(1) ?? ""
      if SystemColumn.contains(name) { return }
      columns.append(
        Column(name, type: row.text(2) ?? "", isNotNull: row.bool(3), defaultValue: row.text(4) ?? ""))
    }
    guard exists else { throw DatabaseError(resultCode: .SQLITE_ERROR, message: "no such table: \(table)") }
    self.init(table, columns)
  }

  private init(_ table: String, _ columns: [Column]) {
    self.table = table
    self.columns = columns
    quotedTable = table.quotedDatabaseIdentifier
    names = ["id", "createdAt", "updatedAt", "version", "deleted"] + columns.map(\.name.quotedDatabaseIdentifier)
    selection = names.joined(separator: ", ")
    let taken = Set(columns.map { $0.name.lowercased() })
    place = ["rowid", "_rowid_", "oid"].first { !taken.contains($0) } ?? "rowid"
  }

  /// Only these of the user's columns; all of them when none is named. Throws `QueryError` for a
  /// name the table has not.
  func narrowed(to names: [String]) throws -> TableShape {
    guard !names.isEmpty else { return self }
    if let unknown = names.first(where: { sqlColumn($0) == nil }) { throw QueryError.unknownColumn(unknown) }
    return TableShape(table, columns.filter { names.contains($0.name) })
  }

  /// These of the user's columns, in this order. Throws `QueryError` for a name the table has not.
  func columns(named names: [String]) throws -> [Column] {
    try names.map { name in
      guard let column = columns.first(where: { $0.name == name }) else { throw QueryError.unknownColumn(name) }
      return column
    }
  }

  /// Returns the values to store, in the order of `names`; nil for a column that keeps its value.
  func stored(_ record: Record) -> [DatabaseValue?] {
    var values: [DatabaseValue?] = [
      record.id.text.databaseValue, record.system.createdAt?.text.databaseValue,
      record.system.updatedAt?.text.databaseValue, record.system.version?.text.databaseValue,
      record.system.deleted.databaseValue,
    ]
    values.reserveCapacity(names.count)
    for column in columns { values.append(record.values[column.name].map(column.stored)) }
    return values
  }

  private func names(_ given: [Bool]) -> [String] { zip(names, given).filter(\.1).map(\.0) }

  /// Names only the columns that are given, so that the others keep what they hold.
  func upsert(_ given: [Bool]) -> String {
    let names = names(given)
    let marks = Array(repeating: "?", count: names.count).joined(separator: ", ")
    let changes = names.dropFirst().map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
    return "INSERT INTO \(quotedTable) (\(names.joined(separator: ", "))) VALUES (\(marks)) "
      + "ON CONFLICT (id) DO UPDATE SET \(changes)"
  }

  /// Changes a row that is there, with the same values in the same order.
  func update(_ given: [Bool]) -> String { update(given, where: "id = ?1") }

  /// The same, with the place as a further value, where the row lay when it was read. The id is compared and not looked
  /// up.
  func updateAtPlace(_ given: [Bool]) -> String {
    update(given, where: "\(place) = ?\(names(given).count + 1) AND +id = ?1")
  }

  private func update(_ given: [Bool], where condition: String) -> String {
    let changes = zip(2..., names(given).dropFirst()).map { "\($1) = ?\($0)" }.joined(separator: ", ")
    return "UPDATE \(quotedTable) SET \(changes) WHERE \(condition)"
  }

  func record(_ row: StatementRow) -> Record {
    var record = Record(id: row.id(0))
    record.system.createdAt = row.timestamp(1)
    record.system.updatedAt = row.timestamp(2)
    record.system.version = row.text(3).map(RecordVersion.init)
    record.system.deleted = row.bool(4)
    record.values.reserveCapacity(columns.count)
    for (index, column) in columns.enumerated() {
      record.values[column.name] = row.value(index + 5, isBoolean: column.isBoolean)
    }
    return record
  }
}

extension TableShape.Column {
  /// `defaultValue` is as SQL writes it.
  fileprivate init(_ name: String, type: String, isNotNull: Bool, defaultValue: String) {
    let type = type.uppercased()
    self.name = name
    isBoolean = type == "BOOLEAN"
    isNumber = type == "INTEGER" || type == "REAL"
    let value = isBoolean ? (defaultValue == "1" ? 1 : 0).databaseValue : Self.text(ofSQL: defaultValue).databaseValue
    fallback = isNotNull ? value : nil
  }

  /// Empty for anything but a text.
  private static func text(ofSQL literal: String) -> String {
    guard literal.utf8.count > 2, literal.hasPrefix("'"), literal.hasSuffix("'") else { return "" }
    return String(literal.dropFirst().dropLast()).replacing("''", with: "'")
  }

  func stored(_ value: FieldValue) -> DatabaseValue {
    let stored = value.databaseValue
    return stored.isNull ? fallback ?? .null : stored
  }
}

extension TableShape {
  /// Returns the SQL name and the type of a column of a query; nil if the table lacks it.
  func sqlColumn(_ name: String) -> SQLColumn? {
    switch name {
    case SystemColumn.id, SystemColumn.version:
      SQLColumn(name.quotedDatabaseIdentifier, .text)
    case SystemColumn.createdAt, SystemColumn.updatedAt:
      SQLColumn(name.quotedDatabaseIdentifier, .timestampText)
    case SystemColumn.deleted:
      SQLColumn(name.quotedDatabaseIdentifier, .bool)
    default:
      columns.first { $0.name == name }.map {
        SQLColumn(name.quotedDatabaseIdentifier, $0.isBoolean ? .bool : $0.isNumber ? .number : .text)
      }
    }
  }
}
