import TableProtocol

/// One transaction that writes to lists, on one connection.
final class PostgreSQLTransaction {
  let connection: PostgreSQLConnection
  private(set) var lists: [PostgreSQLEditableList] = []
  private let patience: PostgreSQLPatience
  /// The database's time when the locks were there, and when that was here; nil for a storage that does not go by it.
  private var clock: (moment: Timestamp, at: ContinuousClock.Instant)?
  private var depth = 0

  init(_ connection: PostgreSQLConnection, _ patience: PostgreSQLPatience) {
    self.connection = connection
    self.patience = patience
  }

  /// The moment by the database's clock.
  var now: Timestamp? {
    clock.map { $0.moment.advanced(byMilliseconds: $0.at.duration(to: .now).milliseconds) }
  }

  /// Lets go of the lists, which hold it as it holds them, and its connection with them.
  func end() { lists = [] }

  /// Begins, and waits for the locks of the lists, of which it makes those that are not there. READ COMMITTED on
  /// purpose: the statement after the wait sees what the writer before has committed.
  func begin(_ wanted: [ListID], goesByDatabaseClock: Bool) throws {
    connection.allow(patience.longestLock)
    try lock(wanted, goesByDatabaseClock: goesByDatabaseClock)
    connection.allow(patience.longestWrite)
  }

  private func lock(_ wanted: [ListID], goesByDatabaseClock: Bool) throws {
    var before = [
      PostgreSQLStatement("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"),
      patience.statement(reading: patience.writing),
    ]
    for _ in 1...100 {
      let results = try connection.run(before + [PostgreSQLHeader.lock(wanted), PostgreSQLHeader.several(wanted)])
      before = []
      let (locked, rows) = (Set(results[results.count - 2].texts), results[results.count - 1])
      let found = try headers(rows).filter { locked.contains($0.value.listID) }
      let missing = wanted.filter { found[$0] == nil }
      if missing.isEmpty {
        guard !PostgreSQLHeader.commitsUnsafely(rows, 0) else {
          throw StorageError.failed("synchronous_commit is off: what is written could be lost after it was confirmed")
        }
        if goesByDatabaseClock { clock = PostgreSQLHeader.now(rows, 0).map { ($0, .now) } }
        lists = wanted.compactMap { list in
          found[list].map { header in
            PostgreSQLEditableList(
              list, header, isNew: made.contains(list), self, longestReading: patience.reading)
          }
        }
        return
      }
      before = try missing.map(make)
    }
    throw PostgreSQLFailure.again
  }

  /// Those that this transaction has made.
  private var made: Set<ListID> = []

  private func headers(_ rows: PostgreSQLRows) throws -> [ListID: PostgreSQLHeader] {
    var headers: [ListID: PostgreSQLHeader] = [:]
    for row in 0..<rows.count {
      guard let list = PostgreSQLHeader.list(rows, row) else { continue }
      headers[list] = try PostgreSQLHeader(rows, row)
    }
    return headers
  }

  /// Another process may make it at the same time: then this one waits for that, and finds it.
  private func make(_ list: ListID) throws -> PostgreSQLStatement {
    let rows = try connection.run(
      """
      INSERT INTO ebb_list (list_id, owner, name, made_at, columns)
      VALUES (gen_random_uuid(), $1, $2, (extract(epoch FROM clock_timestamp()) * 1000)::bigint, $3)
      ON CONFLICT (owner, name) DO NOTHING RETURNING 1
      """,
      [.text(list.owner?.text ?? ""), .text(list.table.name), .text(ColumnList.text(of: list.table.firstColumns))])
    if !rows.isEmpty { made.insert(list) }
    return PostgreSQLStatement("SELECT 1")
  }

  /// How many lists the owner has that were written to, in this transaction too.
  func lists(of owner: UserName?, except list: PostgreSQLEditableList) throws -> Int {
    let unwritten = Set(lists.filter(\.isNew).map(\.header.listID) + [list.header.listID])
    let rows = try PostgreSQLFailure.named {
      try connection.run("SELECT list_id::text FROM ebb_list WHERE owner = $1", [.text(owner?.text ?? "")])
    }
    return rows.texts.count { !unwritten.contains($0) }
  }

