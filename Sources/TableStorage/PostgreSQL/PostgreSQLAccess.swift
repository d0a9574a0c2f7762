import TableProtocol

/// The tokens that were given out, in the same database.
extension PostgreSQLStorage {
  func grant(_ digest: TokenDigest) async throws -> Grant? {
    try await reading { try PostgreSQLGrants.grants("digest = $1", [.bytes(digest.bytes)], $0).first }
  }

  func allGrants() async throws -> (grants: [TokenDigest: Grant], wereTokensGiven: Bool) {
    try await reading { try PostgreSQLGrants.byDigest($0) }
  }

  func grants() throws -> [Grant] { try blocking { try PostgreSQLGrants.grants("true", [], $0) } }

  func wereTokensGiven() throws -> Bool { try blocking { try PostgreSQLGrants.exist($0) } }

  func add(_ grant: Grant, _ digest: TokenDigest) throws -> (grant: Grant, itemsTakenOver: Int) {
    try blocking {
      try PostgreSQLGrants.give(grant, digest, $0)
    } isDone: {
      try PostgreSQLGrants.wasGiven(digest, $1)
    }
  }

  func join(
    _ invitation: TokenDigest, as token: TokenDigest, device: String, at now: Timestamp
  ) async throws -> JoinOutcome {
    try await writing {
      try PostgreSQLGrants.join(invitation, as: token, device: device, at: now, $0)
    } isDone: { outcome, connection in
      switch outcome {
      case .joined: try PostgreSQLGrants.wasGiven(token, connection)
      // Nothing was changed.
      case .used, .expired, .unknown: true
      }
    }
  }

  func note(address: String) async throws {
    try await writing {
      _ = try $0.run("UPDATE ebb_database SET address = $1 WHERE address IS DISTINCT FROM $1", [.text(address)])
    }
  }

  func address() throws -> String? { try blocking { try $0.run("SELECT address FROM ebb_database").text(0, 0) } }

  func revoke(_ choice: GrantChoice) throws -> [Grant] {
    try blocking {
      try PostgreSQLGrants.revoke(choice, $0)
    } isDone: {
      try PostgreSQLGrants.areRevoked($0, $1)
    }
  }

  func noteUse(_ digest: TokenDigest, at moment: Timestamp) async throws {
    let patience = options.patience
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      connections.submit { [connections] in
        continuation.resume(
          with: Result {
            try connections.use(within: patience.note + patience.silence) { connection in
              do {
                try connection.run([
                  PostgreSQLStatement("BEGIN"), patience.statement(reading: patience.note),
                  // Not worth waiting for a standby.
                  PostgreSQLStatement("SET LOCAL synchronous_commit = local"),
                  PostgreSQLStatement(
                    "UPDATE ebb_token SET last_used_at = $2 WHERE digest = $1",
                    [.bytes(digest.bytes), .moment(moment)]),
                  PostgreSQLStatement("COMMIT"),
                ])
              } catch {
                _ = try? connection.run("ROLLBACK")
                throw error
              }
            }
          })
      }
    }
  }
}

/// The other names of columns, and the epoch.
extension PostgreSQLStorage {
  func aliases() throws -> ColumnNames {
    try blocking { connection in
      let text = try connection.run("SELECT aliases FROM ebb_database").text(0, 0)
      return text.flatMap { ColumnNames(words: $0.split(separator: " ").map(String.init)) } ?? .none
    }
  }

  func keep(_ aliases: ColumnNames) throws {
    try blocking { try Self.keep(aliases, $0) }
  }

  static func keep(_ aliases: ColumnNames, _ connection: PostgreSQLConnection) throws {
    let words = aliases.isEmpty ? nil : aliases.words.joined(separator: " ")
    try connection.run(
      "UPDATE ebb_database SET aliases = $1 WHERE aliases IS DISTINCT FROM $1", [.optional(words)])
  }

