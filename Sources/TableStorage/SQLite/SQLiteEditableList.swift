import GRDB
import SQLiteStatements
import TableProtocol
import TableSQL

/// The same inside a transaction that may write.
final class SQLiteEditableList: SQLiteStoredList, EditableList {
  /// Made once for the columns, not for every row.
  private lazy var statements = Statements(schema, table)
  private var isUnwritten = false
  override var isNew: Bool { isUnwritten }
  /// The last moment that this transaction gave to a row; nil if it gave none.
  private(set) var savedMoment: Timestamp?

  /// Makes the table of a list that has none.
  convenience init(
    making list: ListID, _ database: Database, _ watch: StatementWatch, longestReading: Duration
  ) throws {
    let place = try SQLiteFailure.named { try ListPlace.make(for: list, in: database) }
    try self.init(place, database, watch, longestReading: longestReading)
    isUnwritten = true
  }

  /// Removes the table of a list that nothing was written to.
  func discard() throws { try SQLiteFailure.named { try place.removeTable(in: database) } }

  /// This object's knowledge of the list, to be put back when the transaction, or a part of it, is undone.
  struct Memory {
    fileprivate let columns: [TableColumn]
    fileprivate let isNew: Bool
    fileprivate let savedMoment: Timestamp?
  }

  var memory: Memory {
    get { Memory(columns: schema.columns, isNew: isNew, savedMoment: savedMoment) }
    set {
      (isUnwritten, savedMoment) = (newValue.isNew, newValue.savedMoment)
      guard newValue.columns != schema.columns else { return }
      schema.columns = newValue.columns
      statements = Statements(schema, table)
    }
  }

  func otherListsOfOwner() throws -> Int { try SQLiteFailure.named { try place.others(in: database) } }

  func add(_ columns: [TableColumn]) throws {
    try SQLiteFailure.named {
      for column in columns {
        let name = SQLiteDialect.sqlite.quoted(column.name)
        try database.execute(sql: "ALTER TABLE \(table) ADD COLUMN \(name) \(column.kind.type)")
        schema.columns.append(column)
      }
      statements = Statements(schema, table)
    }
  }

  func insert(_ row: TableProtocol.Record) throws {
    try run(statements.insert, values(of: row))
    isUnwritten = false
  }

  func update(_ row: TableProtocol.Record) throws {
    try run(statements.update, values(of: row) + [row.id.text.databaseValue])
  }

  func save(lastMoment: Timestamp, digest: TableDigest) throws {
    try SQLiteFailure.named { try StoredState.write(lastMoment, digest, of: place, in: database) }
    savedMoment = lastMoment
  }

  func tombstones(after start: Timestamp, upTo end: Timestamp, among most: Int) throws -> TombstonePart {
    try SQLiteFailure.named {
      var part = TombstonePart(reached: end)
      var rows = 0
      let sql = """
        SELECT id, updatedAt, deleted FROM \(table) WHERE updatedAt > ? AND updatedAt <= ? ORDER BY updatedAt LIMIT ?
        """
      try database.forEach(sql, [start.milliseconds, end.milliseconds, most]) { row in
        rows += 1
        if rows == most, let last = row.moment(1) { part.reached = last }
        guard row.integer(2) == 1, let id = row.text(0), let moment = row.moment(1) else { return true }
        part.ids.append(RecordID(id))
        part.newest = moment
        return true
      }
      return part
    }
  }

  func removeTombstones(_ part: TombstonePart) throws {
    for id in part.ids { try run("DELETE FROM \(table) WHERE id = ?", [id.text.databaseValue]) }
    guard let newest = part.newest else { return }
    try SQLiteFailure.named { try StoredState.write(tombstonesAfter: newest, of: place, in: database) }
  }

  func part<Value>(_ body: () throws -> (Value, isKept: Bool)) throws -> Value {
    let before = memory
    var isKept = false
    defer { if !isKept { memory = before } }
    return try database.part {
      let part = try body()
      isKept = part.isKept
      return part
    }
  }

  func repair() throws -> ListCheck {
    try SQLiteFailure.named {
      let check = try RowCheck(of: place, schema, in: database, forRepair: true)
      try check.repair(in: database)
      return check.list
    }
  }

  private func run(_ sql: String, _ values: [DatabaseValue]) throws {
    try SQLiteFailure.named { try database.cachedStatement(sql: sql).run(values) }
  }

  /// In the order of ``Statements``.
  private func values(of row: Record) -> [DatabaseValue] {
    let system = row.system
    let own = [
      row.id.text.databaseValue, system.createdAt?.milliseconds.databaseValue ?? .null,
      system.updatedAt?.milliseconds.databaseValue ?? .null, system.version?.text.databaseValue ?? .null,
      system.deleted.databaseValue, RowDigest(row, schema.columns).value.databaseValue,
    ]
    return own + schema.columns.map { row.values[$0.name]?.databaseValue ?? .null }
  }
}

extension SQLiteEditableList {
  /// One statement adds a row and one changes it, whichever of its values those are: a connection keeps its prepared
  /// statements, so that as many as there are sets of columns would fill its memory.
  private struct Statements {
    let insert: String
    let update: String

    /// `table` is quoted.
    init(_ schema: TableSchema, _ table: String) {
      let own = [
        SystemColumn.id, SystemColumn.createdAt, SystemColumn.updatedAt, SystemColumn.version, SystemColumn.deleted,
        RowDigest.column,
      ]
      let columns = (own + schema.columns.map(\.name)).map(SQLiteDialect.sqlite.quoted)
      let marks = columns.map { _ in "?" }.joined(separator: ", ")
      insert = "INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES (\(marks))"
      update = "UPDATE \(table) SET \(columns.map { "\($0) = ?" }.joined(separator: ", ")) WHERE id = ?"
    }
  }
}

extension Database {
  /// Runs `body`, and undoes what it wrote if it throws or says that this is not to be kept. Parts may be nested.
  func part<Value>(_ body: () throws -> (Value, isKept: Bool)) throws -> Value {
    try control("SAVEPOINT part")
    let outcome = Result { try body() }
    if case .success((let value, isKept: true)) = outcome {
      try control("RELEASE part")
      return value
    }
    // A failure such as a full disk may have ended the whole transaction, and then there is nothing to go back to.
    if isInsideTransaction {
      try control("ROLLBACK TO part")
      try control("RELEASE part")
    }
    return try outcome.get().0
  }

  private func control(_ sql: String) throws {
    try SQLiteFailure.named { try cachedStatement(sql: sql).run() }
  }
}

/// GRDB has a `Record` too; here it is always the one of the wire.
private typealias Record = TableProtocol.Record
