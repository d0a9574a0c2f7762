import Synchronization
import TableProtocol
import TableStorage

/// The tokens that were given out, kept in memory so that a request need not ask the database.
///
/// Other programs give out tokens and take them back meanwhile, so what is kept is read again once it is older than
/// `longestAge`. A token that is not known is looked for at once.
final class GrantCache: Sendable {
  private let storage: any AccessStorage
  private let longestAge: Duration
  private let state = Mutex(State())

  private struct State {
    var grants: [TokenDigest: Grant] = [:]
    var wereTokensGiven = false
    var readAt: ContinuousClock.Instant?
    var isReading = false
    /// The uses that wait to be written, and the task that writes them.
    var uses: [TokenDigest: Timestamp] = [:]
    var writer: Task<Void, Never>?
  }

  init(_ storage: any AccessStorage, longestAge: Duration) {
    self.storage = storage
    self.longestAge = longestAge
  }

  /// Nil for a token that was never given out.
  func grant(_ digest: TokenDigest) async throws -> Grant? {
    try await refresh()
    if let grant = state.withLock({ $0.grants[digest] }) { return grant }
    return try await storage.grant(digest)
  }

  /// True once a token was given out.
  func wereTokensGiven() async throws -> Bool {
    // None of them ever goes, so that this stays true.
    if state.withLock(\.wereTokensGiven) { return true }
    try await refresh()
    return state.withLock(\.wereTokensGiven)
  }

  /// Saves that the token was used, without making a request wait. One note is written at a time; if that fails, the
  /// others are dropped, and a later use of each token is a new attempt.
  func noteUse(_ digest: TokenDigest, at moment: Timestamp) {
    state.withLock { state in
      state.uses[digest] = moment
      if state.writer == nil { state.writer = Task.detached { await self.writeUses() } }
    }
  }

  /// Returns when the notes that were begun are written or have failed.
  func finishNotes() async { await state.withLock(\.writer)?.value }

  private func writeUses() async {
    while let (digest, moment) = nextUse() {
      do {
        try await storage.noteUse(digest, at: moment)
        state.withLock { state in
          state.grants[digest]?.lastUsedAt = moment
          state.uses[digest] = nil
        }
      } catch {
        state.withLock { $0.uses = [:] }
      }
    }
  }

  private func nextUse() -> (TokenDigest, Timestamp)? {
    state.withLock { state in
      guard let next = state.uses.first else {
        state.writer = nil
        return nil
      }
      return (next.key, next.value)
    }
  }

  /// Reads the tokens, if those that are kept are too old. One caller reads; others go on with what there is.
  private func refresh() async throws {
    let mustRead = state.withLock { state in
      guard let readAt = state.readAt else { return true }
      guard readAt.duration(to: .now) >= longestAge, !state.isReading || longestAge == .zero else { return false }
      state.isReading = true
      return true
    }
    guard mustRead else { return }
    // From here on: what is given out during the reading may be missing in it.
    let now = ContinuousClock.now
    let read: Result<(grants: [TokenDigest: Grant], wereTokensGiven: Bool), any Error>
    do {
      read = .success(try await storage.allGrants())
    } catch {
      read = .failure(error)
    }
    state.withLock { state in
      state.isReading = false
      guard case .success(let all) = read else { return }
      (state.grants, state.wereTokensGiven, state.readAt) = (all.grants, all.wereTokensGiven, now)
    }
    _ = try read.get()
  }
}
