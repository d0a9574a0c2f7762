package import OfflineSync

/// The words for a sync that could not be finished.
extension Catalogue {
  /// The reason why a sync failed, and what to do. Does not say what waits.
  package func reason(_ failure: SyncFailure) -> String {
    switch failure {
    case .remote(let failure): reason(failure.reason)
    case .store(let error): reason(error)
    case .otherProgramBusy: text(.failureOtherProgramBusy)
    case .otherAccount(let account): reason(account)
    case .invalidPull: text(.failureBadAnswer, ["reason": text(.shortInvalidPull)])
    case .massRemoval(let removal):
      text(.failureMassRemoval, values(of: removal))
    case .serverWentBack(let wentBack): text(.failureServerWentBack, count: wentBack.items)
    case .cancelled: text(.failureCancelled)
    case .other(let words): text(.failureBadAnswer, ["reason": words])
    }
  }

  /// The reason why a sync stopped that a person has to decide about, in the list: there the key `refresh` asks what to
  /// do, and the key `conflicts` shows items to decide about. Nil for any other reason.
  package func reason(_ failure: SyncFailure, askedBy refresh: String, decidedBy conflicts: String) -> String? {
    switch failure {
    case .otherAccount(let account):
      let (owner, current) = (account.owner.server, account.current.server)
      let key: StringKey =
        switch account.difference {
        case .user: .failureOtherUserAsks
        case .database: .failureOtherDatabaseAsks
        case .server: .failureOtherServerAsks
        }
      return text(key, ["owner": owner, "whose": whose(account), "server": current, "refresh": refresh])
    case .massRemoval(let removal):
      return text(
        .failureMassRemovalAsks,
        ["items": number(removal.rows), "total": number(removal.total), "refresh": refresh])
    case .serverWentBack(let wentBack):
      return text(.failureServerWentBackHere, count: wentBack.items, ["conflicts": conflicts])
    case .remote, .store, .otherProgramBusy, .invalidPull, .cancelled, .other: return nil
    }
  }

  /// The reason why a request failed, and what to do; `saysTime`: also the time that a busy server asks for.
  package func reason(_ reason: RemoteFailure.Reason, saysTime: Bool = true) -> String {
    switch reason {
    case .noServer: text(.failureNoServer)
    case .unreachable(_, .tls): text(.failureNoSecureConnection)
    case .unreachable(let words, let kind): text(.failureUnreachable, ["reason": shortReason(words, kind)])
    case .noSignIn: text(.failureNoSignIn)
    case .signInNeeded: text(.failureSignInNeeded)
    case .notAllowed: text(.failureNotAllowed)
    case .busy(let status, _) where reason.isOfGateway: text(.failureGateway, ["status": String(status)])
    case .busy(_, let seconds?) where saysTime: busy(max(1, seconds))
    case .busy: text(.failureServerBusy)
    case .serverError(let status, let message) where status == 404 || status == 410:
      text(.failureNothingThere, ["answer": message.isEmpty ? String(status) : "\(status) \(message)"])
    case .serverError(let status, let message):
      text(.failureServerError, ["answer": message.isEmpty ? String(status) : "\(status) \(message)"])
    case .otherDatabase: text(.failureBadAnswer, ["reason": text(.shortOtherDatabase)])
    case .otherEpoch: text(.failureBadAnswer, ["reason": text(.shortOtherEpoch)])
    case .badAnswer(let words, _): text(.failureBadAnswer, ["reason": words])
    case .notTheServer: text(.failureNotTheServer)
    case .refusedOnTheWay(let status, let message):
      text(
        reason.asksForSignIn ? .failureTokenRefusedOnTheWay : .failureRefusedOnTheWay,
        ["answer": message.isEmpty ? String(status) : "\(status) \(message)"])
    case .alteredAnswer(.notUTF8): text(.failureNotUTF8)
    case .alteredAnswer(.headersRemoved): text(.failureHeadersRemoved)
    case .alteredAnswer(.tokenRemoved): text(.failureTokenRemoved)
    case .alteredAnswer(.ownColumns): text(.failureOwnColumns)
    case .alteredAnswer(.compressed): text(.failureCompressed)
    case .alteredAnswer(.otherRequest): text(.failureOtherRequest)
    case .alteredAnswer(.contradictory): text(.failureContradictory)
    }
  }

  /// It may happen before the first request: so nothing is said of what was sent or came.
  private func reason(_ error: StoreError) -> String {
    let stopped = text(.failureStore, ["reason": shortReason(error)])
    guard case .diskFull = error else { return stopped }
    return sentences(stopped, text(.failureMakeRoom))
  }

  /// In the unit that a person would use, rounded up.
  private func busy(_ seconds: Int) -> String {
    switch seconds {
    case ..<120: text(.failureServerBusyFor, count: seconds)
    case ..<7_200: text(.failureServerBusyMinutes, count: (seconds + 59) / 60)
    default: text(.failureServerBusyHours, count: (seconds + 3_599) / 3_600)
    }
  }

  private func reason(_ account: OtherAccount) -> String {
    let (owner, current) = (account.owner.server, account.current.server)
    return switch account.difference {
    case .user: text(.failureOtherUser, ["whose": whose(account)])
    case .database: text(.failureOtherDatabase, ["server": owner])
    case .server: text(.failureOtherServer, ["owner": owner, "server": current])
    }
  }

