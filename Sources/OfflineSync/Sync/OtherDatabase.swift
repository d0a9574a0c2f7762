import TableProtocol

/// A table that meets another database, which a person called the same list (sync-rules Q26): from that answer until
/// all of its rows were sent and compared. Meanwhile the versions of its rows are void, and a row that this database
/// lacks was not deleted there.
extension StoreReader {
  func meetsOtherDatabase(_ table: String) throws -> Bool { try fact(SyncFact.otherDatabase(of: table)) != nil }

  /// Returns those of the rows that the present database has never given. None if the table meets no other.
  func idsFromElsewhere(among ids: [RecordID], in table: String) throws -> Set<RecordID> {
    guard try meetsOtherDatabase(table) else { return [] }
    return Set(try versions(of: ids, in: table).filter { $0.value == TrackedRow.voidVersion }.keys)
  }
}

extension StoreWriter {
  /// `lastPull` is the time of the last pull from the former database, in UTC.
  func meetOtherDatabase(_ table: String, lastPull: Timestamp) throws {
    try setFact(SyncFact.otherDatabase(of: table), lastPull.text)
  }

  func forgetOtherDatabase(of table: String) throws { try removeFact(SyncFact.otherDatabase(of: table)) }

  /// Call it after a sync that has compared all rows. Notes that the table has moved to the present database, if this
  /// one has had its say about each row. Otherwise all rows are compared once more: one was changed while they were.
  /// `now` is UTC.
  func endMove(of table: String, now: Timestamp) throws {
    guard try meetsOtherDatabase(table) else { return }
    let isVoid = Filter.compare(SystemColumn.version, .equal, .text(TrackedRow.voidVersion.text))
    let changed = Set(try operations(in: table).map(\.itemID)).sorted()
    let isLeft = try trackedRows(changed, in: table).contains { $0.there.version == TrackedRow.voidVersion }
    let rows = try records(TableQuery(table: table, filter: isVoid)).records.map(\.id)
    if isLeft || !Set(rows).isSubset(of: changed) {
      try requireComparison(now: now)
    } else {
      try forgetOtherDatabase(of: table)
    }
  }
}
