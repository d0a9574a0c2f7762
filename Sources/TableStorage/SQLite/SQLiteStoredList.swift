import GRDB
import SQLiteStatements
import TableProtocol
import TableSQL

/// A list as a connection to the database sees it, inside one transaction.
class SQLiteStoredList: StoredList {
  let place: ListPlace
  var id: ListID { place.list }
  let database: Database
  private var columns: SelectedColumns
  var schema: TableSchema {
    get { columns.schema }
    set { columns = SelectedColumns(newValue, of: place) }
  }
  private let watch: StatementWatch
  /// Nil for a connection that may take its time.
  private let queries: MetQueries?
  private var isBrief: Bool { queries != nil }
  private let longestReading: Duration
  /// The rest of it for this request: a batch may ask a thousand times, and holds up all writers meanwhile.
  private var timeLeft: Duration
  /// A query was not done within the time.
  private(set) var ranOutOfTime = false

  /// All queries of one request together must be done within `longestReading`.
  /// `columns` are those of the place, if they are known. With `queries` reads are brief, and the connection keeps
  /// their statements.
  init(
    _ place: ListPlace, _ database: Database, _ watch: StatementWatch, longestReading: Duration,
    columns: SelectedColumns? = nil, queries: MetQueries? = nil
  ) throws {
    self.queries = queries
    self.place = place
    self.database = database
    self.watch = watch
    self.longestReading = longestReading
    timeLeft = longestReading
    self.columns = try columns ?? SelectedColumns(TableSchema(of: place, in: database), of: place)
  }

  var isNew: Bool { false }

  func wereTokensGiven() throws -> Bool { try SQLiteFailure.named { try StoredGrants.exist(in: database) } }

  func isOwnerAdmitted() throws -> Bool {
    try SQLiteFailure.named { try StoredGrants.isAdmitted(id.owner, in: database) }
  }

  func state() throws -> ListState {
    try SQLiteFailure.named { try StoredState.read(place, in: database) }
  }

  func row(_ id: RecordID) throws -> TableProtocol.Record? {
    do {
      return try SQLiteFailure.named {
        var found: Record?
        try database.forEach(columns.selectOne, [id.text]) { row in
          found = try listed(row).record(schema.columns)
          return false
        }
        return found
      }
    } catch StorageError.valueTooLarge {
      throw StorageError.damagedRow(id: id, column: columnTooLarge(of: id))
    }
  }

  /// The first column of the row whose value is larger than the server reads.
  private func columnTooLarge(of id: RecordID) -> String {
    let names = schema.columns.map(\.name)
    let large = names.first { name in
      let sql = "SELECT \(SQLiteDialect.sqlite.quoted(name)) FROM \(table) WHERE id = ?"
      return (try? database.forEach(sql, [id.text], isKept: false) { _ in false }) == nil
    }
    return large ?? SystemColumn.version
  }

  func forEachRow(of query: ListQuery, _ body: (ListedRow) throws -> Bool) throws {
    try limited {
      let start = try schema.start(of: query)
      let condition = try schema.condition(of: query)
      let order = try schema.order(of: query)
      // SQLite enters an index by the first bound it meets: the place goes before a filter's.
      let text = """
        \(columns.select)
        WHERE \(start.sql) AND \(condition.sql) ORDER BY \(order) LIMIT ? OFFSET ?
        """
      let values = start.databaseValues + condition.databaseValues + [query.limit, query.skip]
      do {
        try ask(text, values) { try body(listed($0)) }
      } catch let error as DatabaseError where error.resultCode == .SQLITE_TOOBIG && query.filter == nil {
        // No condition makes a text here, so that it is one that is stored.
        throw StorageError.failed("a stored value is larger than the server reads")
      }
    }
  }

  func count(of query: ListQuery) throws -> Int {
    try limited {
      let condition = try schema.condition(of: query)
      var count = 0
      let text = "SELECT count(*) FROM \(table) WHERE \(condition.sql)"
      try ask(text, condition.databaseValues) { row in
        count = Int(row.integer(0) ?? 0)
        return false
      }
      return count
    }
  }

