import FoundationEssentials
import GRDB
import TableProtocol

/// The tokens that were given out, in the same database.
extension SQLiteStorage {
  func grant(_ digest: TokenDigest) async throws -> Grant? {
    try await reading { try StoredGrants.grant(digest, in: $0) }
  }

  func allGrants() async throws -> (grants: [TokenDigest: Grant], wereTokensGiven: Bool) {
    try await reading { try StoredGrants.byDigest(in: $0) }
  }

  func grants() throws -> [Grant] {
    try blockingRead { try StoredGrants.all(in: $0) }
  }

  func wereTokensGiven() throws -> Bool {
    try blockingRead { try StoredGrants.exist(in: $0) }
  }

  func add(_ grant: Grant, _ digest: TokenDigest) throws -> (grant: Grant, itemsTakenOver: Int) {
    defer { secureAccess() }
    return try blocking { try StoredGrants.give(grant, digest, in: $0) }
  }

  func join(
    _ invitation: TokenDigest, as token: TokenDigest, device: String, at now: Timestamp
  ) async throws -> JoinOutcome {
    try await writing { try StoredGrants.join(invitation, as: token, device: device, at: now, in: $0) }
  }

  func note(address: String) async throws {
    try await writing { database in
      try database.execute(
        sql: "UPDATE ServerIdentity SET address = ? WHERE address IS NOT ?", arguments: [address, address])
    }
  }

  func address() throws -> String? {
    try blockingRead { database in
      var address: String?
      try database.forEach("SELECT address FROM ServerIdentity") { row in
        address = row.text(0)
        return false
      }
      return address
    }
  }

  func revoke(_ choice: GrantChoice) throws -> [Grant] {
    defer { secureAccess() }
    return try blocking { try revoke(choice, in: $0) }
  }

  /// Throws if a token is still valid after that: a table that is none of the server's own may ignore the change.
  func revoke(_ choice: GrantChoice, in database: Database) throws -> [Grant] {
    let grants = try StoredGrants.revoke(choice, in: database)
    guard try StoredGrants.areRevoked(choice, in: database) else {
      throw ServerDatabaseError.damaged(path: path, reason: "a token can't be taken back")
    }
    return grants
  }

  /// Moves what was written from the log into the file of the database, as far as no reader is in the way: a log that
  /// gets lost must not let somebody in again who was shut out. The mark beside the file knows of rows alone.
  func secureAccess() {
    try? blockingWithoutTransaction { _ = try $0.checkpoint(.passive) }
  }

  /// Takes back here what was taken back in another database, as far as that can be read: a backup must let nobody in
  /// again. An invitation that was used is taken back too.
  func revokeTokens(revokedIn path: String) throws {
    var digests: [Data] = []
    do {
      let other = try DatabaseCopy.open(path)
      defer { try? other.close() }
      digests = try other.read { try Data.fetchAll($0, sql: "SELECT digest FROM AccessToken WHERE revoked") }
    } catch is DatabaseError {
      // It is damaged, or of a version without tokens.
    }
    try blocking { database in
      let statement = try database.makeStatement(sql: "UPDATE AccessToken SET revoked = 1 WHERE digest = ?")
      for digest in digests { try statement.execute(arguments: [digest]) }
    }
  }

  /// The tokens that let somebody in by another database and are not known here, as far as that can be read.
  func grants(missingFrom path: String, at now: Timestamp) throws -> [Grant] {
    var valid: [TokenDigest: Grant] = [:]
    do {
      let other = try DatabaseCopy.open(path)
      defer { try? other.close() }
      valid = try other.read { try StoredGrants.byDigest(in: $0) }.grants
        .filter { !$0.value.isRevoked && !$0.value.hasExpired(at: now) }
    } catch is DatabaseError {
      // It is damaged, or of a version without tokens.
    }
    let known = try blocking { try StoredGrants.byDigest(in: $0) }.grants
    return valid.filter { known[$0.key] == nil }.values.sorted { $0.createdAt < $1.createdAt }
  }

  func noteUse(_ digest: TokenDigest, at moment: Timestamp) async throws {
    try await writing { try StoredGrants.noteUse(digest, at: moment, in: $0) }
  }
}

/// The statements about the table `AccessToken`.
enum StoredGrants {
  static let table = "AccessToken"
  private static let columns = "id, user, label, scope, createdAt, expiresAt, lastUsedAt, revoked"

  static func grant(_ digest: TokenDigest, in database: Database) throws -> Grant? {
    try grants("digest = ?", [digest.blob], in: database).first
  }

  /// True if a grant of this scope gets the list of those who needed not sign in.
  private static func isFirst(_ scope: AccessScope, in database: Database) throws -> Bool {
    guard let scopes = scope.scopesBeforeOwner else { return false }
    return try !exist(AccessScope.condition(of: scopes), in: database)
  }

  static func exist(
    _ condition: String = "1", _ values: [any DatabaseValueConvertible] = [], in database: Database
  ) throws -> Bool {
    try database.hasRow("SELECT 1 FROM AccessToken WHERE \(condition) LIMIT 1", values)
  }

  /// See ``StoredList/isOwnerAdmitted()``.
  static func isAdmitted(_ owner: UserName?, in database: Database) throws -> Bool {
    guard let owner else { return true }
    return try exist("user = ? AND revoked = 0", [owner.text], in: database)
  }

