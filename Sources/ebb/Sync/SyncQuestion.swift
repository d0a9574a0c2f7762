import Glibc
import TodoCore
import TodoUI

/// What `ebb sync` asks the person at the terminal, on standard error.
enum SyncQuestion {
  case account(OtherAccountNotice)
  case massRemoval(items: Int, total: Int)

  /// Nil for a failure that nobody has to decide about.
  init?(_ failure: RefreshFailure) {
    switch failure {
    case .otherAccount(let account): self = .account(account)
    case .massRemoval(let items, let total): self = .massRemoval(items: items, total: total)
    default: return nil
    }
  }

  /// Somebody can read the question and type an answer.
  static var canBeAsked: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

  /// What to do then; nil when all is to stay as it is, which any answer means that is not offered.
  func ask(_ wish: RefreshWish) -> RefreshWish? {
    let catalogue = Explanation.catalogue
    switch self {
    case .account(let account):
      StandardOutput.question(catalogue.question(about: account), catalogue.text(.commandAccountChoices))
      return Self.change(readLine() ?? "").map { change in
        var wish = wish
        wish.accountChange = change
        return wish
      }
    case .massRemoval(let items, let total):
      StandardOutput.question(catalogue.question(removing: items, of: total), catalogue.text(.commandYesOrNo))
      return ["y", "yes"].contains((readLine() ?? "").lowercased()) ? wish.agreeingToRemoval : nil
    }
  }

  private static func change(_ answer: String) -> RefreshWish.AccountChange? {
    switch answer.lowercased() {
    case "s", "same": .sameList
    case "t", "new": .takeAlong
    default: nil
    }
  }
}
