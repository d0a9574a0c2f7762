import GRDB
import TableSQL

/// A database that comes from elsewhere, of which only the rows are wanted.
///
/// Its triggers, constraints and computed columns would run with each write of the server: they could give a user the
/// list of another, or let no token be taken back.
struct ForeignDatabase {
  /// The rows that a copy must have.
  struct Rows {
    let lists: [ListCheck]?
    /// In the first list, tombstones included. Before there were lists, that is all rows.
    let first: Int
    /// The columns that are not the same in the copy.
    var changed: [DatabaseFinding] = []
  }

  /// A column of a table, with the type that it was made with.
  private struct Column {
    let name: String
    let type: String
    /// Computed values are not stored, so that none can be copied.
    let isComputed: Bool
    /// As SQL names them.
    let rules: [String]

    var kind: TableColumn.Kind { TableColumn.Kind(type: type) }

    /// Nil if the server knows columns of this type. Else SQLite's own name for it, also if there is none.
    var unknownType: String? {
      guard kind == .text, type.uppercased() != TableColumn.Kind.text.type else { return nil }
      return type.isEmpty ? "BLOB" : type
    }
  }

  let path: String
  /// False if its rows can be copied only after an update, which changes the file.
  let isCurrent: Bool
  /// Bytes of all its pages, and of those in use.
  let size: Int
  let sizeInUse: Int

  /// As the connection that copies the rows names the new database.
  private static let target = "own_database"

  /// Throws `BackupProblem.damaged` for a file that can't be read.
  init(path: String) throws {
    self.path = path
    (isCurrent, size, sizeInUse) = try Self.reading(path) { database -> (Bool, Int, Int) in
      func number(_ name: String) throws -> Int { Int(try database.integer("PRAGMA \(name)", isKept: false) ?? 0) }
      let (page, all, free) = (try number("page_size"), try number("page_count"), try number("freelist_count"))
      let version = try DatabaseInspection.version(of: database)
      return (version == Int64(DatabaseHeader.schemaVersion), page * all, page * max(0, all - free))
    }
  }

  /// Runs `body` with a connection that leaves the file and its log unchanged, unless `body` changes them.
  private static func reading<Value>(_ path: String, _ body: (Database) throws -> Value) throws -> Value {
    do {
      let queue = try DatabaseCopy.openUnchanged(path)
      let value = try queue.writeWithoutTransaction(body)
      try queue.close()
      return value
    } catch let error as DatabaseError where error.isDamage {
      throw BackupProblem.damaged(path: path, reason: error.reason)
    }
  }

  /// Brings it up to date, without its triggers, views and indexes. No other connection may be open. Returns how many
  /// rows the first list had before the update.
  func update() throws -> Int {
    let queue = try DatabaseCopy.open(path)
    let rows = try queue.write { database -> Int in
      // Before any statement that could make them run.
      try Self.removeCode(from: database)
      let rows = try ListPlace.first.countRows(in: database)
      try SchemaMigration.run(in: database, path: path)
      return rows
    }
    try queue.close()
    return rows
  }

  /// Makes a database of the empty file at `place`, with the rows of this one in tables that the server itself makes.
  /// The columns that clients have added come along, unless they are computed. Tables of no list do not. This one must
  /// be up to date, and stays unchanged; nothing of it runs, since its rows are only read. `confirm` is called when all
  /// of it was found to be whole, and before anything is copied. Throws `BackupProblem.damaged`, and `DatabaseError`
  /// for a table that is none of a server's, and rows that do not belong in one.
  func copyRows(to place: String, confirm: () throws -> Void = {}) throws -> Rows {
    try Self.reading(path) { database in
      var rows = Rows(lists: nil, first: 0)
      // One state of it, in a transaction that writes to the copy alone: others may write to this one meanwhile.
      try database.inTransaction(.deferred) {
        if let damage = try DatabaseInspection.fileDamage(in: database).first {
          throw BackupProblem.damaged(path: path, reason: damage)
        }
        rows = Rows(
          lists: try DatabaseInspection.lists(in: database), first: try ListPlace.first.countRows(in: database))
        try confirm()
        let places = try Self.places(in: database)
        let columns = try places.map { try Self.columns(of: $0.table, in: "main", database) }
        let added = try Self.makeTables(of: Array(zip(places, columns)), at: place)
        try database.execute(sql: "ATTACH DATABASE ? AS \(Self.target)", arguments: [place])
        // In the order of the rows, which is that of the tokens.
        for table in DatabaseInspection.ownTables.sorted() {
          rows.changed += try Self.copyTable(table, order: " ORDER BY rowid", in: database)
        }
        for (place, columns) in zip(places, added) {
          rows.changed += try Self.copyTable(place.table, in: database)
          rows.changed += try Self.changes(of: columns, in: place.table, database)
        }
        // An invitation must not lead to where a file says: the server notes its address at its next start.
        try database.execute(sql: "UPDATE \(Self.target).ServerIdentity SET address = NULL")
        return .commit
      }
      return rows
    }
  }

