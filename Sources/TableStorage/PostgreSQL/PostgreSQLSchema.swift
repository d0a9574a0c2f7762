import CDocuments
import FoundationEssentials
import TableProtocol

/// Makes the tables of a database, and brings those of an earlier version up to date.
///
/// `ebb_schema` has one row, the version, which is locked meanwhile: of several processes that start at once one does
/// the work. Forward only; a database of a later version is left as it is.
struct PostgreSQLSchema {
  static let version: Int64 = 1

  /// The reason to open the database.
  enum Use {
    /// To serve it, or to give out the first token. Makes the tables if there are none.
    case serving
    /// For a command that needs a database which is there.
    case looking
    /// To take over another database. Makes the tables, and goes on from a move that was stopped.
    case moving
  }

  /// The oldest PostgreSQL whose answers were compared with those of SQLite.
  private static let oldestServer: Int32 = 140_000

  private let name: String
  private let use: Use

  /// `name` is for messages.
  init(name: String, _ use: Use) {
    self.name = name
    self.use = use
  }

  /// Makes the database fit for use, and returns which it is.
  func prepare(_ connection: PostgreSQLConnection, makeUUID: () -> UUID) throws -> DatabaseIdentity {
    try check(connection)
    // Two processes that make the first table at once meet in the catalogue of the database, not at a row.
    for attempt in 1...5 {
      do {
        let identity = try migrate(connection, makeUUID)
        if use == .serving { try checkRights(connection) }
        return identity
      } catch PostgreSQLFailure.refused(state: "42501", _) {
        _ = try? connection.run("ROLLBACK")
        try checkRights(connection)
        throw ServerDatabaseError.databaseServer(.mayNotMakeTables, database: name)
      } catch PostgreSQLFailure.refused(let state, _) where attempt < 5 && Self.isMadeAlready.contains(state) {
        try connection.run("ROLLBACK")
      }
    }
    throw PostgreSQLFailure.again
  }

  private func check(_ connection: PostgreSQLConnection) throws {
    guard connection.serverVersion >= Self.oldestServer else {
      let version = "\(connection.serverVersion / 10_000)"
      throw ServerDatabaseError.databaseServer(.tooOld(version: version), database: name)
    }
    try enter(connection)
    let settings = try connection.run(
      "SELECT current_setting('server_encoding'), current_setting('synchronous_commit')")
    guard settings.text(0, 0) == "UTF8" else {
      throw ServerDatabaseError.databaseServer(.wrongEncoding(settings.text(0, 0) ?? ""), database: name)
    }
    // An answer promises that what was written is on the disk.
    guard settings.text(0, 1) != "off" else {
      throw ServerDatabaseError.databaseServer(.commitsUnsafely, database: name)
    }
    try PostgreSQLTrust(name: name).check(connection)
  }

  /// Another server makes the same table at this moment: PostgreSQL sees a row of its own twice, the table, or the type
  /// that each table has.
  private static let isMadeAlready: Set<String> = ["23505", "42P07", "42710"]

  /// All tables that there ever are in a database.
  static let tables = [
    "ebb_schema", "ebb_database", "ebb_list", "ebb_item", "ebb_answer", "ebb_token", "ebb_move",
  ]

  /// Lets the session work in one schema only: that of the tables, or the first of its path for a new database. Others
  /// may make schemas that come before it, with tables of the same names. `pg_temp` stands last, else it would come
  /// first.
  private func enter(_ connection: PostgreSQLConnection) throws {
    let rows = try connection.run(
      """
      SELECT pg_catalog.quote_ident(s.name), EXISTS (
        SELECT 1 FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n
          ON n.oid OPERATOR(pg_catalog.=) c.relnamespace
        WHERE n.nspname OPERATOR(pg_catalog.=) s.name
          AND c.relname OPERATOR(pg_catalog.=) ANY ($1::pg_catalog.text[]))
      FROM pg_catalog.unnest(pg_catalog.current_schemas(false)) WITH ORDINALITY AS s (name, place) ORDER BY s.place
      """, [.array(Self.tables)])
    let schemas = rows.texts
    let used = schemas.enumerated().filter { rows.bool($0.offset, 1) == true }.map(\.element)
    guard used.count < 2 else { throw ServerDatabaseError.databaseServer(.severalSchemas(used), database: name) }
    guard let schema = used.first ?? schemas.first else {
      throw use == .looking
        ? ServerDatabaseError.databaseServer(.noTables, database: name)
        : .databaseServer(.mayNotMakeTables, database: name)
    }
    connection.searchPath = "\(schema), pg_temp"
  }

  /// The rights that a server needs on each table.
  private static let rights = [
    ("ebb_schema", "SELECT"), ("ebb_database", "SELECT, UPDATE"), ("ebb_list", "SELECT, INSERT, UPDATE, DELETE"),
    ("ebb_item", "SELECT, INSERT, UPDATE, DELETE"), ("ebb_answer", "SELECT, INSERT, UPDATE, DELETE"),
    ("ebb_token", "SELECT, INSERT, UPDATE"),
  ]

