import Words

extension Catalogue {
  /// One word for the connection; whole, with the reason and the next step: `offline, no route, next try 0:20`.
  func words(for connection: ConnectionStatus, isWhole: Bool, refresh: String) -> String {
    let word = text(connection.word.key)
    let next = connection.next.map { words(for: $0, refresh: refresh) }
    let reason = isWhole ? connection.reason.flatMap { shortReason($0) } : nil
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
  fileprivate var key: StringKey {
    switch self {
    case .noServer: .statusNoServer
    case .neverSynced: .statusNeverSynced
    case .notAsked: .statusNotAsked
    case .syncing: .statusStarting
    case .online: .statusOnline
    case .offline: .statusOffline
    case .busy: .connectionBusy
    case .signInRefused: .connectionSignIn
    case .notAllowed: .connectionNotAllowed
    case .failing: .connectionFailing
    }
  }
}
