import GRDB
import OfflineSync
import SQLiteStatements
import TableProtocol
import TableSQL

extension SQLiteTransaction {
  func records(_ ids: [RecordID], in table: String) throws -> [Record] {
    let shape = try shape(table)
    var records: [Record] = []
    records.reserveCapacity(ids.count)
    places.removeAll(keepingCapacity: true)
    let isMany = ids.count > Self.manyRows && database.configuration.readonly
    let before = try isMany ? PageCache.readingManyRows.use(in: database) : nil
    defer { before?.restore(in: database) }
    for ids in ids.chunked(by: 500) {
      try forEachRow(
        "SELECT \(shape.selection), \(shape.place) FROM \(shape.quotedTable) WHERE id IN (\(ids.marks))",
        ids.values
      ) { row in
        let record = shape.record(row)
        places[record.id] = row.integer(shape.columns.count + 5)
        records.append(record)
      }
    }
    return records
  }

  func versions(of ids: [RecordID], in table: String) throws -> [RecordID: RecordVersion?] {
    var versions: [RecordID: RecordVersion?] = [:]
    versions.reserveCapacity(ids.count)
    for ids in ids.chunked(by: 500) {
      try forEachRow(
        "SELECT id, version FROM \(table.quotedDatabaseIdentifier) WHERE id IN (\(ids.marks))",
        ids.values
      ) { row in
        versions[row.id(0)] = .some(row.text(1).map(RecordVersion.init))
      }
    }
    return versions
  }

  func records(_ query: TableQuery) throws -> (records: [Record], totalCount: Int?) {
    let shape = try shape(query.table)
    let wanted = try shape.narrowed(to: query.select)
    let selection = try StoreQuery(query, shape: shape, wanted: wanted).rows
    var records: [Record] = []
    try forEachRow(selection) { records.append(wanted.record($0)) }
    return (records, query.includesTotalCount ? try totalCount(query) : nil)
  }

  func ids(beginning prefix: String, in table: String) throws -> [RecordID] {
    var ids: [RecordID] = []
    let end = prefix.firstAfterThoseThatBeginWithIt
    try forEachRow(
      "SELECT id FROM \(table.quotedDatabaseIdentifier) WHERE id >= ?\(end == nil ? "" : " AND id < ?") ORDER BY id",
      end.map { [prefix, $0] } ?? [prefix]
    ) { ids.append($0.id(0)) }
    return ids
  }

  private func totalCount(_ query: TableQuery) throws -> Int {
    let shape = try shape(query.table)
    let count = try StoreQuery(query, shape: shape, wanted: shape).count
    return Int(try number(SQLiteDialect.sqlite.statement(count), count.databaseValues) ?? 0)
  }

  func upsert(_ records: [Record], in table: String) throws {
    try note(rows: records.count)
    let shape = try shape(table)
    var last: RowWriting?
    for record in records {
      let stored = shape.stored(record)
      let writing: RowWriting
      if let last, last.writes(stored) { writing = last } else { writing = try RowWriting(stored, of: shape, database) }
      last = writing
      var values: [DatabaseValue] = []
      values.reserveCapacity(stored.count + 1)
      for case let value? in stored { values.append(value) }
      // A row whose creation is not written is there, as a rule. Then the keys of a new one need not be computed.
      if record.system.createdAt == nil, try change(record.id, to: &values, writing) { continue }
      try writing.upsert.run(values)
    }
    try database.notifyChanges(in: Table(table))
  }

  /// Returns false if there is no such row.
  private func change(_ id: RecordID, to values: inout [DatabaseValue], _ writing: RowWriting) throws -> Bool {
    if let place = places[id] {
      values.append(place.databaseValue)
      try writing.updateAtPlace.run(values)
      if database.changesCount > 0 { return true }
      values.removeLast()
    }
    try writing.update.run(values)
    return database.changesCount > 0
  }

  func remove(_ ids: [RecordID], from table: String) throws {
    let statement = try database.cachedStatement(
      sql: "DELETE FROM \(table.quotedDatabaseIdentifier) WHERE id = ?")
    for id in ids {
      try statement.execute(arguments: [id.text])
    }
  }
}

extension String {
  /// The smallest text, in the order of UTF-8, that is greater than all that begin with this one. Nil if there is none.
  fileprivate var firstAfterThoseThatBeginWithIt: String? {
    var scalars = Array(unicodeScalars)
    while let last = scalars.popLast() {
      // The numbers of surrogates are no scalars.
      let number = last.value == 0xD7FF ? 0xE000 : last.value + 1
      if let next = Unicode.Scalar(number) { return String(String.UnicodeScalarView(scalars + [next])) }
    }
    return nil
  }
}

/// The statements that write the same columns of rows.
private struct RowWriting {
  private let columns: [Bool]
  let updateAtPlace: Statement
  let update: Statement
  let upsert: Statement

