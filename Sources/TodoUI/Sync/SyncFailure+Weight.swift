import OfflineSync

/// The weight of a failure: for the pulls by themselves, and for the user.
extension SyncFailure {
  /// How far the pull came.
  var pullEnd: PullEnd {
    switch self {
    // Only the items that wait for a decision are not as they are there.
    case .serverWentBack: .complete
    // To try again is of no use until its user has decided.
    case .otherAccount, .massRemoval: .undecided
    case .remote(let failure) where failure.isBesideAnswers: .complete
    case .remote, .store, .otherProgramBusy, .invalidPull, .cancelled, .other: .incomplete
    }
  }

  /// There was no sign-in without which the server must not be asked.
  var lacksSignIn: Bool {
    if case .remote(let failure) = self { failure.reason == .noSignIn } else { false }
  }

  /// Somebody has to decide, or to make room here: the state of the connection says nothing of that.
  var waitsForAPerson: Bool {
    switch self {
    case .serverWentBack: true
    case .store(.busy): false
    case .store: true
    case .remote, .otherProgramBusy, .otherAccount, .invalidPull, .massRemoval, .cancelled, .other:
      Question(self) != nil
    }
  }
}
