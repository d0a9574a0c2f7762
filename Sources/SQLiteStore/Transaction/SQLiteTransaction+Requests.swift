import GRDB
import OfflineSync
import TableProtocol

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