  private func limited<Value>(_ body: () throws -> Value) throws -> Value {
    let start = ContinuousClock.now
    defer { timeLeft -= start.duration(to: .now) }
    do {
      // Many short queries take long too: none of them is asked how long it takes.
      guard timeLeft > .zero else { throw StorageError.tooSlow }
      return try watch.within(timeLeft) { try SQLiteFailure.named(body) }
    } catch StorageError.tooSlow {
      ranOutOfTime = true
      throw StorageError.tooSlow
    }
  }

  /// Another request goes on with the list.
  func renewTime() { timeLeft = longestReading }

  /// How deep a condition may be nested only the parser of SQLite knows; nothing else in these statements can be wrong.
  private func ask(
    _ text: String, _ values: [any DatabaseValueConvertible], _ body: (SQLiteRow) throws -> Bool
  ) throws {
    let statement: Statement
    do {
      queries?.note(text)
      statement = try isBrief ? database.cachedStatement(sql: text) : database.makeStatement(sql: text)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
      throw QueryError.tooComplex
    }
    try statement.forEach(values, body)
  }

  /// Looks at every row, in as much time as it takes: nothing for a connection whose reads have to be brief.
  func check() throws -> ListCheck {
    guard !isBrief else {
      ranOutOfTime = true
      throw StorageError.tooSlow
    }
    return try SQLiteFailure.named { try RowCheck(of: place, schema, in: database).list }
  }
}

/// The statements, and the rows they give: the id, the clients' columns, then the server's own.
extension SQLiteStoredList {
  var table: String { SQLiteDialect.sqlite.quoted(place.table) }

  private func listed(_ row: SQLiteRow) throws(StorageError) -> ListedRow {
    guard let id = row.text(0) else { throw .damagedRow(id: nil, column: SystemColumn.id) }
    func checked<Value>(_ value: Value?, _ column: String) throws(StorageError) -> Value {
      guard let value else { throw .damagedRow(id: RecordID(id), column: column) }
      return value
    }
    var values: [FieldValue] = []
    values.reserveCapacity(schema.columns.count)
    for (index, column) in schema.columns.enumerated() {
      values.append(try checked(row.value(column.kind, Int32(index + 1)), column.name))
    }
    let system = Int32(schema.columns.count + 1)
    return ListedRow(
      id: RecordID(id), values: values,
      createdAt: try checked(row.moment(system), SystemColumn.createdAt),
      updatedAt: try checked(row.moment(system + 1), SystemColumn.updatedAt),
      version: try checked(row.text(system + 2).map(RecordVersion.init), SystemColumn.version),
      deleted: try checked(row.integer(system + 3), SystemColumn.deleted) != 0)
  }
}

/// The columns of a table, and how statements ask for them. Made once for all reads of a connection: to put a statement
/// together takes longer than to find a row.
struct SelectedColumns: Sendable {
  let schema: TableSchema
  /// Without a condition.
  let select: String
  /// Of the row whose id is the value.
  let selectOne: String

  init(_ schema: TableSchema, of place: ListPlace) {
    self.schema = schema
    let system = [SystemColumn.createdAt, SystemColumn.updatedAt, SystemColumn.version, SystemColumn.deleted]
    let columns = ([SystemColumn.id] + schema.columns.map(\.name) + system).map(SQLiteDialect.sqlite.quoted)
    select = "SELECT \(columns.joined(separator: ", ")) FROM \(SQLiteDialect.sqlite.quoted(place.table))"
    selectOne = "\(select) WHERE id = ?"
  }
}

/// The columns of a table as the database knows them.
extension TableSchema {
  init(of place: ListPlace, in database: Database) throws {
    var columns: [TableColumn] = []
    try database.forEach("SELECT name, type FROM pragma_table_info(?)", [place.table]) { row in
      let name = row.text(0) ?? ""
      if !SystemColumn.contains(name), name != RowDigest.column {
        columns.append(TableColumn(name: name, kind: TableColumn.Kind(type: row.text(1) ?? "")))
      }
      return true
    }
    self.init(columns: columns)
  }

  private var sql: QuerySQL { QuerySQL(.sqlite, nulls: .sql, column: sqlColumn) }

