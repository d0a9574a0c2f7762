import HTTPTypes
import Synchronization
import TableProtocol

/// Lets requests in, or refuses them.
final class Gatekeeper: Sendable {
  /// How long the answer to a wrong token takes, so that many can't be tried.
  static let delay = Duration.seconds(1)
  /// Between two notes of a token's use, in milliseconds.
  private static let noteInterval: Int64 = 60_000

  private let storage: any AccessStorage
  /// Lets in everybody who shows no token, whatever tokens there are.
  private let isOpen: Bool
  private let clock: @Sendable () -> Timestamp
  private let sleep: @Sendable (Duration) async -> Void
  private let log: ServerLog
  private let attempts: WrongAttempts
  private let gaveOut = Atomic(false)

  init(
    _ storage: any AccessStorage, isOpen: Bool, clock: @escaping @Sendable () -> Timestamp,
    sleep: @escaping @Sendable (Duration) async -> Void, log: ServerLog
  ) {
    self.storage = storage
    self.isOpen = isOpen
    self.clock = clock
    self.sleep = sleep
    self.log = log
    attempts = WrongAttempts()
  }

  /// Who sent the request; nil for whoever need not sign in. `address` is the one that it came from.
  ///
  /// Throws `RequestError`.
  func admit(_ request: TableRequest, from address: String?) async throws -> UserName? {
    do {
      return try await admission(request, from: address)
    } catch let error as StorageError {
      if let line = error.logLine { log.error(line) }
      throw RequestError.storage(error)
    }
  }

  private func admission(_ request: TableRequest, from address: String?) async throws -> UserName? {
    // A browser asks by OPTIONS before it shows a token; the answer says nothing of any list.
    if request.method == .options { return nil }
    let token = request.headers.token
    let digest = token.map(TokenDigest.init)
    let grant = if let digest { try await storage.grant(digest) } else { nil as Grant? }
    // A token that is known is judged by itself.
    let needsToken = if grant != nil { true } else { try await needsToken(showsToken: token != nil) }
    let now = clock()
    switch Admission.decide(
      showsToken: token != nil, grant: grant, needsToken: needsToken, writes: request.writes, now: now)
    {
    case .anyone:
      return nil
    case .user(let user):
      if let grant, let digest { try await noteUse(of: grant, digest, now) }
      return user
    case .refused(.wrongToken):
      throw RequestError.access(await refuseWrongToken(from: address, now))
    case .refused(let error):
      throw RequestError.access(error)
    }
  }

  /// On a server that lets in everybody a token is still a claim: a wrong one is refused, unless none was ever given out,
  /// as where a proxy wants one for itself.
  private func needsToken(showsToken: Bool) async throws -> Bool {
    if isOpen && !showsToken { return false }
    if gaveOut.load(ordering: .relaxed) { return true }
    let gives = try await storage.hasGrants()
    // None of them ever goes, so that this stays true.
    if gives { gaveOut.store(true, ordering: .relaxed) }
    return gives
  }

  private func refuseWrongToken(from address: String?, _ now: Timestamp) async -> AccessError {
    let address = address ?? "unknown"
    log.error("Wrong token from \(address)")
    if let seconds = attempts.note(address, at: now) { return .tooManyAttempts(seconds: seconds) }
    await sleep(Self.delay)
    return .wrongToken
  }

  private func noteUse(of grant: Grant, _ digest: TokenDigest, _ now: Timestamp) async throws {
    if let last = grant.lastUsedAt, last <= now, now < last.advanced(byMilliseconds: Self.noteInterval) { return }
    try await storage.noteUse(digest, at: now)
  }
}

/// The wrong tokens that came from each address of late.
final class WrongAttempts: Sendable {
  /// From one address in a minute; further ones are not looked at.
  static let mostInAMinute = 10
  /// Addresses that are remembered; then all are forgotten.
  private static let mostAddresses = 10_000

  private let state: Mutex<[String: MinuteCount]> = Mutex([:])

  /// Takes note of one. Returns the seconds that the address has to wait if there were too many.
  func note(_ address: String, at now: Timestamp) -> Int? {
    state.withLock { state in
      if state.count >= Self.mostAddresses { state.removeAll() }
      _ = state[address, default: MinuteCount()].add(at: now)
      guard let attempts = state[address], attempts.count > Self.mostInAMinute else { return nil }
      return attempts.secondsLeft(at: now)
    }
  }
}

extension TableRequest {
  /// A batch may hold anything.
  fileprivate var writes: Bool { method != .get && method != .head && method != .options }
}
