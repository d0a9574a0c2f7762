package import TableProtocol
package import TableStorage

/// The tokens of a server's database, for the commands beside the server, which may run meanwhile.
package struct ServerTokens {
  private let storage: any ServerStorage
  private let database: DatabaseLocation
  private let clock: @Sendable () -> Timestamp

  /// Opens the database; one that is not there is made if `makesDatabase` is true. The first token of a server is given
  /// out before it starts. `onCopy` is told where the copy of a database is that was made before it was brought up to
  /// date.
  package init(
    database path: String, makesDatabase: Bool, clock: @escaping @Sendable () -> Timestamp,
    onCopy: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(ServerError) {
    database = DatabaseLocation(path)
    do {
      storage = try database.open(makesDatabase: makesDatabase, update: DatabaseUpdate(clock: clock, onCopy: onCopy))
    } catch {
      throw .database(error)
    }
    self.clock = clock
  }

  /// Gives out a token, which nobody can read again. `days` is how long it lasts; nil if it lasts until it is taken
  /// back. The first user who is invited or gets a token of scope ``AccessScope/sync`` gets the list of those who
  /// needed not sign in: `itemsTakenOver` says how many items.
  package func add(
    _ user: UserName, label: String, scope: AccessScope, days: Int?
  ) throws(ServerError) -> (token: AccessToken, grant: Grant, itemsTakenOver: Int) {
    let token = AccessToken()
    let now = clock()
    let end = days.map { now.advanced(byMilliseconds: Int64($0) * Self.day) }
    let grant = Grant(id: "", user: user, label: label, scope: scope, createdAt: now, expiresAt: end)
    let added = try named { try storage.add(grant, token.digest) }
    return (token, added.grant, added.itemsTakenOver)
  }

  /// Makes an invitation, which lasts a day: a link by which one device gets a token. `server` is where devices reach
  /// the server; nil for where it was when it last ran.
  package func invite(
    _ user: UserName, server: String?
  ) throws(ServerError) -> (link: InvitationLink, grant: Grant, itemsTakenOver: Int) {
    let known = try address()
    guard let server = server ?? known else { throw .addressUnknown }
    let secret = AccessToken(prefix: InvitationLink.secretPrefix)
    let now = clock()
    let grant = Grant(
      id: "", user: user, scope: .invite, createdAt: now, expiresAt: now.advanced(byMilliseconds: Self.day))
    let added = try named { try storage.add(grant, secret.digest) }
    return (InvitationLink(server: server, secret: secret.text), added.grant, added.itemsTakenOver)
  }

  /// Where the calendar of whoever has a token for it is: `TOKEN` stands for the token, since the whole address would
  /// let in whoever reads it. `SERVER` stands for a server that never ran.
  package func feedAddress() throws(ServerError) -> String {
    "\(try address() ?? "SERVER")/feeds/TOKEN.ics"
  }

  /// Where clients reached the server when it last ran; nil if it never ran. Another program may have written to the
  /// database: a text that could steer the terminal, on which the address is printed, is none.
  private func address() throws(ServerError) -> String? {
    let address = try named { try storage.address() }
    let steering: [Unicode.GeneralCategory] = [
      .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator,
    ]
    guard let address, address.hasPrefix("http://") || address.hasPrefix("https://"),
      address.unicodeScalars.allSatisfy({ !steering.contains($0.properties.generalCategory) })
    else { return nil }
    return address
  }

  private static let day: Int64 = 86_400_000

  /// Those that were not taken back, in the order they were given out.
  package func all() throws(ServerError) -> [Grant] {
    try named { try storage.grants().filter { !$0.isRevoked } }
  }

  /// How many tokens of the user are valid now, without invitations. Nil if the user never had a token or an
  /// invitation.
  package func count(of user: UserName) throws(ServerError) -> Int? {
    let now = clock()
    let known = try named { try storage.grants() }.filter { $0.user == user }
    guard !known.isEmpty else { return nil }
    return known.count { !$0.isRevoked && $0.scope != .invite && $0.expiresAt.map { $0 > now } != false }
  }

  /// True if nobody was invited or got a token of scope ``AccessScope/sync`` yet: nobody owns the list of those who
  /// needed not sign in.
  package func hasNoOwner() throws(ServerError) -> Bool {
    try named { try storage.grants() }.allSatisfy { $0.scope.scopesBeforeOwner == nil }
  }

  /// True if a token was given out, also if it was taken back: the server needs tokens then.
  package func wereTokensGiven() throws(ServerError) -> Bool { try named { try storage.wereTokensGiven() } }

  /// Takes tokens back: from now on they let nobody in. Returns them; none if there is no such token.
  package func revoke(_ choice: GrantChoice) throws(ServerError) -> [Grant] {
    try named { try storage.revoke(choice) }
  }

  package func close() { try? storage.close() }

  private func named<Value>(_ body: () throws -> Value) throws(ServerError) -> Value {
    do {
      return try body()
    } catch {
      throw ServerError(error, at: database)
    }
  }
}