  /// Throws if the tables are there and the user may not do all of it. A server that starts and then can't write would
  /// say so to its clients only.
  private func checkRights(_ connection: PostgreSQLConnection) throws {
    let statements = try connection.run(
      """
      SELECT DISTINCT pg_catalog.concat('GRANT ', w.rights, ' ON ', pg_catalog.quote_ident(n.nspname), '.',
        w.name, ' TO ', pg_catalog.quote_ident(CURRENT_USER::pg_catalog.text))
      FROM unnest($1::pg_catalog.text[], $2::pg_catalog.text[]) AS w (name, rights)
        JOIN pg_catalog.pg_class c ON c.relname OPERATOR(pg_catalog.=) w.name::pg_catalog.name
        JOIN pg_catalog.pg_namespace n ON n.oid OPERATOR(pg_catalog.=) c.relnamespace
          AND n.nspname OPERATOR(pg_catalog.=) pg_catalog.current_schema(),
        pg_catalog.regexp_split_to_table(w.rights, ', ') AS one
      WHERE NOT pg_catalog.has_table_privilege(c.oid, one) ORDER BY 1
      """, [.array(Self.rights.map(\.0)), .array(Self.rights.map(\.1))])
    guard !statements.isEmpty else { return }
    throw ServerDatabaseError.databaseServer(
      .lacksRights(statement: statements.texts.joined(separator: "; ")), database: name)
  }

  /// True if a move into the database was begun, and has not come to its end.
  static func hasUnfinishedMove(_ connection: PostgreSQLConnection) throws -> Bool {
    try connection.run("SELECT to_regclass('ebb_move') IS NOT NULL").bool(0, 0) ?? false
  }

  /// Throws `ServerDatabaseError.move(.inUse)` unless the move into the database is this one. It stays so until the
  /// transaction ends.
  static func checkIsMoving(_ move: String, _ connection: PostgreSQLConnection, database: String) throws {
    do {
      let found = try connection.run("SELECT nonce FROM ebb_move FOR SHARE").text(0, 0)
      guard found == move else { throw ServerDatabaseError.move(.inUse(database: database)) }
    } catch PostgreSQLFailure.refused(state: "42P01", _) {
      // It came to its end.
      throw ServerDatabaseError.move(.inUse(database: database))
    }
  }

  private func migrate(_ connection: PostgreSQLConnection, _ makeUUID: () -> UUID) throws -> DatabaseIdentity {
    let version = Self.version
    let known = try connection.run("SELECT to_regclass('ebb_schema') IS NOT NULL").bool(0, 0) ?? false
    if !known, use == .looking { throw ServerDatabaseError.databaseServer(.noTables, database: name) }
    if use != .moving, try Self.hasUnfinishedMove(connection) {
      throw ServerDatabaseError.move(.unfinished(database: name))
    }
    if known, try connection.run("SELECT version FROM ebb_schema").integer(0, 0) == version {
      return try Self.identity(in: connection)
    }
    try connection.run("BEGIN")
    do {
      try connection.run("CREATE TABLE IF NOT EXISTS ebb_schema (version bigint NOT NULL)")
      let rows = try connection.run("SELECT version FROM ebb_schema FOR UPDATE")
      let found = rows.integer(0, 0) ?? 0
      guard found <= version else { throw ServerDatabaseError.databaseServer(.newerVersion, database: name) }
      if found < 1 { try Self.makeTables(connection, makeUUID) }
      try connection.run(
        rows.isEmpty ? "INSERT INTO ebb_schema VALUES (\(version))" : "UPDATE ebb_schema SET version = \(version)")
      let identity = try Self.identity(in: connection)
      try connection.run("COMMIT")
      return identity
    } catch let error as ServerDatabaseError {
      try connection.run("ROLLBACK")
      throw error
    }
  }

  private static func makeTables(_ connection: PostgreSQLConnection, _ makeUUID: () -> UUID) throws {
    let file = document_postgresql_sql()
    let script = String(decoding: UnsafeBufferPointer(start: file.bytes, count: file.count), as: UTF8.self)
    var statement = ""
    for line in script.split(separator: "\n") where !line.hasPrefix("--") {
      statement += line + "\n"
      if line.hasSuffix(";") {
        try connection.run(statement)
        statement = ""
      }
    }
    let identity = DatabaseIdentity(makeUUID())
    try connection.run("INSERT INTO ebb_database (id, uuid) VALUES (1, $1)", [.text(identity.text)])
    try makeFirstList(connection)
  }

  /// That of whoever need not sign in, which every database has.
  static func makeFirstList(_ connection: PostgreSQLConnection) throws {
    try connection.run(
      "INSERT INTO ebb_list (list_id, owner, name, made_at, columns) VALUES ($1::uuid, '', $2, 0, $3)",
      [
        .text(UUID().uuidString), .text(ServedTable.todoItem.name),
        .text(ColumnList.text(of: ServedTable.todoItem.firstColumns)),
      ])
  }

  private static func identity(in connection: PostgreSQLConnection) throws -> DatabaseIdentity {
    let rows = try connection.run("SELECT uuid FROM ebb_database")
    guard let uuid = rows.text(0, 0).flatMap(UUID.init(uuidString:)) else {
      throw StorageError.failed("the database's identity is damaged")
    }
    return DatabaseIdentity(uuid)
  }
}

/// The columns of a list as `ebb_list` has them: `text:text complete:bool`.
enum ColumnList {
  static func text(of columns: [TableColumn]) -> String {
    columns.map { "\($0.name):\(name(of: $0.kind))" }.joined(separator: " ")
  }

  /// Nil for a text that is damaged.
  static func columns(_ text: String) -> [TableColumn]? {
    var columns: [TableColumn] = []
    for part in text.split(separator: " ") {
      guard let colon = part.lastIndex(of: ":"), let kind = kind(named: part[part.index(after: colon)...]) else {
        return nil
      }
      columns.append(TableColumn(name: String(part[..<colon]), kind: kind))
    }
    return columns
  }

  private static func name(of kind: TableColumn.Kind) -> String {
    switch kind {
    case .text: "text"
    case .bool: "bool"
    case .number: "number"
    }
  }

  private static func kind(named name: Substring) -> TableColumn.Kind? {
    switch name {
    case "text": .text
    case "bool": .bool
    case "number": .number
    default: nil
    }
  }
}
