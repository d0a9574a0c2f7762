import FoundationEssentials
import GRDB
import TableProtocol

/// The tokens that were given out, in the same database.
extension SQLiteStorage: AccessStorage {
  func grant(_ digest: TokenDigest) async throws -> Grant? {
    try await reading { try StoredGrants.grant(digest, in: $0) }
  }

  func hasGrants() async throws -> Bool {
    try await reading { try StoredGrants.exist(in: $0) }
  }

  func grants() throws -> [Grant] {
    try blocking { try StoredGrants.all(in: $0) }
  }

  func add(_ grant: Grant, _ digest: TokenDigest) throws -> (grant: Grant, itemsTakenOver: Int) {
    try blocking { database in
      let isFirst = try !StoredGrants.exist(in: database)
      let added = try StoredGrants.add(grant, digest, in: database)
      return (added, isFirst ? try ListPlace.handOver(to: grant.user, in: database) : 0)
    }
  }

  func revoke(_ choice: GrantChoice) throws -> [Grant] {
    try blocking { try StoredGrants.revoke(choice, in: $0) }
  }

  func noteUse(_ digest: TokenDigest, at moment: Timestamp) async throws {
    try await writing { try StoredGrants.noteUse(digest, at: moment, in: $0) }
  }
}

/// The statements about the table `AccessToken`.
private enum StoredGrants {
  private static let columns = "id, user, label, scope, createdAt, expiresAt, lastUsedAt, revoked"

  static func grant(_ digest: TokenDigest, in database: Database) throws -> Grant? {
    try grants("digest = ?", [digest.blob], in: database).first
  }

  static func exist(in database: Database) throws -> Bool {
    var exist = false
    try database.forEach("SELECT 1 FROM AccessToken LIMIT 1") { _ in
      exist = true
      return false
    }
    return exist
  }

  static func all(in database: Database) throws -> [Grant] { try grants("1", [], in: database) }

  static func add(_ grant: Grant, _ digest: TokenDigest, in database: Database) throws -> Grant {
    var grant = grant
    grant.id = digest.id
    let isTaken = try !grants("id = ?", [grant.id], in: database).isEmpty
    if isTaken { grant.id += "-\(try all(in: database).count)" }
    try database.execute(
      sql: """
        INSERT INTO AccessToken (digest, id, user, label, scope, createdAt, expiresAt) VALUES (?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        digest.blob, grant.id, grant.user.text, grant.label, grant.scope.rawValue, grant.createdAt.milliseconds,
        grant.expiresAt?.milliseconds,
      ])
    return grant
  }

  static func revoke(_ choice: GrantChoice, in database: Database) throws -> [Grant] {
    let (condition, name) =
      switch choice {
      case .id(let id): ("revoked = 0 AND id = ?", id)
      case .user(let user): ("revoked = 0 AND user = ?", user.text)
      }
    let meant = try grants(condition, [name], in: database)
    try database.execute(sql: "UPDATE AccessToken SET revoked = 1 WHERE \(condition)", arguments: [name])
    return meant
  }

  static func noteUse(_ digest: TokenDigest, at moment: Timestamp, in database: Database) throws {
    try database.cachedStatement(sql: "UPDATE AccessToken SET lastUsedAt = ? WHERE digest = ?")
      .execute(arguments: [moment.milliseconds, digest.blob])
  }

  private static func grants(
    _ condition: String, _ arguments: StatementArguments, in database: Database
  ) throws -> [Grant] {
    var grants: [Grant] = []
    let sql = "SELECT \(columns) FROM AccessToken WHERE \(condition) ORDER BY rowid"
    try database.forEach(sql, arguments) { row in
      // A damaged one lets nobody in.
      guard let id = row.text(0), let user = row.text(1).flatMap(UserName.init),
        let scope = row.text(3).flatMap(AccessScope.init), let createdAt = row.moment(4),
        row.isNull(5) || row.moment(5) != nil, let revoked = row.integer(7)
      else { throw StorageError.failed("a token in the database is damaged") }
      var grant = Grant(
        id: id, user: user, label: row.text(2) ?? "", scope: scope, createdAt: createdAt, expiresAt: row.moment(5))
      grant.lastUsedAt = row.moment(6)
      grant.isRevoked = revoked != 0
      grants.append(grant)
      return true
    }
    return grants
  }
}

extension TokenDigest {
  fileprivate var blob: DatabaseValue { Data(bytes).databaseValue }
}