  func raiseEpoch(now: Timestamp, nonce: String) throws -> DatabaseEpoch {
    try blocking { try Self.raiseEpoch(now: now, nonce: nonce, $0) }
  }

  /// `isRemoval` is true if lists were removed, and those that are there have all they had.
  static func raiseEpoch(
    now: Timestamp, nonce: String, isRemoval: Bool = false, _ connection: PostgreSQLConnection
  ) throws -> DatabaseEpoch {
    let former = try lockedEpoch(connection)
    try connection.run("SELECT 1 FROM ebb_list ORDER BY list_id FOR UPDATE")
    var nonce = nonce
    if isRemoval {
      nonce = try former.nonce(afterRemoval: nonce, endsHere: hasListBegunInEpoch(connection))
    }
    try connection.run("UPDATE ebb_database SET epoch = epoch + 1, epoch_nonce = $1", [.text(nonce)])
    // From the rows that are there, and from the tombstones that were: a deletion that was removed for its age is not
    // lost.
    try connection.run(
      """
      UPDATE ebb_list l SET last_updated_at = greatest(last_updated_at, $1), epoch_from = greatest(
        (SELECT max(updated_at) FROM ebb_item i WHERE i.list_id = l.list_id), tombstones_after)
      """, [.moment(now)])
    let rows = try connection.run(
      """
      SELECT d.epoch, d.epoch_nonce, l.epoch_from FROM ebb_database d, ebb_list l ORDER BY l.made_at, l.list_id LIMIT 1
      """)
    guard let number = rows.integer(0, 0).flatMap({ Int(exactly: $0) }) else {
      throw StorageError.failed("the database's identity is damaged")
    }
    return DatabaseEpoch(number: number, from: rows.moment(0, 2), nonce: rows.text(0, 1))
  }

  /// The epoch for a list that was not there when it began. Waits while another transaction raises it; none can until
  /// this one ends.
  static func lockedEpoch(_ connection: PostgreSQLConnection) throws -> DatabaseEpoch {
    let rows = try connection.run("SELECT epoch, epoch_nonce FROM ebb_database FOR UPDATE")
    guard let number = rows.integer(0, 0).flatMap({ Int(exactly: $0) }) else {
      throw StorageError.failed("the database's identity is damaged")
    }
    return DatabaseEpoch(number: number, nonce: rows.text(0, 1))
  }

  /// True if a list had no row when the epoch began, and got one since. It may have replaced a removed list of the same
  /// name.
  private static func hasListBegunInEpoch(_ connection: PostgreSQLConnection) throws -> Bool {
    let rows = try connection.run(
      """
      SELECT 1 FROM ebb_list l WHERE epoch_from IS NULL
        AND (tombstones_after IS NOT NULL OR EXISTS (SELECT 1 FROM ebb_item i WHERE i.list_id = l.list_id)) LIMIT 1
      """)
    return !rows.isEmpty
  }
}

/// The statements about the table `ebb_token`.
enum PostgreSQLGrants {
  static let table = "ebb_token"
  private static let columns = "id, username, label, scope, created_at, expires_at, last_used_at, revoked"

  /// True if a grant of this scope gets the list of those who needed not sign in.
  private static func isFirst(_ scope: AccessScope, _ connection: PostgreSQLConnection) throws -> Bool {
    guard let scopes = scope.scopesBeforeOwner else { return false }
    return try !exist(connection, AccessScope.condition(of: scopes))
  }

  static func exist(_ connection: PostgreSQLConnection, _ condition: String = "true") throws -> Bool {
    try !connection.run("SELECT 1 FROM ebb_token WHERE \(condition) LIMIT 1").isEmpty
  }

  /// Those of the condition, in the order they were given out. Without the damaged ones: to whoever shows one, it is a
  /// token that was never given out.
  static func grants(
    _ condition: String, _ arguments: [PostgreSQLValue], _ connection: PostgreSQLConnection, locks: Bool = false
  ) throws -> [Grant] {
    let end = locks ? " FOR UPDATE" : ""
    let rows = try connection.run(
      "SELECT \(columns) FROM ebb_token WHERE \(condition) ORDER BY number\(end)", arguments)
    return (0..<rows.count).compactMap { grant(rows, $0) }
  }

