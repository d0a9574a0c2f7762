import ArgumentParser
import TodoCore
import TodoUI

struct SyncCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync", abstract: Explanation.usage(.sync),
    discussion: Explanation.usage(.syncMore))

  enum Account: String, ExpressibleByArgument, CaseIterable {
    case same, new
  }

  @OptionGroup var settings: SettingsOptions

  @Flag(help: .usage(.syncPushOnly))
  var pushOnly = false

  @Flag(help: .usage(.syncPullOnly))
  var pullOnly = false

  @Flag(help: .usage(.syncFull))
  var full = false

  @Flag(help: .usage(.syncYes))
  var yes = false

  @Option(help: .usage(.syncAccount))
  var account: Account?

  @Flag(help: .usage(.jsonObject))
  var json = false

  func validate() throws {
    if pushOnly && full { throw ValidationError(Explanation.usage(.wrongPushOnlyFull)) }
    if pushOnly && pullOnly { throw ValidationError(Explanation.usage(.wrongPushAndPull)) }
    if pushOnly && account == .same {
      throw ValidationError(Explanation.usage(.wrongPushOnlySame))
    }
  }

  func run() throws {
    let list = try Workplace(settings.flags).list
    let result = SyncConversation(list: list, canAsk: SyncQuestion.canBeAsked).run(wish)
    if json {
      StandardOutput.bytes(Receipt(result).json)
    } else if result.failure == nil || result.failure == .cancelled {
      StandardOutput.line(Receipt(result).line)
    }
    if let failure = result.failure { throw CommandFailure.sync(failure, pending: try list.status().pending) }
    if result.conflicts > 0 { throw ExitCode(ExitStatus.conflictsWait) }
    if result.refused > 0 { throw ExitCode(ExitStatus.failed) }
  }

  private var wish: RefreshWish {
    var wish = RefreshWish()
    wish.pushes = !pullOnly
    wish.pulls = !pushOnly
    wish.isFull = full
    wish.allowsMassRemoval = yes
    wish.accountChange = account.map { $0 == .same ? .sameList : .takeAlong }
    return wish
  }
}
