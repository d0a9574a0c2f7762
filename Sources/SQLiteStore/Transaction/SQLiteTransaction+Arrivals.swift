import FoundationEssentials
import GRDB
import OfflineSync
import TableProtocol

extension SQLiteTransaction {
  func arrivals(ofItems itemIDs: [RecordID]?, in table: String) throws -> [RowArrival] {
    guard let itemIDs else { return try arrivals(where: #""table" = ? ORDER BY id"#, [table]) }
    let any = try database.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM Ebb_Arrivals)")
    guard try Bool.fetchOne(any) ?? false else { return [] }
    return try itemIDs.chunked(by: 500).flatMap { ids in
      try arrivals(where: #"itemId IN (\#(ids.marks)) AND "table" = ?"#, StatementArguments(ids.map(\.text)) + [table])
    }
  }

  private func arrivals(where condition: String, _ arguments: StatementArguments) throws -> [RowArrival] {
    let statement = try database.cachedStatement(
      sql: "SELECT itemId, record, kind, arrivedAt FROM Ebb_Arrivals WHERE \(condition)")
    return try Row.fetchAll(statement, arguments: arguments).map { row in
      RowArrival(
        itemID: RecordID(row[0]), before: try (row[1] as Data?).map(StoredRecord.decode), kind: row[2],
        arrivedAt: Timestamp(row[3] as String) ?? .epoch)
    }
  }

  func arrivalCounts(in table: String) throws -> [String: Int] {
    let statement = try database.cachedStatement(
      sql: #"SELECT kind, count(*) FROM Ebb_Arrivals WHERE "table" = ? GROUP BY kind"#)
    let rows = try Row.fetchAll(statement, arguments: [table])
    return Dictionary(rows.map { ($0[0] as String, $0[1] as Int) }, uniquingKeysWith: +)
  }

  func putArrivals(_ arrivals: [RowArrival], in table: String, keeping limit: Int) throws {
    for arrivals in arrivals.chunked(by: 100) {
      let marks = Array(repeating: "(?, ?, ?, ?, ?)", count: arrivals.count).joined(separator: ", ")
      var arguments: [(any DatabaseValueConvertible)?] = []
      for arrival in arrivals {
        arguments += [
          table, arrival.itemID.text, arrival.before.map(StoredRecord.encode), arrival.kind, arrival.arrivedAt.text,
        ]
      }
      try database.cachedStatement(
        sql: #"INSERT OR REPLACE INTO Ebb_Arrivals ("table", itemId, record, kind, arrivedAt) VALUES \#(marks)"#
      ).execute(arguments: StatementArguments(arguments))
    }
    let count = try Int.fetchOne(database.cachedStatement(sql: "SELECT count(*) FROM Ebb_Arrivals")) ?? 0
    guard count > limit else { return }
    try database.cachedStatement(
      sql: "DELETE FROM Ebb_Arrivals WHERE id IN (SELECT id FROM Ebb_Arrivals ORDER BY id LIMIT ?)"
    ).execute(arguments: [count - limit])
  }

  func removeArrivals(ofItems itemIDs: [RecordID], in table: String) throws {
    for ids in itemIDs.chunked(by: 500) {
      try database.cachedStatement(
        sql: #"DELETE FROM Ebb_Arrivals WHERE itemId IN (\#(ids.marks)) AND "table" = ?"#
      ).execute(arguments: StatementArguments(ids.map(\.text)) + [table])
    }
  }
}