  private static func removeCode(from database: Database) throws {
    let hasLists = try DatabaseInspection.version(of: database) >= DatabaseInspection.firstVersionWithLists
    for code in try SchemaCode.all(in: database) {
      // The update removes this one.
      if !hasLists, code.name == ListPlace.first.trigger { continue }
      // A trigger goes with its view.
      let name = SQLiteDialect.sqlite.quoted(code.name)
      try database.execute(sql: "DROP \(code.kind.rawValue.uppercased()) IF EXISTS \(name)")
    }
  }

  private static func places(in database: Database) throws -> [ListPlace] {
    let places = try ListPlace.all(in: database)
    guard places.contains(where: { $0.number == ListPlace.first.number }) else {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the first list is missing")
    }
    return places
  }

  /// Makes those of these lists in the empty file at `place`, with these columns beside the server's own, which have
  /// the server's types whatever they had before. Returns the columns that each list got.
  private static func makeTables(of lists: [(ListPlace, [Column])], at place: String) throws -> [[Column]] {
    let queue = try DatabaseCopy.open(place)
    let added = try queue.write { database -> [[Column]] in
      try SQLiteStorage.makeTables(in: database)
      try database.execute(sql: "DELETE FROM StoredList")
      return try lists.map { list, columns -> [Column] in
        if list.number != ListPlace.first.number { try list.makeTable(in: database) }
        let table = SQLiteDialect.sqlite.quoted(list.table)
        let own = Set(try Self.columns(of: list.table, in: "main", database).map(\.name))
        let added = columns.filter { !$0.isComputed && !own.contains($0.name) }
        for column in added {
          let name = SQLiteDialect.sqlite.quoted(column.name)
          try database.execute(sql: "ALTER TABLE \(table) ADD COLUMN \(name) \(column.kind.type)")
        }
        return added
      }
    }
    try queue.close()
    return added
  }

  /// Those of these columns, none of which is the server's own, that came along with another type or without their
  /// rules.
  private static func changes(
    of columns: [Column], in table: String, _ database: Database
  ) throws -> [DatabaseFinding] {
    try columns.flatMap { column -> [DatabaseFinding] in
      var changes: [ColumnChange] = []
      if let type = column.unknownType {
        changes.append(.retyped(from: type, blobs: try countBlobs(in: column.name, of: table, database)))
      }
      if !column.rules.isEmpty { changes.append(.relaxed(rules: column.rules)) }
      return changes.map { .changedColumn(column.name, table: table, $0) }
    }
  }

  /// A blob stays one in a column of texts.
  private static func countBlobs(in column: String, of table: String, _ database: Database) throws -> Int {
    let (column, table) = (SQLiteDialect.sqlite.quoted(column), SQLiteDialect.sqlite.quoted(table))
    let sql = "SELECT count(*) FROM \(target).\(table) WHERE typeof(\(column)) = 'blob'"
    return Int(try database.integer(sql, isKept: false) ?? 0)
  }

  /// Copies the columns that the new table has, and returns the others. No index is read, whose content is not the
  /// server's either.
  private static func copyTable(
    _ table: String, order: String = "", in database: Database
  ) throws -> [DatabaseFinding] {
    let columns = try columns(of: table, in: target, database).map(\.name)
    let all = try Self.columns(of: table, in: "main", database)
    let there = Set(all.filter { !$0.isComputed }.map(\.name))
    if let missing = columns.first(where: { !there.contains($0) }) {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "\(table) has no column \(missing) of its own")
    }
    let names = columns.map(SQLiteDialect.sqlite.quoted).joined(separator: ", ")
    let name = SQLiteDialect.sqlite.quoted(table)
    try database.execute(
      sql: "INSERT INTO \(target).\(name) (\(names)) SELECT \(names) FROM main.\(name) NOT INDEXED\(order)")
    return all.filter { !columns.contains($0.name) }
      .map { .changedColumn($0.name, table: table, $0.isComputed ? .computed : .foreign) }
  }

  /// None of a view. Those that are computed are hidden (2 or 3) to SQLite, and so are some of no plain table (1).
  private static func columns(
    of table: String, in schema: String, _ database: Database
  ) throws -> [Column] {
    var columns: [Column] = []
    var made: String?
    let tables = "SELECT sql FROM \(schema).sqlite_schema WHERE type = 'table' AND name = ? COLLATE NOCASE"
    try database.forEach(tables, [table], isKept: false) { row in
      made = row.text(0)
      return false
    }
    guard let made else { return [] }
    let parts = TableParts(made)
    let sql = """
      SELECT name, type, hidden, "notnull", dflt_value IS NOT NULL FROM pragma_table_xinfo(?, ?) WHERE hidden <> 1
      """
    try database.forEach(sql, [table, schema], isKept: false) { row in
      let name = row.text(0) ?? ""
      var rules: [String] = []
      if row.integer(3) != 0 { rules.append("NOT NULL") }
      if row.integer(4) != 0 { rules.append("DEFAULT") }
      rules += parts?.rules(ofColumn: name) ?? []
      columns.append(Column(name: name, type: row.text(1) ?? "", isComputed: row.integer(2) != 0, rules: rules))
      return true
    }
    return columns
  }
}
