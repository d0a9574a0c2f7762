import FoundationEssentials
import GRDB
import OfflineSync
import TableProtocol

extension SQLiteTransaction {
  func versions(ofItem itemID: RecordID, in table: String) throws -> [RowVersion] {
    let statement = try database.cachedStatement(
      sql: """
        SELECT number, record, changedAt, origin FROM Ebb_Versions WHERE itemId = ? AND "table" = ? ORDER BY number
        """)
    return try Row.fetchAll(statement, arguments: [itemID.text, table]).map { row in
      RowVersion(
        number: row[0], before: try (row[1] as Data?).map(StoredRecord.decode),
        changedAt: (row[2] as String?).flatMap { Timestamp($0) }, origin: RowOrigin(rawValue: row[3]) ?? .here)
    }
  }

  func itemsWithVersions(among itemIDs: [RecordID], in table: String) throws -> Set<RecordID> {
    let any = try database.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM Ebb_Versions)")
    guard try Bool.fetchOne(any) ?? false else { return [] }
    var found: Set<RecordID> = []
    for ids in itemIDs.chunked(by: 500) {
      let statement = try database.cachedStatement(
        sql: #"SELECT DISTINCT itemId FROM Ebb_Versions WHERE itemId IN (\#(ids.marks)) AND "table" = ?"#)
      found.formUnion(
        try String.fetchAll(statement, arguments: StatementArguments(ids.map(\.text)) + [table]).map { RecordID($0) })
    }
    return found
  }

  func appendVersions(
    _ versions: [(itemID: RecordID, version: RowVersion)], in table: String, keeping row: Int, of all: Int
  ) throws {
    let last = try newest()
    let insert = try database.cachedStatement(
      sql: """
        INSERT INTO Ebb_Versions ("table", itemId, number, record, changedAt, origin) VALUES (?1, ?2,
        1 + ifnull((SELECT max(number) FROM Ebb_Versions WHERE itemId = ?2 AND "table" = ?1), 0), ?3, ?4, ?5)
        """)
    for (itemID, version) in versions {
      try insert.execute(arguments: [
        table, itemID.text, version.before.map(StoredRecord.encode), version.changedAt?.text, version.origin.rawValue,
      ])
    }
    try forget(keeping: row, since: last)
    try database.cachedStatement(sql: "DELETE FROM Ebb_Versions WHERE id <= ?")
      .execute(arguments: [try newest() - Int64(all)])
  }

  private func newest() throws -> Int64 {
    try Int64.fetchOne(database.cachedStatement(sql: "SELECT max(id) FROM Ebb_Versions")) ?? 0
  }

  /// Of the rows with a new version, those of which there are more than enough now.
  private func forget(keeping row: Int, since last: Int64) throws {
    let statement = try database.cachedStatement(
      sql: #"SELECT "table", itemId, number FROM Ebb_Versions WHERE id > ? AND number > ?"#)
    for crowd in try Row.fetchAll(statement, arguments: [last, row]) {
      let number: Int64 = crowd[2]
      try database.cachedStatement(
        sql: #"DELETE FROM Ebb_Versions WHERE itemId = ? AND "table" = ? AND number <= ?"#
      ).execute(arguments: [crowd[1] as String, crowd[0] as String, number - Int64(row)])
    }
  }
}

/// A record as a blob of JSON. Written and read by hand: a pull may bring thousands.
enum StoredRecord {
  static func encode(_ record: Record) -> Data {
    var writer = JSONWriter()
    record.write(to: &writer)
    return Data(writer.bytes)
  }

  static func decode(_ data: Data) throws -> Record { try Record(json: Array(data)) }
}
