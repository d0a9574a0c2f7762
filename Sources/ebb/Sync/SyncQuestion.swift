import Glibc
import OfflineSync
import TodoCore
import Words

/// A question of `ebb sync` to the person at the terminal, on standard error.
enum SyncQuestion {
  case account(OtherAccount)
  /// With the texts of some of the items that would go.
  case massRemoval(MassRemoval, texts: [String])
  case serverWentBack(ServerWentBack)

  /// More are not printed.
  private static let mostPrinted = 20

  /// Nil for a result that nobody has to decide about.
  init?(_ result: RefreshResult) {
    switch result.failure {
    case .otherAccount(let account): self = .account(account)
    case .massRemoval(let removal):
      self = .massRemoval(removal, texts: Array(result.removals.prefix(Self.mostPrinted)))
    case .serverWentBack(let wentBack): self = .serverWentBack(wentBack)
    case .remote, .store, .otherProgramBusy, .invalidPull, .cancelled, .other, nil: return nil
    }
  }

  /// Somebody can read the question and type an answer.
  static var canBeAsked: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

  /// The options that the answer means. Nil if all stays as it is: any answer that is not offered means that.
  func ask(_ options: RefreshOptions) -> RefreshOptions? {
    let catalogue = ErrorMessages.catalogue
    switch self {
    case .account(let account):
      StandardOutput.question(catalogue.question(about: account), catalogue.text(.commandAccountChoices))
      return Self.change(readLine() ?? "").map { change in
        var options = options
        options.accountChange = change
        return options
      }
    case .massRemoval(let removal, let texts):
      let others = removal.here - texts.count
      let more = others > 0 ? [catalogue.text(.pasteMore, count: others)] : []
      let words = texts.map { "- " + $0.printable } + more + [catalogue.question(about: removal)]
      StandardOutput.question(words.joined(separator: "\n"), catalogue.text(.commandRemovalChoices))
      return Self.removalAnswer(readLine() ?? "", options)
    case .serverWentBack(let wentBack):
      StandardOutput.question(catalogue.question(about: wentBack), catalogue.text(.commandRestoreChoices))
      return Self.restoreAnswer(readLine() ?? "").map { options.answering($0) }
    }
  }

  private static func removalAnswer(_ answer: String, _ options: RefreshOptions) -> RefreshOptions? {
    switch answer.lowercased() {
    case "y", "yes": options.agreeingToRemoval
    case "b", "send": options.sendingRemovalsBack
    default: nil
    }
  }

  private static func restoreAnswer(_ answer: String) -> RestoreAnswer? {
    switch answer.lowercased() {
    case "b", "send": .sendBack
    case "k", "server": .keepServers
    default: nil
    }
  }

  private static func change(_ answer: String) -> AccountChange? {
    switch answer.lowercased() {
    case "s", "same": .sameList
    case "t", "new": .takeAlong
    default: nil
    }
  }
}