  /// The damaged ones too.
  static func tokens(_ connection: PostgreSQLConnection) throws -> StoredTokens {
    let rows = try connection.run("SELECT \(columns), digest FROM ebb_token ORDER BY number")
    var tokens = StoredTokens()
    for row in 0..<rows.count {
      if let grant = grant(rows, row), let digest = rows.bytes(row, 8).flatMap(TokenDigest.init(bytes:)) {
        tokens.sound.append(StoredTokens.Token(digest: digest, grant: grant))
      } else {
        tokens.damaged.append(rows.text(row, 0) ?? "?")
      }
    }
    return tokens
  }

  /// Without the damaged ones, of which none lets anybody in.
  static func byDigest(
    _ connection: PostgreSQLConnection
  ) throws -> (grants: [TokenDigest: Grant], wereTokensGiven: Bool) {
    let rows = try connection.run("SELECT \(columns), digest FROM ebb_token")
    var found: [TokenDigest: Grant] = [:]
    for row in 0..<rows.count {
      if let digest = rows.bytes(row, 8).flatMap(TokenDigest.init(bytes:)) { found[digest] = grant(rows, row) }
    }
    return (found, !rows.isEmpty)
  }

  /// Adds a token or an invitation: see ``AccessScope/scopesBeforeOwner``. This locks the row of the database, so that
  /// only one user is the first.
  static func give(
    _ grant: Grant, _ digest: TokenDigest, _ connection: PostgreSQLConnection
  ) throws -> (grant: Grant, itemsTakenOver: Int) {
    try connection.run("SELECT 1 FROM ebb_database FOR UPDATE")
    let isFirst = try isFirst(grant.scope, connection)
    let added = try add(grant, digest, connection)
    return (added, isFirst ? try handOver(to: grant.user, connection) : 0)
  }

  /// Waits for whoever adds one.
  static func wasGiven(_ digest: TokenDigest, _ connection: PostgreSQLConnection) throws -> Bool {
    try connection.run("SELECT 1 FROM ebb_database FOR UPDATE")
    return try !connection.run("SELECT 1 FROM ebb_token WHERE digest = $1", [.bytes(digest.bytes)]).isEmpty
  }

  /// See ``StoredList/isOwnerAdmitted()``.
  static func isAdmitted(_ owner: UserName?, _ connection: PostgreSQLConnection) throws -> Bool {
    guard let owner else { return true }
    let sql = "SELECT 1 FROM ebb_token WHERE username = $1 AND NOT revoked LIMIT 1"
    return try !connection.run(sql, [.text(owner.text)]).isEmpty
  }

  /// Takes tokens back, and returns those that can be read and were not taken back before. This locks the row of the
  /// database before those of the tokens: until the transaction ends, nobody joins and no token is given out.
  static func revoke(_ choice: GrantChoice, _ connection: PostgreSQLConnection) throws -> [Grant] {
    let (condition, name) =
      switch choice {
      case .id(let id): ("NOT revoked AND id = $1", id)
      case .user(let user): ("NOT revoked AND username = $1", user.text)
      }
    try connection.run("SELECT 1 FROM ebb_database FOR UPDATE")
    let meant = try grants(condition, [.text(name)], connection, locks: true)
    try connection.run("UPDATE ebb_token SET revoked = true WHERE \(condition)", [.text(name)])
    // A trigger that is none of the server's may ignore the change.
    guard try connection.run("SELECT 1 FROM ebb_token WHERE \(condition)", [.text(name)]).isEmpty else {
      throw StorageError.refused("a token can't be taken back")
    }
    return meant
  }

