import GRDB
import TableProtocol

/// Where the database has the rows of a list: in a table of its own, so that no query of one list can meet another's
/// rows.
struct ListPlace: Hashable {
  let list: ListID
  /// The list's number in the table `StoredList`.
  let number: Int64

  /// The name of the table. The first list has the one that every database of earlier versions has.
  var table: String {
    if number == 1 { return list.table.name }
    // SQLite keeps names that begin with `sqlite` for itself.
    return list.table == .todoItem ? "\(list.table.name)_\(number)" : "Table_\(list.table.name)_\(number)"
  }

  /// Made with the database: the list of those who need not sign in, until the first user gets it.
  static let first = ListPlace(list: ListID(.todoItem), number: 1)

  static func all(in database: Database) throws -> [ListPlace] { try all(in: database, "TRUE", []) }

  static func all(of owner: UserName?, in database: Database) throws -> [ListPlace] {
    try all(in: database, "owner = ?", [owner?.text ?? ""])
  }

  private static func all(
    in database: Database, _ condition: String, _ values: [any DatabaseValueConvertible]
  ) throws -> [ListPlace] {
    var places: [ListPlace] = []
    try database.forEach(
      "SELECT number, owner, name FROM StoredList WHERE \(condition) ORDER BY number", values
    ) { row in
      guard let number = row.integer(0), let owner = row.text(1),
        let table = row.text(2).flatMap(ServedTable.init(named:)), let list = list(of: owner, table),
        // The first list has a table without a number in its name, which could be one of the server's own.
        number != first.number || table == first.list.table
      else { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a name in StoredList is damaged") }
      places.append(ListPlace(list: list, number: number))
      return true
    }
    return places
  }

  /// Nil for a name that can't be a user's.
  private static func list(of owner: String, _ table: ServedTable) -> ListID? {
    if owner.isEmpty { return ListID(table) }
    return UserName(owner).map { ListID(table, owner: $0) }
  }

  /// Nil for a list that has no table yet.
  static func of(_ list: ListID, in database: Database) throws -> ListPlace? {
    let sql = "SELECT number FROM StoredList WHERE owner = ? AND name = ?"
    return try database.integer(sql, [list.owner?.text ?? "", list.table.name])
      .map { ListPlace(list: list, number: $0) }
  }

  /// How many lists the owner of this one has beside it. The first list, which is always there, counts; others that
  /// were made in this transaction count if they have a row.
  func others(in database: Database) throws -> Int {
    let places = try Self.all(of: list.owner, in: database).filter { $0 != self }
    return try places.count { try $0.number == 1 || $0.hasRows(in: database) }
  }

  /// Tombstones included.
  func countRows(in database: Database) throws -> Int {
    try Int.fetchOne(database, sql: "SELECT count(*) FROM \"\(table)\"") ?? 0
  }

  private func hasRows(in database: Database) throws -> Bool {
    let sql = """
      SELECT 1 FROM StoredList WHERE number = ? AND lastUpdatedAt > 0 UNION ALL SELECT * FROM (SELECT 1 FROM "\(table)" LIMIT 1)
      """
    return try database.hasRow(sql, [number])
  }

  /// Makes the place of a list that has none.
  static func make(for list: ListID, in database: Database) throws -> ListPlace {
    try database.execute(
      sql: "INSERT INTO StoredList (owner, name) VALUES (?, ?)", arguments: [list.owner?.text ?? "", list.table.name])
    let place = ListPlace(list: list, number: database.lastInsertedRowID)
    try place.makeTable(in: database)
    return place
  }

  /// Takes back what ``make(for:in:)`` did.
  func removeTable(in database: Database) throws {
    try database.execute(sql: "DROP TABLE \"\(table)\"; DELETE FROM StoredList WHERE number = \(number)")
    // A trigger that is none of the server's could keep the row.
    guard database.changesCount == 1 else {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a row of StoredList can't be removed")
    }
  }

  /// Removes the list with all that is kept of it. In the place of the first one, which every database has, comes the
  /// list that those who need not sign in have begun since, else an empty one that is nobody's.
  func remove(in database: Database) throws {
    try database.execute(sql: "DELETE FROM KeptAnswer WHERE list = ?", arguments: [number])
    try removeTable(in: database)
    guard number == Self.first.number else { return }
    if let begun = try Self.of(Self.first.list, in: database) {
      try begun.becomeFirst(in: database)
    } else {
      try database.execute(
        sql: "INSERT INTO StoredList (number, owner, name) VALUES (?, '', ?)",
        arguments: [number, Self.first.list.table.name])
      try Self.first.makeTable(in: database)
    }
  }

  /// Moves the list to the place of the first one, which was removed.
  private func becomeFirst(in database: Database) throws {
    let first = Self.first
    try database.execute(
      sql: """
        DROP TRIGGER "\(trigger)";
        DROP INDEX "\(index)";
        ALTER TABLE "\(table)" RENAME TO "\(first.table)";
        UPDATE StoredList SET number = \(first.number) WHERE number = \(number);
        UPDATE KeptAnswer SET list = \(first.number) WHERE list = \(number);
        """)
    try first.makeIndex(in: database)
    try first.makeTrigger(in: database)
  }

  /// Makes the lists of those who need not sign in those of a user, and returns how many to-do items they have. A list
  /// stays if the user has one of that table.
  static func handOver(to user: UserName, in database: Database) throws -> Int {
    try database.execute(
      sql: """
        UPDATE StoredList SET owner = ? WHERE owner = ''
          AND NOT EXISTS (SELECT 1 FROM StoredList AS other WHERE other.owner = ? AND other.name = StoredList.name)
        """, arguments: [user.text, user.text])
    guard database.changesCount > 0, let place = try of(ListID(.todoItem, owner: user), in: database) else { return 0 }
    return try StoredState.read(place, in: database).digest.count
  }

  /// Columns that clients add are added with the types TEXT, BOOLEAN or NUMERIC, which is how their type is remembered.
  ///
  /// Moments are milliseconds since 1970, UTC. By `row-digest` the server notices damage; no client can send a property
  /// whose name has a hyphen. A row that somebody removes, as the last of the old tombstones, must not take the newest
  /// moment with it: clients would think that an older copy of the database was put back.
  func makeTable(in database: Database) throws {
    let first = list.table.firstColumns.map { "\($0.name) \($0.kind.type), " }.joined()
    try database.execute(
      sql: """
        CREATE TABLE "\(table)" (
          id TEXT NOT NULL PRIMARY KEY,
          \(first)
          createdAt INTEGER NOT NULL,
          updatedAt INTEGER NOT NULL, -- no two rows of the list share one
          version TEXT NOT NULL,
          deleted BOOLEAN NOT NULL, -- 1 is a tombstone
          "row-digest" INTEGER -- a hash of all that is in the row; null if the server has not looked at it yet
        )
        """)
    try makeIndex(in: database)
    try makeTrigger(in: database)
  }

  private var index: String { table + "_updatedAt" }

  /// The order of every pull.
  private func makeIndex(in database: Database) throws {
    try database.execute(sql: "CREATE INDEX \"\(index)\" ON \"\(table)\" (updatedAt, id)")
  }

  var trigger: String { table + "_removed" }

  func makeTrigger(in database: Database) throws {
    try database.execute(
      sql: """
        CREATE TRIGGER "\(trigger)" AFTER DELETE ON "\(table)" BEGIN
          UPDATE StoredList SET newestRemoved = max(coalesce(newestRemoved, OLD.updatedAt), OLD.updatedAt)
          WHERE number = \(number);
        END;
        """)
  }
}
