import FoundationEssentials
import GRDB
import TableProtocol

/// The table of the answers that lists keep.
enum KeptAnswerTable {
  static let index = "CREATE INDEX KeptAnswer_firstSent ON KeptAnswer (list, firstSent);"
}

/// The answers that a list keeps for clients that did not get them, in the table `KeptAnswer`.
extension SQLiteEditableList {
  func answer(_ id: String) throws -> KeptAnswer? {
    try SQLiteFailure.named {
      var answer: KeptAnswer?
      let sql = """
        SELECT firstSent, fingerprint, status, eTag, location, changedAt, body FROM KeptAnswer WHERE list = ? AND id = ?
        """
      try database.forEach(sql, [place.number, id]) { row in
        // A damaged answer must not be given, and its request must not be run again.
        guard let firstSent = row.moment(0), let status = row.integer(2).flatMap(Int.init(exactly:)),
          (200..<400).contains(status)
        else { throw StorageError.refused("A kept answer is damaged.") }
        answer = KeptAnswer(
          id: id, firstSent: firstSent, fingerprint: Array(row.utf8(1)), status: status, eTag: row.text(3),
          location: row.text(4), changedAt: row.moment(5), body: Array(row.utf8(6)))
        return false
      }
      return answer
    }
  }

  func keep(_ answer: KeptAnswer) throws {
    try SQLiteFailure.named {
      try database.cachedStatement(
        sql: """
          INSERT INTO KeptAnswer (list, id, firstSent, fingerprint, status, eTag, location, changedAt, body)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
          """
      ).execute(arguments: [
        place.number, answer.id, answer.firstSent.milliseconds, Data(answer.fingerprint), answer.status, answer.eTag,
        answer.location, answer.changedAt?.milliseconds, Data(answer.body),
      ])
    }
  }

  func dropAnswers(upTo moment: Timestamp, most: Int, bytes: Int?) throws {
    try SQLiteFailure.named {
      let tooLarge = try bytes.flatMap { try youngestToGo(bytes: $0) }
      try drop(upTo: max(youngestToGo(most) ?? .min, tooLarge ?? .min, moment.milliseconds))
    }
  }

  func answersKeptAfter() throws -> Timestamp? {
    try SQLiteFailure.named {
      try database.integer("SELECT answersKeptAfter FROM StoredList WHERE number = ?", [place.number])
        .map(Timestamp.init(milliseconds:))
    }
  }

  /// When the youngest was first sent of those that are more than `most`.
  private func youngestToGo(_ most: Int) throws -> Int64? {
    try moment("SELECT firstSent FROM KeptAnswer WHERE list = ? ORDER BY firstSent DESC LIMIT 1 OFFSET ?", most)
  }

  /// When the youngest was first sent of those that, with all younger ones, are more than so many bytes.
  private func youngestToGo(bytes: Int) throws -> Int64? {
    try moment(
      """
      SELECT max(firstSent) FROM (
        SELECT firstSent, sum(length(body)) OVER (ORDER BY firstSent DESC ROWS UNBOUNDED PRECEDING) AS size
        FROM KeptAnswer WHERE list = ?)
      WHERE size > ?
      """, bytes)
  }

  private func moment(_ sql: String, _ limit: Int) throws -> Int64? {
    try database.integer(sql, [place.number, limit])
  }

  private func drop(upTo last: Int64) throws {
    let sql = "SELECT max(firstSent) FROM KeptAnswer WHERE list = ? AND firstSent <= ?"
    guard let youngest = try database.integer(sql, [place.number, last]) else { return }
    try database.cachedStatement(sql: "DELETE FROM KeptAnswer WHERE list = ? AND firstSent <= ?")
      .execute(arguments: [place.number, last])
    try database.cachedStatement(
      sql: "UPDATE StoredList SET answersKeptAfter = max(coalesce(answersKeptAfter, ?), ?) WHERE number = ?"
    ).execute(arguments: [youngest, youngest, place.number])
  }
}
