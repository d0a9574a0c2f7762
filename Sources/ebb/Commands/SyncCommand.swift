import ArgumentParser
import TodoCore
import TodoUI

struct SyncCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync", abstract: "Send what waits, then bring what is new, and print a receipt.",
    discussion: """
      In a terminal it asks before anything is sent to another account than the list belongs to, and before the \
      server takes away more than half of the list; elsewhere it then ends with exit code 1, and --account and --yes \
      are the answers. Ctrl-C ends it at a safe point, with exit code 130.
      """)

  enum Account: String, ExpressibleByArgument, CaseIterable {
    case same, new
  }

  @OptionGroup var settings: SettingsOptions

  @Flag(help: "Only send.")
  var pushOnly = false

  @Flag(help: "Only bring.")
  var pullOnly = false

  @Flag(help: "Compare everything with the server, not only what changed.")
  var full = false

  @Flag(help: "Send and bring nothing: compare every item with the server's, and say whether both have the same.")
  var verify = false

  @Flag(help: "Go on though the server takes away more than half of the list.")
  var yes = false

  @Option(help: "Where the list is another account's: it is the same list there, or all of it is sent there as new.")
  var account: Account?

  @Flag(help: "Print a JSON object.")
  var json = false

  func validate() throws {
    if pushOnly && full { throw ValidationError("--full compares what comes; --push-only brings nothing.") }
    if pushOnly && pullOnly { throw ValidationError("Give --push-only or --pull-only, not both.") }
    if pushOnly && account == .same {
      throw ValidationError("--account same compares what comes; --push-only brings nothing.")
    }
    if verify && (pushOnly || pullOnly || full || yes || account != nil) {
      throw ValidationError("--verify sends and brings nothing; only --json goes with it.")
    }
  }

  func run() throws {
    let list = try Workplace(settings.flags).list
    let conversation = SyncConversation(list: list, canAsk: SyncQuestion.canBeAsked)
    if verify { return try report(conversation.verify(), list) }
    let (result, agreement) = conversation.run(wish)
    if json {
      StandardOutput.bytes(Receipt(result, agreement).json)
    } else if result.failure == nil || result.failure == .cancelled {
      StandardOutput.line(Receipt(result, agreement).line)
    }
    if agreement?.isSame == false {
      StandardOutput.error(Explanation.catalogue.text(full ? .receiptDiffersStill : .receiptDiffers))
    }
    if let failure = result.failure { throw CommandFailure.sync(failure, pending: try list.status().pending) }
    if result.conflicts > 0 { throw ExitCode(ExitStatus.conflictsWait) }
    if result.refused > 0 { throw ExitCode(ExitStatus.failed) }
  }

  private func report(_ outcome: Result<Verification, RefreshFailure>, _ list: TodoList) throws {
    switch outcome {
    case .success(let found):
      let report = VerificationReport(found)
      if json { StandardOutput.bytes(report.json) } else { StandardOutput.line(report.line) }
      if !found.isSame { throw CommandFailure.differs }
    case .failure(let failure):
      throw CommandFailure.sync(failure, pending: try list.status().pending)
    }
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
