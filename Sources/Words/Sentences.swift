package import TodoCore

extension Catalogue {
  /// Why a refresh could not be finished, what to do, and that nothing is lost.
  package func sentence(for failure: RefreshFailure, pending: Int, refresh: String) -> String {
    sentences(reason(failure), waiting(pending, refresh))
  }

  /// Sentences after each other, with a space between them where the language has one.
  package func sentences(_ sentences: String...) -> String {
    sentences.joined(separator: text(.sentenceSeparator))
  }

  /// What went wrong with a refresh, without what waits.
  package func reason(_ failure: RefreshFailure) -> String {
    switch failure {
    case .noServer: text(.failureNoServer)
    case .unreachable(_, let reason): text(.failureUnreachable, ["reason": reason])
    case .signInNeeded: text(.failureSignInNeeded)
    case .notAllowed: text(.failureNotAllowed)
    case .serverBusy(nil): text(.failureServerBusy)
    case .serverBusy(.some(let seconds)): text(.failureServerBusyFor, count: seconds)
    case .serverError(let status, let message):
      text(.failureServerError, ["status": String(status), "message": message])
    case .badAnswer(let reason): text(.failureBadAnswer, ["reason": reason])
    case .otherProgramBusy: text(.failureOtherProgramBusy)
    case .otherAccount(let account): reason(account)
    case .store(let reason): text(.failureStore, ["reason": reason])
    case .massRemoval(let items, let total):
      text(.failureMassRemoval, ["items": String(items), "total": String(total)])
    case .cancelled: text(.failureCancelled)
    }
  }

  private func reason(_ account: OtherAccountNotice) -> String {
    if account.isOtherUser {
      return text(.failureOtherUser, ["owner": account.owner, "server": account.current])
    }
    if account.owner == account.current { return text(.failureOtherDatabase, ["server": account.owner]) }
    return text(.failureOtherServer, ["owner": account.owner, "server": account.current])
  }

  /// What is to be decided about a list that is another account's.
  package func question(about account: OtherAccountNotice) -> String {
    text(
      account.isOtherUser
        ? .otherUserQuestion : account.owner == account.current ? .otherDatabaseQuestion : .otherServerQuestion,
      count: account.pending, ["owner": account.owner, "server": account.current])
  }

  package func question(removing items: Int, of total: Int) -> String {
    text(.massRemovalQuestion, ["items": String(items), "total": String(total)])
  }

  private func waiting(_ pending: Int, _ refresh: String) -> String {
    if pending == 0 { return text(.failureNothingWaits, ["refresh": refresh]) }
    return text(.failureChangesWait, count: pending, ["refresh": refresh])
  }
}