  /// Brings what the lists keep back into the database.
  func flush() throws {
    let statements = lists.flatMap { $0.takeStatements() }
    guard !statements.isEmpty else { return }
    try PostgreSQLFailure.named { try connection.run(statements) }
  }

  /// Runs a query after whose failure the transaction goes on: PostgreSQL gives up all of it otherwise.
  func guarded<Value>(_ body: () throws -> Value) throws -> Value {
    depth += 1
    let name = "ebb_guard_\(depth)"
    defer { depth -= 1 }
    try PostgreSQLFailure.named { try connection.run("SAVEPOINT \(name)") }
    do {
      let value = try body()
      // The rest of the time for queries is no limit of the writes after them.
      try PostgreSQLFailure.named {
        try connection.run([
          PostgreSQLStatement("RELEASE \(name)"), patience.statement(reading: patience.writing),
        ])
      }
      return value
    } catch {
      try PostgreSQLFailure.named {
        try connection.run([PostgreSQLStatement("ROLLBACK TO \(name)"), PostgreSQLStatement("RELEASE \(name)")])
      }
      throw error
    }
  }

  func part<Value>(_ body: () throws -> (Value, isKept: Bool)) throws -> Value {
    depth += 1
    let name = "ebb_part_\(depth)"
    defer { depth -= 1 }
    try PostgreSQLFailure.named {
      try connection.run(lists.flatMap { $0.takeStatements() } + [PostgreSQLStatement("SAVEPOINT \(name)")])
    }
    let memories = lists.map { $0.remember() }
    let outcome = Result { try body() }
    if case .success((let value, isKept: true)) = outcome {
      try PostgreSQLFailure.named {
        try connection.run(
          lists.flatMap { $0.takeStatements() } + [PostgreSQLStatement("RELEASE \(name)")])
      }
      return value
    }
    for putBack in memories { putBack() }
    try PostgreSQLFailure.named {
      try connection.run([PostgreSQLStatement("ROLLBACK TO \(name)"), PostgreSQLStatement("RELEASE \(name)")])
    }
    return try outcome.get().0
  }

  /// True if there is something to commit.
  var isWritten: Bool { lists.contains { !$0.isNew && $0.isWritten } }

  /// The statements that end it well. Lists to which nothing was written leave no trace.
  func lastStatements() -> [PostgreSQLStatement] {
    var statements: [PostgreSQLStatement] = []
    for list in lists {
      if list.isNew {
        _ = list.takeStatements()
        statements.append(
          PostgreSQLStatement("DELETE FROM ebb_list WHERE list_id = $1::uuid", [.text(list.header.listID)]))
      } else if list.isWritten {
        statements += list.takeStatements() + [list.header.update]
      }
    }
    return statements
  }
}

/// How long the storage waits at most.
struct PostgreSQLPatience: Sendable {
  /// For the queries of one request.
  var reading = Duration.seconds(5)
  /// For the lock of a list that others write to, and for a session while the database lets no more begin.
  var busy = Duration.seconds(5)
  /// For one statement that writes.
  var writing = Duration.seconds(60)
  /// For the answer to a commit and to the statements that go with it. It waits for the disk, and for a synchronous
  /// standby; a client should hear of it before it gives up.
  var commit = Duration.seconds(10)
  /// For the note that a token was used.
  var note = Duration.seconds(3)
  /// For a process that began a transaction and went silent: then the database ends its session, and the lock is free.
  var idle = Duration.seconds(30)
  /// For an answer, beyond the limit that the database was given: then the connection counts as cut. Somebody between
  /// may have gone without closing it.
  var silence = Duration.seconds(5)

  /// How long one exchange of a read may take at all.
  var longestRead: Duration { reading + silence }
  /// The same of a writer that asks for its lock.
  var longestLock: Duration { busy + silence }
  /// The same of a writer that has it.
  var longestWrite: Duration { max(reading, writing) + silence }

  /// Sets them for a transaction, so that a pooler may give the session to somebody else after it.
  func statement(reading: Duration) -> PostgreSQLStatement {
    PostgreSQLStatement(
      """
      SELECT set_config('statement_timeout', $1, true), set_config('lock_timeout', $2, true),
        set_config('idle_in_transaction_session_timeout', $3, true)
      """, [reading, busy, idle].map { .integer(max($0.milliseconds, 1)) })
  }
}
