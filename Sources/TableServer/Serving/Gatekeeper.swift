import HTTPTypes
import TableProtocol
import TableStorage

/// Lets requests in, or refuses them.
final class Gatekeeper: Sendable {
  /// How long the answer to a wrong token takes, so that many can't be tried.
  static let delay = Duration.seconds(1)
  /// Between two notes of a token's use, in milliseconds.
  private static let noteInterval: Int64 = 60_000

  private let storage: any AccessStorage
  private let grants: GrantCache
  /// Nil if there is none but our own tokens.
  private let signIn: JWTVerifier?
  /// Lets in everybody who shows no token, whatever tokens there are.
  private let isOpen: Bool
  private let clock: @Sendable () -> Timestamp
  private let sleep: @Sendable (Duration) async -> Void
  private let log: ServerLog
  private let figures: ServerFigures
  private let attempts: WrongAttempts
  private let allowance: RequestAllowance

  init(
    _ storage: any AccessStorage, signIn: JWTVerifier? = nil, isOpen: Bool, limits: ServerLimits,
    clock: @escaping @Sendable () -> Timestamp,
    sleep: @escaping @Sendable (Duration) async -> Void, log: ServerLog, figures: ServerFigures
  ) {
    self.storage = storage
    self.signIn = signIn
    grants = GrantCache(storage, longestAge: limits.tokenAge)
    allowance = RequestAllowance(atOnce: limits.requestsAtOnce, aSecond: limits.requestsASecond)
    self.isOpen = isOpen
    self.clock = clock
    self.sleep = sleep
    self.log = log
    self.figures = figures
    attempts = WrongAttempts()
    signIn?.report { log.notice($0) }
  }

  /// Lets one request in, which comes from `address`. `wanted` is the scope that it needs, if it is not about a list.
  ///
  /// Throws `RequestError`.
  func admit(
    _ request: TableRequest, from address: String?, for wanted: AccessScope = .sync
  ) async throws -> Visitor {
    try await admit(from: address) { try await admission(request, from: address, for: wanted) }
  }

  /// Counts a request, finds out whose it is, and counts it for that user.
  private func admit(from address: String?, as user: () async throws -> UserName?) async throws -> Visitor {
    var visitor = Visitor(address)
    try count(1, of: visitor.senders)
    visitor.user = try await logging(user)
    if let user = visitor.user { try count(1, of: [.user(user)]) }
    return visitor
  }

  /// Logs an error of the storage, and throws it as a `RequestError`.
  private func logging<Value>(_ body: () async throws -> Value) async throws -> Value {
    do {
      return try await body()
    } catch let error as StorageError {
      log.failure(error)
      throw RequestError.storage(error)
    }
  }

  /// Counts the entries of a batch, of which the batch itself was counted as one. Throws `RequestError`.
  func admit(entries: Int, of visitor: Visitor) throws {
    try count(entries - 1, of: visitor.senders)
  }

  private func count(_ requests: Int, of senders: [RequestAllowance.Sender]) throws(RequestError) {
    guard requests > 0, !senders.isEmpty else { return }
    guard let seconds = allowance.take(requests, of: senders, at: clock()) else { return }
    throw .access(.tooManyRequests(seconds: seconds))
  }

  /// Closes the connections whose latest request showed a token that was taken back since, or has expired.
  func endSessions(of registry: ConnectionRegistry) async {
    let tokens = registry.tokens
    guard !tokens.isEmpty else { return }
    let now = clock()
    var ended: Set<ConnectionToken> = []
    for token in tokens {
      // A database that can't be read at the moment closes nothing.
      let grant = token.isRevocable ? (try? await grants.grant(token.digest)) ?? nil : nil
      let isRevoked = grant?.isRevoked ?? false
      if isRevoked || token.isOver(at: now) { ended.insert(token) }
    }
    registry.close(ended)
  }

  /// True if those who show no token are let in to no list, as the database says it now: no request goes by this
  /// answer. False also if the database can't be read.
  var needsToken: Bool {
    get async {
      guard !isOpen, signIn == nil else { return !isOpen }
      return (try? await storage.allGrants().wereTokensGiven) ?? false
    }
  }

  private func admission(
    _ request: TableRequest, from address: String?, for wanted: AccessScope
  ) async throws -> UserName? {
    // A browser asks by OPTIONS before it shows a token; the answer says nothing of any list.
    if request.method == .options { return nil }
    let token = request.headers.token
    if let signIn, let token, JWTVerifier.isSigned(token) {
      let user = try await user(of: token, signIn, from: address)
      guard wanted == .sync else { throw RequestError.access(.scope(.sync)) }
      return user
    }
    let digest = token.map(TokenDigest.init)
    let grant = if let digest { try await grants.grant(digest) } else { nil as Grant? }
    // A token that is known is judged by itself.
    let needsToken = if grant != nil { true } else { try await self.needsToken(showsToken: token != nil, wanted) }
    let now = clock()
    switch Admission.decide(
      showsToken: token != nil, grant: grant, needsToken: needsToken, writes: request.writes, for: wanted,
      now: now)
    {
    case .anyone:
      ServerConnection.current?.begin(nil)
      return nil
    case .user(let user):
      if let grant, let digest { begin(grant, token: digest, at: now) }
      return user
    case .refused(.wrongToken):
      throw RequestError.access(await refuse(.wrongToken, logging: "Wrong token", from: address, at: now))
    case .refused(let error):
      throw RequestError.access(error)
    }
  }

