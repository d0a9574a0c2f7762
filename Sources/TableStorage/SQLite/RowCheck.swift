import GRDB
import GRDBSQLite
import TableProtocol

/// One look at every row of a table: whether the digests that the server keeps are those of its rows.
struct RowCheck {
  private(set) var list: ListCheck
  private let place: ListPlace
  /// Rows without a digest: of an earlier version, or not written by the server. Nil unless the look is for a repair:
  /// they may be all rows of the list.
  private(set) var unmarked: [Mark]?

  struct Mark {
    /// Not the number of the row: a client may have a column of that name.
    let id: String
    let digest: Int64
  }

  init(of place: ListPlace, _ schema: TableSchema, in database: Database, forRepair: Bool = false) throws {
    self.place = place
    unmarked = forRepair ? [] : nil
    list = ListCheck(place.list, stored: try StoredState.digest(of: place, in: database))
    let system = [
      SystemColumn.id, SystemColumn.version, SystemColumn.createdAt, SystemColumn.updatedAt, SystemColumn.deleted,
    ]
    let walk = TableWalk(place, [RowDigest.column] + system + schema.columns.map(\.name), schema, in: database)
    try walk.visit { row in
      switch row {
      case .read(let row): look(at: row, schema.columns)
      case .tooLarge(let number): try look(atLarge: number, walk)
      }
    }
  }

  /// A row with a value that the server would not have written. It counts as one of the list if its id and its version
  /// can be read.
  private mutating func look(atLarge number: Int64, _ walk: TableWalk) throws {
    var id: String?
    try walk.read([SystemColumn.id, SystemColumn.version, SystemColumn.deleted], ofRow: number) { row in
      if row.integer(2) == 0 { list.counted.add(hash: TableDigest.hash(row.utf8(0), row.utf8(1))) }
      id = row.text(0)
    }
    list.addDamaged(id ?? "rowid \(number)")
  }

  private mutating func look(at row: SQLiteRow, _ columns: [TableColumn]) {
    if row.integer(5) == 0 { list.counted.add(hash: TableDigest.hash(row.utf8(1), row.utf8(2))) }
    let digest = RowDigest(row: row.statement, first: 1, columns).value
    var id: String { String(decoding: row.utf8(1), as: UTF8.self) }
    if row.isNull(0) {
      unmarked?.append(Mark(id: id, digest: digest))
      list.unmarked += 1
    } else if row.integer(0) != digest {
      list.addDamaged(id)
    }
  }

  /// Stores what was counted, in the transaction of the look, which was for a repair. A damaged row stays as it is, and
  /// stays damaged.
  func repair(in database: Database) throws {
    if list.stored != list.counted { try StoredState.write(list.counted, of: place, in: database) }
    let statement = try database.makeStatement(
      sql: "UPDATE \"\(place.table)\" SET \"\(RowDigest.column)\" = ? WHERE id = ?")
    for mark in unmarked ?? [] { try statement.execute(arguments: [mark.digest, mark.id]) }
  }
}