  func start(of query: ListQuery) throws(QueryError) -> SQLFragment {
    guard let place = query.place else { return SQLFragment("1") }
    return try sql.rows(after: place, in: query.order)
  }

  func condition(of query: ListQuery) throws(QueryError) -> SQLFragment {
    var parts = query.includesDeleted ? [] : [SQLFragment("deleted = 0")]
    if let filter = query.filter {
      parts.append(try FilterSQL(.sqlite, nulls: query.nulls, column: sqlColumn).condition(filter))
    }
    return parts.isEmpty ? SQLFragment("1") : SQLFragment.joined(parts, by: " AND ")
  }

  func order(of query: ListQuery) throws(QueryError) -> String { try sql.order(query.order) }

  /// Where a condition finds a column.
  private func sqlColumn(_ name: String) -> SQLColumn? {
    guard let name = propertyName(name) else { return nil }
    switch name {
    case SystemColumn.createdAt, SystemColumn.updatedAt: return SQLColumn(name, .milliseconds)
    case SystemColumn.deleted: return SQLColumn(name, .bool)
    case SystemColumn.id, SystemColumn.version: return SQLColumn(name, .text)
    default: break
    }
    return index(of: name).map { index in
      let expression = SQLiteDialect.sqlite.quoted(name)
      return switch columns[index].kind {
      case .text: SQLColumn(expression, .text)
      case .bool: SQLColumn(expression, .bool)
      case .number: SQLColumn(expression, .number)
      }
    }
  }
}

extension TableColumn.Kind {
  /// The type that the column is made with, by which its kind is remembered.
  var type: String {
    switch self {
    case .text: "TEXT"
    case .bool: "BOOLEAN"
    case .number: "NUMERIC"
    }
  }

  /// Somebody may have added the column by hand, with another type than ``type``.
  init(type: String) {
    switch type.uppercased() {
    case "TEXT": self = .text
    case "BOOLEAN": self = .bool
    case "NUMERIC": self = .number
    case let other: self = Self.isForNumbers(other) ? .number : .text
    }
  }

  /// By the words that SQLite finds in a type, in its order (Datatypes in SQLite, 3.1). It keeps numbers in columns of
  /// most other types too, but those are types such as DATE, whose values are mostly texts. `type` is in capitals.
  private static func isForNumbers(_ type: String) -> Bool {
    func has(_ words: [String]) -> Bool { words.contains { type.contains($0) } }
    if has(["INT"]) { return true }
    return !has(["CHAR", "CLOB", "TEXT", "BLOB"]) && has(["REAL", "FLOA", "DOUB", "NUMERIC", "DECIMAL"])
  }
}

/// A list that has no table yet: empty, with the columns that its table begins with.
final class UnwrittenList: StoredList {
  let id: ListID
  private let database: Database

  init(_ id: ListID, _ database: Database) {
    self.id = id
    self.database = database
  }

  var schema: TableSchema { TableSchema(columns: id.table.firstColumns) }
  var isNew: Bool { true }

  func wereTokensGiven() throws -> Bool { try SQLiteFailure.named { try StoredGrants.exist(in: database) } }

  func isOwnerAdmitted() throws -> Bool {
    try SQLiteFailure.named { try StoredGrants.isAdmitted(id.owner, in: database) }
  }

  func state() throws -> ListState {
    ListState(
      lastMoment: .epoch, digest: TableDigest(),
      epoch: try SQLiteFailure.named { try StoredState.epoch(in: database) })
  }

  func row(_ id: RecordID) -> TableProtocol.Record? { nil }

  /// No row, but whatever is wrong with the query is as wrong as anywhere.
  func forEachRow(of query: ListQuery, _ body: (ListedRow) throws -> Bool) throws {
    _ = (try schema.start(of: query), try schema.condition(of: query), try schema.order(of: query))
  }

  func count(of query: ListQuery) throws -> Int {
    _ = try schema.condition(of: query)
    return 0
  }

  func check() -> ListCheck { ListCheck(id, stored: TableDigest()) }
}

/// GRDB has a `Record` too; here it is always the one of the wire.
private typealias Record = TableProtocol.Record
