import FoundationEssentials
import GRDB
import TableProtocol

/// A file of SQLite as one end of a move.
extension SQLiteStorage: MovableStorage {
  func isUnused() throws -> Bool {
    try blocking { database in
      var isUsed = false
      let sql = """
        SELECT 1 FROM AccessToken UNION ALL SELECT 1 FROM StoredList WHERE number > 1 OR lastUpdatedAt > 0
        UNION ALL SELECT * FROM (SELECT 1 FROM TodoItem LIMIT 1)
        """
      try database.forEach(sql) { _ in
        isUsed = true
        return false
      }
      return !isUsed
    }
  }

  /// A file that was left half full is refused as one in use: its keeper removes it.
  func clearUnfinishedMove() throws {}

  func markMoveFinished() throws {}

  func allTokens() throws -> [(digest: TokenDigest, grant: Grant)] {
    let digests = try blocking { try Data.fetchAll($0, sql: "SELECT digest FROM AccessToken ORDER BY rowid") }
    return try zip(digests, grants()).compactMap { digest, grant in
      TokenDigest(bytes: Array(digest)).map { ($0, grant) }
    }
  }

  func begin(_ moved: MovedDatabase) throws {
    guard let owner = moved.lists.first?.list.owner else { return }
    try blocking { try $0.execute(sql: "UPDATE StoredList SET owner = ? WHERE number = 1", arguments: [owner.text]) }
  }

  func finish(_ moved: MovedDatabase) throws {
    try blocking { database in
      try database.execute(
        sql: "UPDATE ServerIdentity SET uuid = ?, epoch = ?, epochNonce = ?, address = ?",
        arguments: [moved.identity.text, moved.epoch.number, moved.epoch.nonce, moved.address])
      for list in moved.lists {
        guard let place = try ListPlace.of(list.list, in: database) else { continue }
        try database.execute(
          sql: """
            UPDATE StoredList SET lastUpdatedAt = ?, newestRemoved = ?, epochFrom = ?, answersKeptAfter = ?, tombstonesAfter = ?
            WHERE number = ?
            """,
          arguments: [
            list.state.lastMoment.milliseconds, list.state.newestMoment?.milliseconds,
            list.state.epoch.from?.milliseconds, moved.answersKeptAfter.milliseconds,
            list.state.tombstonesAfter?.milliseconds, place.number,
          ])
      }
      for (digest, grant) in moved.grants {
        try database.execute(
          sql: """
            INSERT INTO AccessToken (digest, id, user, label, scope, createdAt, expiresAt, lastUsedAt, revoked)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
          arguments: [
            Data(digest.bytes), grant.id, grant.user.text, grant.label, grant.scope.rawValue,
            grant.createdAt.milliseconds, grant.expiresAt?.milliseconds, grant.lastUsedAt?.milliseconds,
            grant.isRevoked,
          ])
      }
    }
    try keep(moved.aliases)
  }
}
