import OfflineSync
import TodoCore

/// The answer that `--restored` gives before the question is asked.
///
/// A sync applies "keep the server's" only to rows that an earlier sync has counted (sync-rules W6), and no answer to
/// rows that its own last pull holds. So the first sync after a restore raises the question although it has the answer.
/// The command answers it then, as a person at the terminal would, and syncs once more.
struct GivenAnswer {
  /// The question may come again: the pull after an answer may hold further rows, and the server may go back once more.
  /// Of a server that goes back each time, the command must not wait for ever.
  private static let mostUses = 3

  private let answer: RestoreAnswer?
  private var uses = 0

  init(_ answer: RestoreAnswer?) {
    self.answer = answer
  }

  /// Returns the options of the next sync; nil if the result asks nothing, or asks something else. An answer about
  /// a server that went back says nothing about what others have deleted (sync-rules W7).
  mutating func next(after result: RefreshResult, _ options: RefreshOptions) -> RefreshOptions? {
    guard let answer, uses < Self.mostUses else { return nil }
    switch result.failure {
    case .serverWentBack:
      uses += 1
      return options.answering(answer)
    case .remote, .store, .otherProgramBusy, .otherAccount, .invalidPull, .massRemoval, .cancelled, .other, nil:
      return nil
    }
  }
}