  /// `stored` has nil for each column that keeps its value.
  init(_ stored: [DatabaseValue?], of shape: TableShape, _ database: Database) throws {
    columns = stored.map { $0 != nil }
    updateAtPlace = try database.cachedStatement(sql: shape.updateAtPlace(columns))
    update = try database.cachedStatement(sql: shape.update(columns))
    upsert = try database.cachedStatement(sql: shape.upsert(columns))
  }

  /// True if these are values of the same columns.
  func writes(_ stored: [DatabaseValue?]) -> Bool {
    stored.count == columns.count && zip(stored, columns).allSatisfy { ($0 != nil) == $1 }
  }
}

extension SQLiteTransaction {
  func forEach(_ query: RowQuery, _ body: (Record) throws -> Void) throws {
    let shape = try shape(query.table)
    try forEachRow(of: query, selecting: shape.selection) { try body(shape.record($0)) }
  }

  func forEach(_ query: RowQuery, columns names: [String], _ body: (RecordID, [FieldValue]) throws -> Void) throws {
    let columns = try shape(query.table).columns(named: names)
    let selection = (["id"] + names.map(\.quotedDatabaseIdentifier)).joined(separator: ", ")
    try forEachRow(of: query, selecting: selection) { row in
      let values = columns.indices.map { row.value($0 + 1, isBoolean: columns[$0].isBoolean) }
      try body(row.id(0), values)
    }
  }

  private func forEachRow(
    of query: RowQuery, selecting selection: String, _ body: (StatementRow) throws -> Void
  ) throws {
    var left = query.limit ?? .max
    for run in try RowSQL(query, shape: try shape(query.table)).runs(selecting: selection) where left > 0 {
      try forEachRow(run, [left]) { row in
        left -= 1
        try body(row)
      }
    }
  }

  func counts(_ query: RowQuery, by value: RowValue?) throws -> [String: Int] {
    var counts: [String: Int] = [:]
    for run in try RowSQL(query, shape: try shape(query.table)).counts(by: value) {
      try forEachRow(run) { row in counts[row.text(1) ?? "", default: 0] += Int(row.integer(0)) }
    }
    return counts
  }

  func isPrepared(_ index: RowIndex) throws -> Bool {
    try text("SELECT sql FROM sqlite_schema WHERE type = 'index' AND name = ?", [index.name]) == index.sql
  }

  /// An index with this name and another definition, from another version of the program, is replaced.
  func prepare(_ index: RowIndex) throws {
    guard try !isPrepared(index) else { return }
    try database.execute(sql: "DROP INDEX IF EXISTS \(index.name.quotedDatabaseIdentifier)")
    try database.execute(sql: index.sql)
  }
}

extension RowIndex {
  /// The definition, as the database stores it. The flag is the first key as well: only then does SQLite prefer this
  /// index to others for a query with the flag.
  var sql: String {
    let column = flag?.column.quotedDatabaseIdentifier
    let keys = order.map { $0.value.sql(in: table) + ($0.ascending ? "" : " DESC") }
    let rows = flag.map { " WHERE \($0.column.quotedDatabaseIdentifier) = \(SQLiteDialect.sqlite.constant($0.isSet))" }
    return "CREATE INDEX \(name.quotedDatabaseIdentifier) ON \(table.quotedDatabaseIdentifier) "
      + "(\(([column].compactMap(\.self) + keys).joined(separator: ", ")))\(rows ?? "")"
  }
}

extension SQLiteTransaction {
  /// Reads every row without creating values: a store may have 100,000.
  func digest(of table: String) throws -> TableDigest {
    var digest = TableDigest()
    try forEachRow(
      "SELECT id, version FROM \(table.quotedDatabaseIdentifier) WHERE version IS NOT NULL AND NOT deleted"
    ) { digest.add(hash: TableDigest.hash($0.utf8(0), $0.utf8(1))) }
    return digest
  }
}

/// A query as SQL over one table of the store.
struct StoreQuery {
  let rows: SQLFragment
  let count: SQLFragment

  /// `wanted` are the columns that are read. Throws `QueryError` when the query names a column the table has not.
  init(_ query: TableQuery, shape: TableShape, wanted: TableShape) throws {
    let clauses = try QuerySQL(.sqlite, nulls: .sql, column: shape.sqlColumn).clauses(of: query)
    rows = SQLFragment("SELECT \(wanted.selection) FROM \(shape.quotedTable) \(clauses.sql)", clauses.arguments)
    let condition = try query.filter.map { try FilterSQL(.sqlite, nulls: .sql, column: shape.sqlColumn).condition($0) }
    count = SQLFragment(
      "SELECT count(*) FROM \(shape.quotedTable)" + (condition.map { " WHERE \($0.sql)" } ?? ""),
      condition?.arguments ?? [])
  }
}