  /// Waits for whoever revokes one of them.
  static func areRevoked(_ grants: [Grant], _ connection: PostgreSQLConnection) throws -> Bool {
    let rows = try connection.run(
      "SELECT 1 FROM ebb_token WHERE id = ANY ($1::text[]) AND NOT revoked FOR UPDATE", [.array(grants.map(\.id))])
    return rows.isEmpty
  }

  private static func add(
    _ grant: Grant, _ digest: TokenDigest, _ connection: PostgreSQLConnection
  ) throws -> Grant {
    var grant = grant
    grant.id = digest.id
    let count = try connection.run("SELECT count(*), count(*) FILTER (WHERE id = $1) FROM ebb_token", [.text(grant.id)])
    let number = count.integer(0, 0) ?? 0
    if count.integer(0, 1) != 0 { grant.id += "-\(number)" }
    try connection.run(
      """
      INSERT INTO ebb_token (digest, id, number, username, label, scope, created_at, expires_at)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
      """,
      [
        .bytes(digest.bytes), .text(grant.id), .integer(number), .text(grant.user.text), .text(grant.label),
        .text(grant.scope.rawValue), .moment(grant.createdAt), .moment(grant.expiresAt),
      ])
    return grant
  }

  /// Returns how many to-do items the user has got. A list stays if the user has one of that table.
  private static func handOver(to user: UserName, _ connection: PostgreSQLConnection) throws -> Int {
    try connection.run("SELECT 1 FROM ebb_list WHERE owner IN ('', $1) ORDER BY list_id FOR UPDATE", [.text(user.text)])
    let moved = try connection.run(
      """
      UPDATE ebb_list l SET owner = $1 WHERE owner = ''
        AND NOT EXISTS (SELECT 1 FROM ebb_list o WHERE o.owner = $1 AND o.name = l.name) RETURNING l.name, l.live
      """, [.text(user.text)])
    guard !moved.isEmpty else { return 0 }
    let rows = try connection.run(
      "SELECT live FROM ebb_list WHERE owner = $1 AND name = $2",
      [.text(user.text), .text(ServedTable.todoItem.name)])
    return Int(rows.integer(0, 0) ?? 0)
  }

  /// In one transaction, so that of several who show an invitation one gets a token.
  static func join(
    _ invitation: TokenDigest, as token: TokenDigest, device: String, at now: Timestamp,
    _ connection: PostgreSQLConnection
  ) throws -> JoinOutcome {
    let digest = PostgreSQLValue.bytes(invitation.bytes)
    // A secret that was never given out keeps nobody waiting for the row of the database.
    guard try !grants("digest = $1", [digest], connection).isEmpty else { return .unknown }
    // In the order of a revocation: otherwise each of the two could wait for the other.
    try connection.run("SELECT 1 FROM ebb_database FOR UPDATE")
    let known = try grants("digest = $1", [digest], connection, locks: true).first
    let given = { try grants("digest = $1", [.bytes(token.bytes)], connection).first }
    if let outcome = try JoinOutcome(of: known, given: given(), at: now) { return outcome }
    guard let known else { return .unknown }
    try connection.run(
      "UPDATE ebb_token SET revoked = true, last_used_at = $2 WHERE digest = $1", [digest, .moment(now)])
    return .joined(
      try give(Grant(id: "", user: known.user, label: device, createdAt: now), token, connection).grant)
  }

  /// Nil for a damaged one.
  private static func grant(_ rows: PostgreSQLRows, _ row: Int) -> Grant? {
    guard let id = rows.text(row, 0), let user = rows.text(row, 1).flatMap(UserName.init),
      let scope = rows.text(row, 3).flatMap(AccessScope.init), let createdAt = rows.moment(row, 4),
      let isRevoked = rows.bool(row, 7)
    else { return nil }
    var grant = Grant(
      id: id, user: user, label: rows.text(row, 2) ?? "", scope: scope, createdAt: createdAt,
      expiresAt: rows.moment(row, 5))
    grant.lastUsedAt = rows.moment(row, 6)
    grant.isRevoked = isRevoked
    return grant
  }
}