  private func user(of token: String, _ signIn: JWTVerifier, from address: String?) async throws(RequestError)
    -> UserName
  {
    let now = clock()
    switch await signIn.judge(token, at: now) {
    case .user(let user, let until):
      ServerConnection.current?.begin(
        ConnectionToken(digest: TokenDigest(of: token), isRevocable: false, expiresAt: until))
      return user
    case .expired: throw .access(.expiredToken)
    case .wrong(let flaw):
      throw .access(await refuse(.wrongToken, logging: "Wrong token", because: flaw.words, from: address, at: now))
    }
  }

  /// On a server that lets in everybody a token is still a claim: a wrong one is refused, unless none was ever given
  /// out, as where a proxy wants one for itself. It is the lists that are open to everybody, and nothing else.
  private func needsToken(showsToken: Bool, _ wanted: AccessScope) async throws -> Bool {
    if isOpen && !showsToken && wanted == .sync { return false }
    return if signIn != nil { true } else { try await grants.wereTokensGiven() }
  }

  private func refuse(
    _ error: AccessError, logging words: String, because reason: String? = nil, from address: String?,
    at now: Timestamp
  ) async -> AccessError {
    let address = address ?? TrustedProxies.Origin.hidden
    log.refusal(words, from: address, because: reason)
    figures.noteWrongToken()
    let group = NetworkAddress(address).map { "\($0.group)" }
    if let seconds = attempts.note(group ?? address, at: now) {
      return error == .wrongToken ? .tooManyAttempts(seconds: seconds) : .tooManyRequests(seconds: seconds)
    }
    await sleep(Self.delay)
    return error
  }

  /// The connection lives no longer than the token.
  private func begin(_ grant: Grant, token: TokenDigest, at now: Timestamp) {
    ServerConnection.current?.begin(ConnectionToken(digest: token, expiresAt: grant.expiresAt))
    if let last = grant.lastUsedAt, last <= now, now < last.advanced(byMilliseconds: Self.noteInterval) { return }
    grants.noteUse(token, at: now)
  }

  /// Returns when no use of a token is being noted any more.
  func finishNotes() async { await grants.finishNotes() }
}

/// The calendar.
extension Gatekeeper {
  /// Lets in a request with a token for the calendar in its URL. Any other token is refused in one way, so that the
  /// answer says nothing about it. Throws `RequestError`.
  func admit(feed token: String, from address: String?) async throws -> Visitor {
    try await admit(from: address) {
      let (digest, now) = (TokenDigest(of: token), clock())
      guard let grant = try await grants.grant(digest), grant.opensFeed(at: now) else {
        throw RequestError.access(await refuse(.unknownFeed, logging: "Wrong token", from: address, at: now))
      }
      begin(grant, token: digest, at: now)
      return grant.user
    }
  }
}

extension Grant {
  fileprivate func opensFeed(at now: Timestamp) -> Bool {
    scope == .feed && !isRevoked && expiresAt.map { now < $0 } != false
  }
}

/// Invitations.
extension Gatekeeper {
  /// Bytes of a request to join.
  static let largestJoinRequest = 4_096

  /// Keeps where clients reach the server, for the links of invitations.
  func note(address: String) async {
    do {
      try await storage.note(address: address)
    } catch {
      log.error("The address of the server could not be kept: \(error.loggedReason).")
    }
  }

  /// Counts a request that needs no sign-in, before its body is read: to join, for the page, about health. Throws
  /// `RequestError`.
  func admitStranger(from address: String?) throws {
    try count(1, of: Visitor(address).senders)
  }

  /// Exchanges the secret of an invitation for a token, and gives the same one again for the same attempt. Throws
  /// `RequestError`.
  func join(_ request: TableRequest, from address: String?) async throws -> JoinAnswer {
    guard let wanted = JoinRequest(json: request.body) else { throw RequestError(joining: request.body) }
    let token = wanted.attempt.map { AccessToken(secret: wanted.secret, attempt: $0) } ?? AccessToken()
    let now = clock()
    let outcome = try await logging {
      try await storage.join(
        TokenDigest(of: wanted.secret), as: token.digest,
        device: String((wanted.device ?? "").prefix(JoinRequest.longestLabel)), at: now)
    }
    switch outcome {
    case .joined(let grant): return JoinAnswer(token: token.text, user: grant.user.text)
    case .used: throw RequestError.access(.usedInvitation)
    case .expired: throw RequestError.access(.expiredInvitation)
    case .unknown:
      throw RequestError.access(await refuse(.unknownInvitation, logging: "Wrong invitation", from: address, at: now))
    }
  }
}

/// Who sends a request.
struct Visitor: Hashable, Sendable {
  /// Nil for whoever need not sign in.
  var user: UserName?
  /// Nil for this machine: a proxy before the server has its addresses.
  private let place: RequestAllowance.Sender?

  /// `address` is nil for this machine over a Unix socket. Any text that is no address counts as hidden.
  init(_ address: String?) {
    place = address.flatMap { text -> RequestAllowance.Sender? in
      guard let address = NetworkAddress(text) else { return .hidden }
      return address.isLoopback ? nil : .address(address.group)
    }
  }

  /// The user; without one, the address; nil for this machine without a token.
  var sender: RequestAllowance.Sender? { senders.first }

  /// Whose allowances its requests use.
  fileprivate var senders: [RequestAllowance.Sender] {
    [user.map { .user($0) }, place].compactMap(\.self)
  }
}

extension TableRequest {
  /// A batch may hold anything.
  fileprivate var writes: Bool { method != .get && method != .head && method != .options }
}
