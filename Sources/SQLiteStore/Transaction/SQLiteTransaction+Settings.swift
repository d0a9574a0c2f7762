import GRDB
import OfflineSync
import TableProtocol

/// The settings: delta tokens and facts.
extension SQLiteTransaction {
  /// The kind of `MS_TableConfig` row that holds a delta token: the only one there is.
  private static let deltaTokenKind = 0

  func setting(_ name: StoreSetting) throws -> String? {
    switch name {
    case .deltaToken(let table, let queryID):
      try text(
        #"SELECT value FROM MS_TableConfig WHERE "table" = ? AND "key" = ? AND keyType = ?"#,
        [table, queryID, Self.deltaTokenKind])
    case .fact(let name):
      try text("SELECT value FROM Ebb_Facts WHERE name = ?", [name])
    }
  }

  func set(_ name: StoreSetting, to value: String?) throws {
    switch (name, value) {
    case (.deltaToken(let table, let queryID), let value?):
      try execute(
        """
        INSERT INTO MS_TableConfig (id, "table", "key", keyType, value) VALUES (lower(hex(randomblob(16))), ?, ?, ?, ?)
        ON CONFLICT ("table", "key", keyType) DO UPDATE SET value = excluded.value
        """, [table, queryID, Self.deltaTokenKind, value])
    case (.deltaToken(let table, let queryID), nil):
      try execute(
        #"DELETE FROM MS_TableConfig WHERE "table" = ? AND "key" = ? AND keyType = ?"#,
        [table, queryID, Self.deltaTokenKind])
    case (.fact(let name), let value?):
      try execute("INSERT OR REPLACE INTO Ebb_Facts (name, value) VALUES (?, ?)", [name, value])
    case (.fact(let name), nil):
      try execute("DELETE FROM Ebb_Facts WHERE name = ?", [name])
    }
  }

  func clear(_ memory: StoreMemory, of table: String) throws {
    switch memory {
    case .deltaTokens:
      try execute(#"DELETE FROM MS_TableConfig WHERE "table" = ? AND keyType = ?"#, [table, Self.deltaTokenKind])
    case .undoSteps: try execute(#"DELETE FROM Ebb_History WHERE "table" = ?"#, [table])
    case .pastVersions: try execute(#"DELETE FROM Ebb_Versions WHERE "table" = ?"#, [table])
    case .arrivals: try execute(#"DELETE FROM Ebb_Arrivals WHERE "table" = ?"#, [table])
    }
  }

  func revision() throws -> StoreRevision? {
    try number("PRAGMA data_version").map { StoreRevision(own: Int64(database.totalChangesCount), others: $0) }
  }

  private func execute(_ sql: String, _ arguments: StatementArguments) throws {
    try database.cachedStatement(sql: sql).execute(arguments: arguments)
  }
}

/// The sync log.
extension SQLiteTransaction {
  func requests(limit: Int) throws -> [RequestRecord] {
    let statement = try database.cachedStatement(
      sql: """
        SELECT startedAt, verb, path, status, failure, milliseconds, bytesSent, bytesReceived
        FROM Ebb_Requests ORDER BY id DESC LIMIT ?
        """)
    return try Row.fetchAll(statement, arguments: [limit]).map { row in
      let status: Int? = row[3]
      return RequestRecord(
        startedAt: Timestamp(row[0] as String) ?? .epoch, verb: row[1], path: row[2],
        outcome: status.map(RequestRecord.Outcome.status) ?? .failed(row[4] ?? ""), milliseconds: row[5],
        bytesSent: row[6], bytesReceived: row[7])
    }
  }

  func appendRequests(_ requests: [RequestRecord], keeping limit: Int) throws {
    let statement = try database.cachedStatement(
      sql: """
        INSERT INTO Ebb_Requests
        (startedAt, verb, path, status, failure, milliseconds, bytesSent, bytesReceived)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """)
    for request in requests.suffix(limit) {
      try statement.execute(arguments: [
        request.startedAt.text, request.verb, request.path, request.outcome.status, request.outcome.failure,
        request.milliseconds, request.bytesSent, request.bytesReceived,
      ])
    }
    try database.cachedStatement(
      sql: "DELETE FROM Ebb_Requests WHERE id <= (SELECT max(id) FROM Ebb_Requests) - ?"
    ).execute(arguments: [limit])
  }
}

extension RequestRecord.Outcome {
  fileprivate var status: Int? {
    if case .status(let status) = self { status } else { nil }
  }

  fileprivate var failure: String? {
    if case .failed(let words) = self { words } else { nil }
  }
}
