import Words

extension Catalogue {
  /// One word for the connection; whole, with the reason and the next step: `offline, no route, next try 0:20`.
  func words(for weather: Weather, isWhole: Bool, refresh: String) -> String {
    let word = text(weather.word.key)
    let next = weather.next.map { words(for: $0, refresh: refresh) }
    let reason = isWhole ? weather.reason.flatMap { shortReason($0) } : nil
    return [word, reason, isWhole || weather.isSelfMending ? next : nil].compactMap(\.self)
      .joined(separator: text(.listSeparator))
  }

  private func words(for next: Weather.Next, refresh: String) -> String {
    switch next {
    case .tryIn(let seconds): text(.weatherNextTry, ["time": span(seconds: seconds)])
    case .pressRefresh: text(.weatherPressRefresh, ["refresh": refresh])
    case .runDoctor: text(.weatherDoctor)
    }
  }
}

extension Weather {
  /// Something happens without the user.
  fileprivate var isSelfMending: Bool {
    if case .tryIn = next { true } else { false }
  }
}

extension Weather.Word {
  fileprivate var key: StringKey {
    switch self {
    case .noServer: .statusNoServer
    case .neverSynced: .statusNeverSynced
    case .notAsked: .statusNotAsked
    case .syncing: .statusStarting
    case .online: .statusOnline
    case .offline: .statusOffline
    case .busy: .weatherBusy
    case .signInRefused: .weatherSignIn
    case .notAllowed: .weatherNotAllowed
    case .failing: .weatherFailing
    }
  }
}
