import TableProtocol

/// The row of a list in `ebb_list`: its clock, its digest and its columns.
struct PostgreSQLHeader: Equatable {
  /// A UUID as PostgreSQL writes it.
  let listID: String
  var columns: [TableColumn]
  var state: ListState
  var answersKeptAfter: Timestamp?

  /// The columns of ``select``, which gives one row a list.
  private static let fields = """
    l.list_id::text, l.owner, l.name, l.columns, l.last_updated_at, l.live, l.checksum, l.newest, l.epoch_from,
    l.tombstones_after, l.answers_kept_after
    """
  /// After these: of the database, and of the moment.
  private static let more = """
    d.epoch, d.epoch_nonce, (extract(epoch FROM clock_timestamp()) * 1000)::bigint, current_setting('synchronous_commit')
    """

  /// The one list, if it is there; the database in any case.
  static func one(_ list: ListID) -> PostgreSQLStatement {
    PostgreSQLStatement(
      """
      SELECT \(fields), \(more) FROM ebb_database d LEFT JOIN ebb_list l ON l.owner = $1 AND l.name = $2
      """, [.text(list.owner?.text ?? ""), .text(list.table.name)])
  }

  /// Those of the lists that are there.
  static func several(_ lists: [ListID]) -> PostgreSQLStatement {
    PostgreSQLStatement(
      """
      SELECT \(fields), \(more) FROM ebb_database d, ebb_list l
      WHERE (l.owner, l.name) IN (SELECT * FROM unnest($1::text[], $2::text[]))
      """, arguments(lists))
  }

  /// Locks those that are there, always in the same order, so that no two writers wait for one another.
  static func lock(_ lists: [ListID]) -> PostgreSQLStatement {
    PostgreSQLStatement(
      """
      SELECT l.list_id::text FROM ebb_list l
      WHERE (l.owner, l.name) IN (SELECT * FROM unnest($1::text[], $2::text[])) ORDER BY l.list_id FOR UPDATE
      """, arguments(lists))
  }

  private static func arguments(_ lists: [ListID]) -> [PostgreSQLValue] {
    [.array(lists.map { $0.owner?.text ?? "" }), .array(lists.map(\.table.name))]
  }

  /// The list that a row of these is about; nil for a row that is about none, or whose names are damaged.
  static func list(_ rows: PostgreSQLRows, _ row: Int, owner: Int = 1, name: Int = 2) -> ListID? {
    guard let owner = rows.text(row, owner), let table = rows.text(row, name).flatMap(ServedTable.init(named:))
    else { return nil }
    if owner.isEmpty { return ListID(table) }
    return UserName(owner).map { ListID(table, owner: $0) }
  }

  static func epoch(_ rows: PostgreSQLRows, _ row: Int) throws -> DatabaseEpoch {
    guard let number = rows.integer(row, 11).flatMap(Int.init(exactly:)) else {
      throw StorageError.failed("the database's identity is damaged")
    }
    return DatabaseEpoch(number: number, from: rows.moment(row, 8), nonce: rows.text(row, 12))
  }

  /// The time by the database's clock.
  static func now(_ rows: PostgreSQLRows, _ row: Int) -> Timestamp? { rows.moment(row, 13) }

  /// True if a commit may be lost although it was confirmed.
  static func commitsUnsafely(_ rows: PostgreSQLRows, _ row: Int) -> Bool { rows.text(row, 14) == "off" }

  init(_ rows: PostgreSQLRows, _ row: Int) throws {
    guard let listID = rows.text(row, 0), let columns = rows.text(row, 3).flatMap(ColumnList.columns),
      let last = rows.moment(row, 4)
    else { throw StorageError.failed("what is kept of a list is damaged") }
    self.listID = listID
    self.columns = columns
    let count = rows.integer(row, 5).flatMap { Int(exactly: max($0, 0)) } ?? 0
    state = ListState(
      lastMoment: last, newestMoment: rows.moment(row, 7), tombstonesAfter: rows.moment(row, 9),
      digest: TableDigest(count: count, checksum: UInt64(bitPattern: rows.integer(row, 6) ?? 0)),
      epoch: try Self.epoch(rows, row))
    answersKeptAfter = rows.moment(row, 10)
  }

  /// Of a list that is not there yet.
  init(new list: ListID, listID: String, epoch: DatabaseEpoch) {
    self.listID = listID
    columns = list.table.firstColumns
    state = ListState(lastMoment: .epoch, digest: TableDigest(), epoch: epoch)
  }

  /// Writes what a transaction changed. The moment up to which answers were dropped has a statement of its own.
  var update: PostgreSQLStatement {
    PostgreSQLStatement(
      """
      UPDATE ebb_list SET columns = $2, last_updated_at = $3, live = $4, checksum = $5, newest = $6,
        tombstones_after = $7 WHERE list_id = $1::uuid
      """,
      [
        .text(listID), .text(ColumnList.text(of: columns)), .moment(state.lastMoment), .integer(state.digest.count),
        .integer(Int64(bitPattern: state.digest.checksum)), .moment(state.newestMoment),
        .moment(state.tombstonesAfter),
      ])
  }
}