  /// Adds a token or an invitation: see ``AccessScope/scopesBeforeOwner``.
  static func give(
    _ grant: Grant, _ digest: TokenDigest, in database: Database
  ) throws -> (grant: Grant, itemsTakenOver: Int) {
    let isFirst = try isFirst(grant.scope, in: database)
    let added = try add(grant, digest, in: database)
    return (added, isFirst ? try ListPlace.handOver(to: grant.user, in: database) : 0)
  }

  /// In one transaction, so that of several who show an invitation one gets a token. The one that has it may ask
  /// again.
  static func join(
    _ invitation: TokenDigest, as token: TokenDigest, device: String, at now: Timestamp, in database: Database
  ) throws -> JoinOutcome {
    let known = try grant(invitation, in: database)
    if let outcome = try JoinOutcome(of: known, given: grant(token, in: database), at: now) { return outcome }
    guard let known else { return .unknown }
    try database.execute(
      sql: "UPDATE AccessToken SET revoked = 1, lastUsedAt = ? WHERE digest = ?",
      arguments: [now.milliseconds, invitation.blob])
    return .joined(
      try give(Grant(id: "", user: known.user, label: device, createdAt: now), token, in: database).grant)
  }

  static func all(in database: Database) throws -> [Grant] { try grants("1", [], in: database) }

  /// Without the damaged ones, of which none lets anybody in.
  static func byDigest(in database: Database) throws -> (grants: [TokenDigest: Grant], wereTokensGiven: Bool) {
    var found: [TokenDigest: Grant] = [:]
    var wereTokensGiven = false
    try database.forEach("SELECT \(columns), digest FROM AccessToken") { row in
      wereTokensGiven = true
      if let digest = TokenDigest(bytes: Array(row.utf8(8))) { found[digest] = grant(row) }
      return true
    }
    return (found, wereTokensGiven)
  }

  /// The damaged ones too.
  static func tokens(in database: Database) throws -> StoredTokens {
    var tokens = StoredTokens()
    try database.forEach("SELECT \(columns), digest, rowid FROM AccessToken ORDER BY rowid", isKept: false) { row in
      if let grant = grant(row), let digest = TokenDigest(bytes: Array(row.utf8(8))) {
        tokens.sound.append(StoredTokens.Token(digest: digest, grant: grant))
      } else {
        tokens.damaged.append(row.text(0) ?? "rowid \(row.integer(9) ?? 0)")
      }
      return true
    }
    return tokens
  }

  static func add(_ grant: Grant, _ digest: TokenDigest, in database: Database) throws -> Grant {
    var grant = grant
    grant.id = digest.id
    if try exist("id = ?", [grant.id], in: database) {
      let count = try Int.fetchOne(database, sql: "SELECT count(*) FROM AccessToken") ?? 0
      grant.id += "-\(count)"
    }
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

  /// Returns those that can be read and were not taken back before.
  static func revoke(_ choice: GrantChoice, in database: Database) throws -> [Grant] {
    let (condition, name) = valid(choice)
    let meant = try grants(condition, [name], in: database)
    try database.execute(sql: "UPDATE AccessToken SET revoked = 1 WHERE \(condition)", arguments: [name])
    return meant
  }

  static func areRevoked(_ choice: GrantChoice, in database: Database) throws -> Bool {
    let (condition, name) = valid(choice)
    return try !exist(condition, [name], in: database)
  }

  /// The condition of those that were not taken back, and the value in it.
  private static func valid(_ choice: GrantChoice) -> (condition: String, name: String) {
    switch choice {
    case .id(let id): ("revoked = 0 AND id = ?", id)
    case .user(let user): ("revoked = 0 AND user = ?", user.text)
    }
  }

  static func noteUse(_ digest: TokenDigest, at moment: Timestamp, in database: Database) throws {
    try database.cachedStatement(sql: "UPDATE AccessToken SET lastUsedAt = ? WHERE digest = ?")
      .execute(arguments: [moment.milliseconds, digest.blob])
  }

  /// Without the damaged ones: to whoever shows one, it is a token that was never given out.
  private static func grants(
    _ condition: String, _ values: [any DatabaseValueConvertible], in database: Database
  ) throws -> [Grant] {
    var grants: [Grant] = []
    let sql = "SELECT \(columns) FROM AccessToken WHERE \(condition) ORDER BY rowid"
    try database.forEach(sql, values) { row in
      if let grant = grant(row) { grants.append(grant) }
      return true
    }
    return grants
  }

  /// Nil for a damaged one.
  private static func grant(_ row: SQLiteRow) -> Grant? {
    guard let id = row.text(0), let user = row.text(1).flatMap(UserName.init),
      let scope = row.text(3).flatMap(AccessScope.init), let createdAt = row.moment(4),
      row.isNull(5) || row.moment(5) != nil, let revoked = row.integer(7)
    else { return nil }
    var grant = Grant(
      id: id, user: user, label: row.text(2) ?? "", scope: scope, createdAt: createdAt, expiresAt: row.moment(5))
    grant.lastUsedAt = row.moment(6)
    grant.isRevoked = revoked != 0
    return grant
  }
}

extension TokenDigest {
  fileprivate var blob: DatabaseValue { Data(bytes).databaseValue }
}
