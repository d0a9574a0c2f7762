import FoundationEssentials
import GRDB
import OfflineSync
import SQLiteStatements
import TableProtocol

extension SQLiteTransaction {
  func pastVersions(ofItems itemIDs: [RecordID], in table: String) throws -> [RecordID: [PastVersion]] {
    guard try number("SELECT 1 FROM Ebb_Versions LIMIT 1") != nil else { return [:] }
    var found: [RecordID: [PastVersion]] = [:]
    for ids in itemIDs.chunked(by: 500) {
      let versions = """
        SELECT itemId, number, record, changedAt, origin FROM Ebb_Versions
        WHERE itemId IN (\(ids.marks)) AND "table" = ? ORDER BY itemId, number
        """
      try forEachRow(versions, ids.values + [table]) { row in
        let before = row.isNull(2) ? nil : try Record(json: row.bytes(2))
        let version = PastVersion(
          number: row.integer(1), before: before, changedAt: row.timestamp(3),
          origin: row.text(4).flatMap(RowOrigin.init) ?? .here)
        found[row.id(0), default: []].append(version)
      }
    }
    return found
  }

  func appendPastVersions(
    _ versions: [(itemID: RecordID, version: PastVersion)], in table: String, keeping row: Int, of all: Int
  ) throws {
    let last = try newest()
    let insert = try database.cachedStatement(
      sql: """
        INSERT INTO Ebb_Versions ("table", itemId, number, record, changedAt, origin) VALUES (?1, ?2,
        1 + ifnull((SELECT max(number) FROM Ebb_Versions WHERE itemId = ?2 AND "table" = ?1), 0), ?3, ?4, ?5)
        """)
    for (itemID, version) in versions {
      try insert.run([
        table.databaseValue, itemID.text.databaseValue,
        version.before?.stored.databaseValue ?? .null,
        version.changedAt?.text.databaseValue ?? .null, version.origin.rawValue.databaseValue,
      ])
    }
    try forget(keeping: row, since: last)
    try database.cachedStatement(sql: "DELETE FROM Ebb_Versions WHERE id <= ?")
      .execute(arguments: [try newest() - Int64(all)])
  }

  private func newest() throws -> Int64 {
    try number("SELECT max(id) FROM Ebb_Versions") ?? 0
  }

  /// Removes the oldest past versions of the rows that got a new one and have too many now.
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

extension SQLiteTransaction {
  func arrivals(ofItems itemIDs: [RecordID]?, in table: String) throws -> [RowArrival] {
    guard let itemIDs else { return try arrivals(where: #""table" = ? ORDER BY id"#, [table]) }
    guard try number("SELECT 1 FROM Ebb_Arrivals LIMIT 1") != nil else { return [] }
    return try itemIDs.chunked(by: 500).flatMap { ids in
      try arrivals(where: #"itemId IN (\#(ids.marks)) AND "table" = ?"#, ids.values + [table])
    }
  }

  private func arrivals(where condition: String, _ values: [any DatabaseValueConvertible]) throws -> [RowArrival] {
    var arrivals: [RowArrival] = []
    try forEachRow("SELECT itemId, record, kind, arrivedAt FROM Ebb_Arrivals WHERE \(condition)", values) { row in
      let before = row.isNull(1) ? nil : try Record(json: row.bytes(1))
      arrivals.append(
        RowArrival(
          itemID: row.id(0), before: before, kind: row.text(2) ?? "", arrivedAt: row.timestamp(3) ?? .epoch))
    }
    return arrivals
  }

  func arrivalCounts(in table: String) throws -> [String: Int] {
    var counts: [String: Int] = [:]
    try forEachRow(#"SELECT kind, count(*) FROM Ebb_Arrivals WHERE "table" = ? GROUP BY kind"#, [table]) { row in
      counts[row.text(0) ?? ""] = Int(row.integer(1))
    }
    return counts
  }

  func putArrivals(_ arrivals: [RowArrival], in table: String, keeping limit: Int) throws {
    for arrivals in arrivals.chunked(by: 100) {
      let marks = Array(repeating: "(?, ?, ?, ?, ?)", count: arrivals.count).joined(separator: ", ")
      var arguments: [(any DatabaseValueConvertible)?] = []
      for arrival in arrivals {
        arguments += [
          table, arrival.itemID.text, arrival.before?.stored, arrival.kind, arrival.arrivedAt.text,
        ]
      }
      try database.cachedStatement(
        sql: #"INSERT OR REPLACE INTO Ebb_Arrivals ("table", itemId, record, kind, arrivedAt) VALUES \#(marks)"#
      ).execute(arguments: StatementArguments(arguments))
    }
    let count = Int(try number("SELECT count(*) FROM Ebb_Arrivals") ?? 0)
    guard count > limit else { return }
    try database.cachedStatement(
      sql: "DELETE FROM Ebb_Arrivals WHERE id IN (SELECT id FROM Ebb_Arrivals ORDER BY id LIMIT ?)"
    ).execute(arguments: [count - limit])
  }

  func removeArrivals(ofItems itemIDs: [RecordID], in table: String) throws {
    guard try number("SELECT 1 FROM Ebb_Arrivals LIMIT 1") != nil else { return }
    for ids in itemIDs.chunked(by: 500) {
      try database.cachedStatement(
        sql: #"DELETE FROM Ebb_Arrivals WHERE itemId IN (\#(ids.marks)) AND "table" = ?"#
      ).execute(arguments: StatementArguments(ids.values + [table]))
    }
  }
}
