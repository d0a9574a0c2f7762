import GRDB
import HTTPTypes
import TableProtocol
import TableSQL

/// Reads one page of rows and writes it as it comes.
struct ListPage {
  let schema: TableSchema
  let options: ListOptions
  let version: ProtocolVersion

  struct Rows {
    var writer: ListWriter
    /// Nil when this is the last page.
    var continuation: Continuation?
    /// What is left of `$top` after this page; nil when there was none.
    var remaining: Int?
  }

  func read(in database: Database) throws -> Rows {
    let condition = try condition()
    let count = try options.query.includesTotalCount ? count(condition, in: database) : nil
    let limit = options.query.limit.map { min($0, PageSize.largest(version)) } ?? PageSize.usual(version)
    var rows = Rows(writer: ListWriter(form: version, count: count), remaining: options.query.limit)
    let select = try selected()
    guard limit > 0 else { return rows }
    let reader = RowReader(schema)
    let keys = QuerySQL.completed(options.query.order)
    let cursor = try cursor(condition, limit: limit + 1, in: database)
    var last: Continuation?
    var taken = 0
    while let row = try cursor.next() {
      if taken == limit || rows.writer.size > PageSize.largestBody {
        rows.continuation = last
        break
      }
      taken += 1
      rows.writer.item { reader.write(row, select: select, to: &$0) }
      if taken == limit || rows.writer.size > PageSize.largestBody { last = place(of: row, keys) }
    }
    rows.remaining = rows.remaining.map { $0 - taken }
    if rows.remaining == 0 { rows.continuation = nil }
    return rows
  }

  /// Without tombstones unless they were asked for.
  private func condition() throws -> SQLFragment {
    var parts = options.includesDeleted ? [] : [SQLFragment("deleted = 0")]
    if let filter = options.query.filter {
      let nulls: FilterSQL.NullRule = version == .v2 ? .sql : .odata
      parts.append(try FilterSQL(.sqlite, nulls: nulls, column: schema.sqlColumn).condition(filter))
    }
    return parts.isEmpty ? SQLFragment("1") : SQLFragment.joined(parts, by: " AND ")
  }

  private func count(_ condition: SQLFragment, in database: Database) throws -> Int {
    let sql = "SELECT count(*) FROM \"\(schema.table.name)\" WHERE \(condition.sql)"
    return try Int.fetchOne(database, sql: sql, arguments: condition.statementArguments) ?? 0
  }

  private func cursor(_ condition: SQLFragment, limit: Int, in database: Database) throws -> RowCursor {
    let order = try querySQL.order(options.query.order)
    let start = try start()
    let skip = options.skipToken == nil ? options.query.skip ?? 0 : 0
    // SQLite enters an index by the first bound it meets: the place of the page goes before a filter's.
    let sql = """
      SELECT \(RowReader.columnList(schema)) FROM "\(schema.table.name)"
      WHERE \(start.sql) AND \(condition.sql) ORDER BY \(order) LIMIT ? OFFSET ?
      """
    let arguments = start.statementArguments + condition.statementArguments + [limit, skip]
    return try Row.fetchCursor(database, sql: sql, arguments: arguments)
  }

  private func start() throws -> SQLFragment {
    guard let token = options.skipToken else { return SQLFragment("1") }
    let keys = QuerySQL.completed(options.query.order)
    guard let place = Continuation(token: token, keys: keys.count) else {
      throw RequestError.invalidOption("$skiptoken", expected: "as the server gave it")
    }
    return try querySQL.rows(after: place.values, in: keys)
  }

  private var querySQL: QuerySQL { QuerySQL(.sqlite, nulls: .sql, column: schema.sqlColumn) }

  /// The properties to write under the names the table gives them; nil is all.
  private func selected() throws -> Set<String>? {
    guard !options.query.select.isEmpty else { return nil }
    return Set(
      try options.query.select.map { name in
        if let column = schema.column(name) { return column.name }
        guard let column = schema.sqlColumn(name) else { throw QueryError.unknownColumn(name) }
        return column.expression
      })
  }

  private func place(of row: Row, _ keys: [SortKey]) -> Continuation {
    Continuation(
      keys.map { key in
        switch (row[key.column] as DatabaseValue).storage {
        case .null, .blob: .null
        case .int64(let integer): .integer(integer)
        case .double(let real): .real(real)
        case .string(let text): .text(text)
        }
      })
  }
}

/// Makes the link to the page after this one, in the form this client can read (wire 6.4).
struct NextPageLink: Sendable {
  private let query: QueryItems
  private let path: String
  private let authority: String?
  private let wantsPath: Bool
  private let wantsURL: Bool

  init(_ request: TableRequest, _ query: QueryItems) {
    self.query = query
    path = String(request.path)
    authority = request.authority
    wantsPath = request.headers[.zumoOptions]?.contains("nextLink=path") == true
    wantsURL = request.headers[.zumoClientVersion] != nil
  }

  /// The same query, from `place` on, for the rest of `$top`.
  func query(after place: Continuation, remaining: Int?) -> String {
    var next = query
    next.set("$skip", nil)
    next.set("$skiptoken", place.token)
    if let remaining { next.set("$top", String(remaining)) }
    return next.text
  }

  func absoluteURL(_ query: String) -> String {
    "\(authority.map { "http://\($0)" } ?? "")\(path)?\(query)"
  }

  /// One client takes the value verbatim as its query, an old one needs a whole URL.
  func nextLink(_ query: String) -> String {
    if wantsPath { return "\(path)?\(query)" }
    return wantsURL ? absoluteURL(query) : query
  }
}
