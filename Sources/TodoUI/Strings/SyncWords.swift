import TodoCore

extension Catalogue {
  /// What a refresh moved, whether both sides agree since, and how long it took.
  func receipt(of result: RefreshResult, _ agreement: Agreement?, separator: String) -> String {
    var parts = [
      text(.statusSent, ["sent": number(result.pushed)]), text(.statusReceived, ["received": number(result.pulled)]),
    ]
    if let agreement { parts.append(words(for: agreement)) }
    parts.append(text(.receiptSeconds, ["seconds": seconds(result.seconds)]))
    return parts.joined(separator: separator)
  }

  /// `1,204 here = 1,204 there, checksums agree`
  func words(for agreement: Agreement) -> String {
    let here = number(agreement.here.count)
    guard let there = agreement.there else { return text(.agreementHere, ["here": here]) }
    return text(
      agreement.isSame == true ? .agreementSame : .agreementDiffers, ["here": here, "there": number(there.count)])
  }

  func sentence(for verification: Verification) -> String {
    if verification.isSame {
      return text(
        .verifiedSame,
        [
          "count": number(verification.agreement.here.count),
          "checksum": String(verification.agreement.here.checksum, radix: 16),
        ])
    }
    return text(
      .verifiedDiffers,
      [
        "missingHere": number(verification.missingHere), "missingThere": number(verification.missingThere),
        "different": number(verification.different),
      ])
  }

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

  /// Nil where the word says it all.
  private func shortReason(_ failure: RefreshFailure) -> String? {
    switch failure {
    case .unreachable(_, let reason): reason
    case .serverBusy(let seconds): seconds.map { text(.weatherAsked, ["time": span(seconds: $0)]) }
    case .serverError(let status, _): String(status)
    case .badAnswer(let reason), .notTheServer(let reason): reason
    default: nil
    }
  }

  /// `12 changes: 4 done, 6 new, 2 edited`
  func away(_ arrivals: [Arrival.Kind: Int]) -> String {
    let kinds = Arrival.Kind.allCases.filter { arrivals[$0, default: 0] > 0 }
    let counts = kinds.map { "\(number(arrivals[$0, default: 0])) \(word(for: $0))" }
    return text(.away, count: arrivals.values.reduce(0, +), ["list": counts.joined(separator: text(.listSeparator))])
  }

  func word(for kind: Arrival.Kind) -> String {
    switch kind {
    case .added: text(.arrivalAdded)
    case .completed: text(.arrivalCompleted)
    case .reopened: text(.arrivalReopened)
    case .edited: text(.arrivalEdited)
    case .deleted: text(.arrivalDeleted)
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
