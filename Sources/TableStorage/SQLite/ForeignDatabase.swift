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
    /// The columns that became columns of texts, since the server does not know their types.
    var retyped: [DatabaseFinding] = []
  }

  /// A column of a table, with the type that it was made with.
  private struct Column {
    let name: String
    let type: String

    var kind: TableColumn.Kind { TableColumn.Kind(type: type) }

    /// Nil if the server knows columns of this type.
    func finding(in table: String) -> DatabaseFinding? {
      guard kind == .text, type.uppercased() != TableColumn.Kind.text.type else { return nil }
      // SQLite's own name for a column without a type.
      return .retypedColumn(name, table: table, type: type.isEmpty ? "BLOB" : type)
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
        rows.retyped = try Self.makeTables(of: Array(zip(places, columns)), at: place)
        try database.execute(sql: "ATTACH DATABASE ? AS \(Self.target)", arguments: [place])
        // In the order of the rows, which is that of the tokens.
        for table in DatabaseInspection.ownTables.sorted() {
          try Self.copyTable(table, order: " ORDER BY rowid", in: database)
        }
        for place in places { try Self.copyTable(place.table, in: database) }
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
  /// the server's types whatever they had before. Returns the columns that became columns of texts.
  private static func makeTables(of lists: [(ListPlace, [Column])], at place: String) throws -> [DatabaseFinding] {
    let queue = try DatabaseCopy.open(place)
    let retyped = try queue.write { database -> [DatabaseFinding] in
      try SQLiteStorage.makeTables(in: database)
      try database.execute(sql: "DELETE FROM StoredList")
      var retyped: [DatabaseFinding] = []
      for (list, columns) in lists {
        if list.number != ListPlace.first.number { try list.makeTable(in: database) }
        let table = SQLiteDialect.sqlite.quoted(list.table)
        let own = Set(try Self.columns(of: list.table, in: "main", database).map(\.name))
        for column in columns where !own.contains(column.name) {
          let name = SQLiteDialect.sqlite.quoted(column.name)
          try database.execute(sql: "ALTER TABLE \(table) ADD COLUMN \(name) \(column.kind.type)")
          if let finding = column.finding(in: list.table) { retyped.append(finding) }
        }
      }
      return retyped
    }
    try queue.close()
    return retyped
  }

  /// Copies the columns that the new table has. No index is read, whose content is not the server's either.
  private static func copyTable(_ table: String, order: String = "", in database: Database) throws {
    let columns = try columns(of: table, in: target, database).map(\.name)
    let there = Set(try Self.columns(of: table, in: "main", database).map(\.name))
    if let missing = columns.first(where: { !there.contains($0) }) {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "\(table) has no column \(missing) of its own")
    }
    let names = columns.map(SQLiteDialect.sqlite.quoted).joined(separator: ", ")
    let name = SQLiteDialect.sqlite.quoted(table)
    try database.execute(
      sql: "INSERT INTO \(target).\(name) (\(names)) SELECT \(names) FROM main.\(name) NOT INDEXED\(order)")
  }

  /// Without those that are computed or hidden. None of a view.
  private static func columns(
    of table: String, in schema: String, _ database: Database
  ) throws -> [Column] {
    var columns: [Column] = []
    let sql = """
      SELECT name, type FROM pragma_table_xinfo(?1, ?2) WHERE hidden = 0 AND EXISTS (
        SELECT 1 FROM \(schema).sqlite_schema AS made WHERE made.type = 'table' AND made.name = ?1 COLLATE NOCASE)
      """
    try database.forEach(sql, [table, schema], isKept: false) { row in
      columns.append(Column(name: row.text(0) ?? "", type: row.text(1) ?? ""))
      return true
    }
    return columns
  }
}