  /// Asks what becomes of a list that belongs to another account, and of the changes that wait in it, if any do.
  package func question(about account: OtherAccount) -> String {
    let values: KeyValuePairs = [
      "owner": account.owner.server, "whose": whose(account), "server": account.current.server,
    ]
    let (alone, withChanges): (StringKey, PluralKey) =
      switch account.difference {
      case .user: (.otherUserQuestionAlone, .otherUserQuestion)
      case .database: (.otherDatabaseQuestionAlone, .otherDatabaseQuestion)
      case .server: (.otherServerQuestionAlone, .otherServerQuestion)
      }
    return account.pending == 0 ? text(alone, values) : text(withChanges, count: account.pending, values)
  }

  /// The user whose list it is, if there is one; by name, and with that of the user who signs in now, if the server has
  /// said both.
  private func whose(_ account: OtherAccount) -> String {
    let owner = account.owner.server
    if account.owner.isNobody { return text(.failureWhoseEverybody, ["owner": owner]) }
    if account.current.isNobody { return text(.failureWhoseUser, ["owner": owner]) }
    guard let name = account.owner.name, let user = account.current.name else {
      return text(.failureWhoseOther, ["owner": owner])
    }
    return text(.failureWhoseNamed, ["name": name, "owner": owner, "user": user])
  }

  /// Asks what becomes of items that are newer here than on a server that went back to an older state.
  package func question(about wentBack: ServerWentBack) -> String {
    text(.serverWentBackQuestion, count: wentBack.items)
  }

  /// Asks whether the server may take so much away, or gets it back.
  package func question(about removal: MassRemoval) -> String {
    text(.massRemovalQuestion, values(of: removal))
  }

  /// The numbers in the sentences about a removal.
  package func values(of removal: MassRemoval) -> KeyValuePairs<String, String> {
    ["items": number(removal.rows), "total": number(removal.total), "here": number(removal.here)]
  }
}

/// The same in a few words, for a line that says the rest.
extension Catalogue {
  /// Nil if the word for the connection says enough.
  package func shortReason(_ failure: SyncFailure, saysTime: Bool = true) -> String? {
    switch failure {
    case .remote(let failure): shortReason(failure.reason, saysTime: saysTime)
    case .invalidPull: text(.shortInvalidPull)
    case .other(let words): words
    case .store, .otherProgramBusy, .otherAccount, .massRemoval, .serverWentBack, .cancelled: nil
    }
  }

  package func shortReason(_ reason: RemoteFailure.Reason, saysTime: Bool = true) -> String? {
    switch reason {
    case .unreachable(let words, let kind): shortReason(words, kind)
    case .busy where reason.isOfGateway: text(.shortGateway)
    case .busy(_, let seconds): saysTime ? seconds.map { text(.connectionAsked, ["time": span(seconds: $0)]) } : nil
    case .serverError(let status, _): String(status)
    case .otherDatabase: text(.shortOtherDatabase)
    case .otherEpoch: text(.shortOtherEpoch)
    case .badAnswer(let words, _): words
    case .notTheServer: text(.shortNotTheServer)
    case .refusedOnTheWay(let status, _): text(.shortRefusedOnTheWay, ["status": String(status)])
    case .alteredAnswer(let alteration): alteration.isOfTheWay ? text(.shortAlteredOnTheWay) : nil
    case .noServer, .noSignIn, .signInNeeded, .notAllowed: nil
    }
  }

  /// The words as they came if the kind is not known: mostly English.
  private func shortReason(_ words: String, _ kind: RemoteFailure.UnreachableKind?) -> String {
    switch kind {
    case .noName: text(.shortNoName)
    case .refused: text(.shortConnectionRefused)
    case .noRoute: text(.shortNoRoute)
    case .timedOut, .silent: text(.shortTimedOut)
    case .cut: text(.shortConnectionCut)
    case .tls: text(.shortTLS)
    case nil: reason(saidBySystem: words)
    }
  }

  private func shortReason(_ error: StoreError) -> String {
    switch error {
    case .notAStore: text(.shortStoreDamaged)
    case .newerVersion: text(.shortStoreNewer)
    case .emptied: text(.shortStoreEmptied)
    case .missing: text(.shortStoreMissing)
    case .fileGone: text(.shortStoreGone)
    case .notAllowed(let path): "\(path): " + text(.shortStoreNotAllowed)
    case .cannotOpen(let path, let words): "\(path): " + reason(saidBySystem: words)
    case .failed(_, let words): reason(saidBySystem: words)
    case .diskFull: text(.shortDiskFull)
    case .busy: text(.shortStoreBusy)
    }
  }
}

extension OtherAccount {
  fileprivate enum Difference { case user, database, server }

  /// The difference between the two accounts that a person has to know of.
  fileprivate var difference: Difference {
    // Of two addresses, with a sign-in at one of them at most, nothing is known of another user.
    let isNobodyElsewhere = owner.server != current.server && (owner.isNobody || current.isNobody)
    if !isNobodyElsewhere, !owner.isSameUser(as: current), !owner.hasSameName(as: current) { return .user }
    return owner.server == current.server ? .database : .server
  }
}

extension Account {
  /// True for the list of those who show no token.
  fileprivate var isNobody: Bool { user?.isEmpty == true }
}

extension Catalogue {
  /// Why a refresh could not be finished, what to do, and that nothing is lost.
  package func sentence(for failure: SyncFailure, pending: Int, refresh: String) -> String {
    sentences(reason(failure), waiting(pending, refresh))
  }

  /// Sentences after each other, with a space between them where the language has one.
  package func sentences(_ sentences: String...) -> String {
    sentences.joined(separator: text(.sentenceSeparator))
  }

  private func waiting(_ pending: Int, _ refresh: String) -> String {
    if pending == 0 { return text(.failureNothingWaits, ["refresh": refresh]) }
    return text(.failureChangesWait, count: pending, ["refresh": refresh])
  }
}
