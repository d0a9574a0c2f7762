import OfflineSync
import TodoCore

/// The state of the connection in one word, with the reason and the next step.
struct ConnectionStatus: Equatable, Sendable {
  let word: Word
  /// Why, where the word alone does not say it.
  let reason: SyncFailure?
  let next: Next?

  enum Word: Equatable, Sendable {
    case noServer
    case neverSynced
    /// It has synced before; nothing was asked of the server yet.
    case notAsked
    case syncing
    case online
    case offline
    case busy
    case signInRefused
    case notAllowed
    /// The server answers, and cannot do it, or is another one.
    case failing
  }

  /// What comes next, by itself or by the user.
  enum Next: Equatable, Sendable {
    case tryIn(seconds: Int)
    case pressRefresh
    /// Only a look at the preferences helps.
    case runDoctor
  }
}

extension Model {
  /// Nil until the status was read.
  var connection: ConnectionStatus? {
    guard let sync = status?.sync else { return nil }
    if sync.server == nil { return ConnectionStatus(word: .noServer, reason: nil, next: nil) }
    if refresh.isRunning { return ConnectionStatus(word: .syncing, reason: nil, next: nil) }
    if let result = refresh.result, let word = ConnectionStatus.Word(result.failure) {
      return ConnectionStatus(
        word: word, reason: result.failure, next: result.failure == nil ? nil : nextStep(after: word))
    }
    let word = sync.lastPull == nil && sync.lastPush == nil ? ConnectionStatus.Word.neverSynced : .notAsked
    return ConnectionStatus(word: word, reason: nil, next: nil)
  }

  /// Seconds until a sync that failed is tried again by itself; nil when it is not.
  var nextTry: Int? {
    guard automatic.isRetry, let due = automatic.due else { return nil }
    return max(0, (due - now.uptime + 999) / 1_000)
  }

  private func nextStep(after word: ConnectionStatus.Word) -> ConnectionStatus.Next {
    if word == .signInRefused || word == .notAllowed { return .runDoctor }
    return nextTry.map(ConnectionStatus.Next.tryIn) ?? .pressRefresh
  }
}

extension ConnectionStatus.Word {
  /// Nil if the server need not have been asked.
  init?(_ failure: SyncFailure?) {
    switch failure {
    case nil, .massRemoval, .serverWentBack: self = .online
    case .remote(let failure): self.init(failure.reason)
    case .invalidPull, .other: self = .failing
    case .store, .otherProgramBusy, .cancelled, .otherAccount: return nil
    }
  }

  private init?(_ reason: RemoteFailure.Reason) {
    switch reason {
    case .unreachable, .notTheServer: self = .offline
    case .busy: self = .busy
    case .signInNeeded: self = .signInRefused
    case .notAllowed: self = .notAllowed
    case .serverError, .badAnswer, .otherDatabase, .otherEpoch: self = .failing
    case .noServer: return nil
    }
  }
}
