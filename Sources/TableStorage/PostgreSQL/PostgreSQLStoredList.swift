import TableProtocol
import TableSQL

/// A list as one transaction of PostgreSQL sees it.
class PostgreSQLStoredList: StoredList {
  let id: ListID
  let connection: PostgreSQLConnection
  /// Nil for a list that is not there yet: empty, with the columns that it begins with.
  let listID: String?
  var header: PostgreSQLHeader
  /// For the queries of one request, which may be a thousand; they hold up others meanwhile.
  private let longestReading: Duration
  private var timeLeft: Duration
  private var cursors = 0

  init(
    _ id: ListID, _ header: PostgreSQLHeader, isThere: Bool = true, _ connection: PostgreSQLConnection,
    longestReading: Duration
  ) {
    self.id = id
    self.header = header
    self.connection = connection
    self.longestReading = longestReading
    timeLeft = longestReading
    listID = isThere ? header.listID : nil
  }

  var schema: TableSchema { TableSchema(columns: header.columns) }
  var isNew: Bool { listID == nil }

  func wereTokensGiven() throws -> Bool {
    try PostgreSQLFailure.named { try PostgreSQLGrants.exist(connection) }
  }

  func isOwnerAdmitted() throws -> Bool {
    try PostgreSQLFailure.named { try PostgreSQLGrants.isAdmitted(id.owner, connection) }
  }

  func state() throws -> ListState { header.state }

  func row(_ id: RecordID) throws -> Record? {
    guard let listID else { return nil }
    return try PostgreSQLFailure.named {
      let rows = try connection.run(
        "SELECT \(PostgreSQLQuery.columns) FROM ebb_item WHERE list_id = $1::uuid AND id = $2",
        [.text(listID), .text(id.text)])
      guard !rows.isEmpty else { return nil }
      return try ListedRow(rows, 0, header.columns).record(header.columns)
    }
  }

  func forEachRow(of query: ListQuery, _ body: (ListedRow) throws -> Bool) throws {
    let asked = try PostgreSQLQuery(query, listID: listID ?? "", schema)
    guard listID != nil else { return }
    if asked.isBrief {
      let rows = try timed { try $0(asked.rows) }
      for row in 0..<rows.count {
        guard try body(ListedRow(rows, row, header.columns)) else { return }
      }
    } else if let rest = asked.rest {
      var (skip, limit) = (query.skip, query.limit)
      try forEachMatch(asked, rest, query.nulls) { row in
        if skip > 0 {
          skip -= 1
          return true
        }
        guard limit > 0 else { return false }
        limit -= 1
        return try body(row) && limit > 0
      }
    } else {
      try forEachPart(asked) { rows in try rows.allSatisfy(body) }
    }
  }

  func count(of query: ListQuery) throws -> Int {
    var all = query
    all.place = nil
    let asked = try PostgreSQLQuery(all, listID: listID ?? "", schema)
    guard listID != nil else { return 0 }
    guard let rest = asked.rest else {
      return Int(try timed { try $0(asked.count) }.integer(0, 0) ?? 0)
    }
    var count = 0
    try forEachMatch(asked, rest, query.nulls) { _ in
      count += 1
      return true
    }
    return count
  }

  /// The rows of which SQLite says that they match.
  private func forEachMatch(
    _ query: PostgreSQLQuery, _ rest: Filter, _ nulls: FilterSQL.NullRule, _ body: (ListedRow) throws -> Bool
  ) throws {
    let table = try ConditionTable(rest, nulls: nulls, schema)
    try forEachPart(query) { rows in
      let begun = ContinuousClock.now
      defer { timeLeft -= begun.duration(to: .now) }
      guard timeLeft > .zero else { throw StorageError.tooSlow }
      return try table.places(of: rows, within: timeLeft).allSatisfy { try body(rows[$0]) }
    }
  }

