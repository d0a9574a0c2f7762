import HTTPTypes
import TableProtocol
import TableSQL
import TableStorage

/// Reads one page of rows and writes it as it comes.
struct ListPage {
  let list: any StoredList
  let options: ListOptions
  let version: ProtocolVersion
  /// Under which the client knows the columns.
  let names: ColumnNames

  struct Rows {
    var writer: ListWriter
    /// Nil when this is the last page.
    var continuation: Continuation?
    /// The rest of `$top` after this page; nil when there was none.
    var remaining: Int?
  }

  func read() throws -> Rows {
    let limit = options.query.limit.map { min($0, PageSize.largest(version)) } ?? PageSize.usual(version)
    let keys = QuerySQL.completed(options.query.order)
    let begin = try beginning(keys)
    let query = query(from: begin, limit: limit + 1)
    let count = try options.query.includesTotalCount ? begin?.count ?? count(query) : nil
    var rows = Rows(writer: ListWriter(form: version, count: count), remaining: options.query.limit)
    let select = try selected()
    guard limit > 0 else { return rows }
    let columns = list.schema.columns.map { column in
      names.hides(column.name) || select?.contains(column.name) == false ? nil : names.other(column.name)
    }
    var last: Continuation?
    var taken = 0
    try list.forEachRow(of: query) { row in
      if taken == limit || rows.writer.size > PageSize.largestBody {
        rows.continuation = last
        return false
      }
      taken += 1
      rows.writer.item { row.write(columns, select: select, to: &$0) }
      if taken == limit || rows.writer.size > PageSize.largestBody { last = place(of: row, keys, count) }
      return true
    }
    rows.remaining = rows.remaining.map { $0 - taken }
    if rows.remaining == 0 { rows.continuation = nil }
    return rows
  }

  /// Where the page before this one ended; nil for the first.
  private func beginning(_ keys: [SortKey]) throws(RequestError) -> Continuation? {
    guard let token = options.skipToken else { return nil }
    guard let place = Continuation(token: token, keys: keys.count) else {
      throw .invalidOption("$skiptoken", expected: "as the server gave it")
    }
    return place
  }

  private func query(from begin: Continuation?, limit: Int) -> ListQuery {
    var query = ListQuery(filter: options.query.filter, nulls: version == .v2 ? .sql : .odata, limit: limit)
    query.order = options.query.order
    query.includesDeleted = options.includesDeleted
    query.place = begin?.values
    if begin == nil { query.skip = options.query.skip ?? 0 }
    return query
  }

  /// Uses the storage's count of the list if it is the same. Counted once for all pages: a next link carries it on.
  private func count(_ query: ListQuery) throws -> Int {
    query.filter == nil && !query.includesDeleted ? try list.state().digest.count : try list.count(of: query)
  }

  /// The properties to write under the names the table gives them; nil is all.
  private func selected() throws -> Set<String>? {
    guard !options.query.select.isEmpty else { return nil }
    return Set(
      try options.query.select.map { name in
        guard let property = list.schema.propertyName(name) else { throw QueryError.unknownColumn(name) }
        return property
      })
  }

  private func place(of row: ListedRow, _ keys: [SortKey], _ count: Int?) -> Continuation {
    Continuation(keys.map { row.value($0.column, list.schema) ?? .null }, count: count)
  }
}

extension ListedRow {
  /// Writes the row as JSON with no record in between: a page holds thousands.
  ///
  /// Items of protocol 3.0.0 carry `createdAt` too, although that version has none: its clients pass
  /// over what they do not know, and a device can then order its list by it, whichever version it
  /// speaks.
  ///
  /// - columns: The name of each column in the answer; nil for one that is left out.
  /// - select: The only system properties to write; nil for all.
  fileprivate func write(_ columns: [String?], select: Set<String>?, to writer: inout JSONWriter) {
    var isFirst = true
    func begin(_ name: String) -> Bool {
      guard select?.contains(name) != false else { return false }
      member(name)
      return true
    }
    func member(_ name: String) {
      writer.member(name, isFirst: isFirst)
      isFirst = false
    }
    writer.raw("{")
    if begin(SystemColumn.id) { writer.string(id.text) }
    if showsColumns {
      for case (let name?, let value) in zip(columns, values) {
        member(name)
        writer.value(value)
      }
    }
    if begin(SystemColumn.createdAt) { writer.timestamp(createdAt) }
    if begin(SystemColumn.updatedAt) { writer.timestamp(updatedAt) }
    if begin(SystemColumn.version) { writer.string(version.text) }
    if begin(SystemColumn.deleted) { writer.raw(deleted ? "true" : "false") }
    writer.raw("}")
  }
}

/// Makes the link to the page after this one, in the form this client can read (wire 6.4).
struct NextPageLink: Sendable {
  private let query: QueryItems
  private let path: String
  private let root: String
  private let wantsPath: Bool
  private let wantsURL: Bool

  init(_ request: TableRequest, _ query: QueryItems) {
    self.query = query
    path = String(request.path)
    root = request.root
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
    "\(root)\(path)?\(query)"
  }

  /// One client takes the value verbatim as its query, an old one needs a whole URL.
  func nextLink(_ query: String) -> String {
    if wantsPath { return "\(path)?\(query)" }
    return wantsURL ? absoluteURL(query) : query
  }
}
