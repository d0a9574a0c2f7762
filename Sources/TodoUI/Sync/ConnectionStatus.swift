import OfflineSync
import TodoCore
import Words

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
    /// No sign-in can be read here, and the server was not asked.
    case noSignIn
    case signInRefused
    case notAllowed
    /// The server answers, and cannot do it, or is another one.
    case failing
  }

  /// The next step, by itself or by the user.
  enum Next: Equatable, Sendable {
    case tryIn(seconds: Int)
    case pressRefresh
    /// Only a look at the preferences helps.
    case runDoctor
  }
}

extension Syncing {
  /// Nil until the status was read.
  func connection(at now: Now) -> ConnectionStatus? {
    guard let sync = status?.sync else { return nil }
    if sync.server == nil { return ConnectionStatus(word: .noServer, reason: nil, next: nil) }
    if refresh.isRunning { return ConnectionStatus(word: .syncing, reason: nil, next: nil) }
    if let result = refresh.result, let word = ConnectionStatus.Word(result.failure) {
      let next = result.outlook == .finished ? nil : nextStep(after: word, at: now)
      return ConnectionStatus(word: word, reason: word == .online ? nil : result.failure, next: next)
    }
    let word = sync.lastPull == nil && sync.lastPush == nil ? ConnectionStatus.Word.neverSynced : .notAsked
    return ConnectionStatus(word: word, reason: nil, next: nil)
  }

  private func nextStep(after word: ConnectionStatus.Word, at now: Now) -> ConnectionStatus.Next {
    if [.noSignIn, .signInRefused, .notAllowed].contains(word) { return .runDoctor }
    return nextTry(at: now).map(ConnectionStatus.Next.tryIn) ?? .pressRefresh
  }
}

extension ConnectionStatus.Word {
  /// Nil if the server need not have been asked.
  init?(_ failure: SyncFailure?) {
    switch failure {
    case nil, .massRemoval, .serverWentBack: self = .online
    case .remote(let failure) where failure.isBesideAnswers: self = .online
    case .remote(let failure): self.init(failure.reason)
    case .invalidPull, .other: self = .failing
    case .store, .otherProgramBusy, .cancelled, .otherAccount: return nil
    }
  }

  private init?(_ reason: RemoteFailure.Reason) {
    switch reason {
    case .refusedOnTheWay where reason.asksForSignIn: self = .signInRefused
    case .unreachable, .notTheServer, .refusedOnTheWay: self = .offline
    case .busy where reason.isOfGateway: self = .offline
    case .busy: self = .busy
    case .noSignIn: self = .noSignIn
    case .signInNeeded: self = .signInRefused
    case .notAllowed: self = .notAllowed
    // It is not the server that fails.
    case .alteredAnswer(let alteration): self = alteration.isOfTheWay ? .offline : .failing
    case .serverError, .badAnswer, .otherDatabase, .otherEpoch: self = .failing
    case .noServer: return nil
    }
  }
}

extension Catalogue {
  /// One word for the connection; whole, with the reason and the next step: `offline, no route, next try 0:20`.
  func words(for connection: ConnectionStatus, isWhole: Bool, refresh: String) -> String {
    let word = connection.word.key.map { text($0) }
    let next = connection.next.map { words(for: $0, refresh: refresh) }
    // The time that a busy server asks for is in the next try, which may be later.
    let reason =
      isWhole ? connection.reason.flatMap { shortReason($0, saysTime: !connection.isSelfMending) } : nil
    return [word, reason, isWhole || connection.isSelfMending ? next : nil].compactMap(\.self)
      .joined(separator: text(.listSeparator))
  }

  private func words(for next: ConnectionStatus.Next, refresh: String) -> String {
    switch next {
    case .tryIn(let seconds): text(.connectionNextTry, ["time": span(seconds: seconds)])
    case .pressRefresh: text(.connectionPressRefresh, ["refresh": refresh])
    case .runDoctor: text(.connectionDoctor)
    }
  }
}

extension ConnectionStatus {
  /// Something happens without the user.
  fileprivate var isSelfMending: Bool {
    if case .tryIn = next { true } else { false }
  }
}

extension ConnectionStatus.Word {
  /// That all is well is no news, nor what runs or is not there.
  var isWorthSaying: Bool {
    switch self {
    case .noServer, .notAsked, .syncing, .online: false
    case .neverSynced, .offline, .busy, .noSignIn, .signInRefused, .notAllowed, .failing: true
    }
  }

  /// Nil where there is nothing to say: the time of the last sync tells that the server was not asked since.
  var key: StringKey? {
    switch self {
    case .notAsked: nil
    case .noServer: .statusNoServer
    case .neverSynced: .statusNeverSynced
    case .syncing: .statusStarting
    case .online: .statusOnline
    case .offline: .statusOffline
    case .busy: .connectionBusy
    case .noSignIn: .connectionNoSignIn
    case .signInRefused: .connectionSignIn
    case .notAllowed: .connectionNotAllowed
    case .failing: .connectionFailing
    }
  }
}