  /// Gives `body` the rows in parts, until it returns false.
  private func forEachPart(_ query: PostgreSQLQuery, _ body: ([ListedRow]) throws -> Bool) throws {
    try forEachPart(query.cursor) { rows in
      try body((0..<rows.count).map { try ListedRow(rows, $0, header.columns) })
    }
  }

  private func forEachPart(
    _ cursor: (String) -> PostgreSQLStatement, isTimed: Bool = true, _ body: (PostgreSQLRows) throws -> Bool
  ) throws {
    cursors += 1
    let name = "ebb_\(cursors)"
    func ask(_ statements: [PostgreSQLStatement]) throws -> PostgreSQLRows {
      guard isTimed else { return try PostgreSQLFailure.named { try connection.run(statements).last ?? .none } }
      return try timed { ask in
        var last = PostgreSQLRows.none
        for statement in statements { last = try ask(statement) }
        return last
      }
    }
    let fetch = PostgreSQLStatement("FETCH \(PostgreSQLQuery.rowsTogether) FROM \(name)")
    var rows = try ask([cursor(name), fetch])
    while try body(rows), rows.count == PostgreSQLQuery.rowsTogether { rows = try ask([fetch]) }
    _ = try ask([PostgreSQLStatement("CLOSE \(name)")])
  }

  /// Another request goes on with the list.
  func renewTime() { timeLeft = longestReading }

  /// Runs queries that clients make up, which together may take as long as a request may.
  func timed(_ body: ((PostgreSQLStatement) throws -> PostgreSQLRows) throws -> PostgreSQLRows) throws -> PostgreSQLRows
  {
    let begun = ContinuousClock.now
    defer { timeLeft -= begun.duration(to: .now) }
    guard timeLeft > .zero else { throw StorageError.tooSlow }
    let limit = PostgreSQLStatement(
      "SELECT set_config('statement_timeout', $1, true)", [.integer(max(timeLeft.milliseconds, 1))])
    return try asked {
      try body { try self.connection.run([limit, $0]).last ?? .none }
    }
  }

  /// How deep a condition may be nested only the parser of PostgreSQL knows.
  func asked<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch PostgreSQLFailure.refused(state: "54001", _) {
      throw QueryError.tooComplex
    } catch let failure as PostgreSQLFailure {
      throw failure.error
    }
  }

  /// Looks at every row, in as much time as it takes.
  func check() throws -> ListCheck { try look().list }

  /// The same, with the ids of rows that have no digest yet.
  func look() throws -> (list: ListCheck, unmarked: [Record]) {
    var check = ListCheck(id, stored: header.state.digest)
    var unmarked: [Record] = []
    guard let listID else { return (check, []) }
    try PostgreSQLFailure.named { try connection.run("SELECT set_config('statement_timeout', '0', true)") }
    let sql = "FOR SELECT \(PostgreSQLQuery.columns), row_digest FROM ebb_item WHERE list_id = $1::uuid"
    let cursor = { (name: String) in PostgreSQLStatement("DECLARE \(name) NO SCROLL CURSOR \(sql)", [.text(listID)]) }
    try forEachPart(cursor, isTimed: false) { rows in
      for row in 0..<rows.count { look(at: rows, row, &check, &unmarked) }
      return true
    }
    return (check, unmarked)
  }

  private func look(at rows: PostgreSQLRows, _ row: Int, _ check: inout ListCheck, _ unmarked: inout [Record]) {
    let id = rows.text(row, 0) ?? ""
    if rows.bool(row, 4) == false { check.counted.add(RecordID(id), RecordVersion(rows.text(row, 3) ?? "")) }
    guard let record = try? ListedRow(rows, row, header.columns).storedRecord(header.columns) else {
      return check.addDamaged(id)
    }
    let digest = RowDigest(record, header.columns).value
    if rows.isNull(row, 8) {
      check.unmarked += 1
      unmarked.append(record)
    } else if rows.integer(row, 8) != digest {
      check.addDamaged(id)
    }
  }
}
