import ArgumentParser
import OfflineSync
import TodoCore
import Words

struct SyncCommand: PlainlyRead {
  static let configuration = CommandConfiguration.of(
    .sync, "sync", examples: .sync, more: .syncMore)

  enum Account: String, ExpressibleByArgument, CaseIterable {
    case same, new
  }

  enum Restored: String, ExpressibleByArgument, CaseIterable {
    case send, server
  }

  @OptionGroup var settings: SettingsOptions

  @Flag(help: .usage(.syncPushOnly))
  var pushOnly = false

  @Flag(help: .usage(.syncPullOnly))
  var pullOnly = false

  @Flag(help: .usage(.syncFull))
  var full = false

  @Flag(help: .usage(.syncVerify))
  var verify = false

  @Flag(name: [.customShort("n"), .long], help: .usage(.syncDryRun))
  var dryRun = false

  @Flag(name: .shortAndLong, help: .usage(.syncYes))
  var yes = false

  @OptionGroup var asking: AskingOptions

  @Option(help: .usage(.syncAccount))
  var account: Account?

  @Option(help: .usage(.syncRestored))
  var restored: Restored?

  @Flag(help: .usage(.jsonObject))
  var json = false

  func validate() throws {
    if pushOnly && full { throw ValidationError(ErrorMessages.usage(.wrongPushOnlyFull)) }
    if pushOnly && pullOnly { throw ValidationError(ErrorMessages.usage(.wrongPushAndPull)) }
    if pushOnly && account == .same {
      throw ValidationError(ErrorMessages.usage(.wrongPushOnlySame))
    }
    if dryRun && (verify || pullOnly || full || account != nil || restored != nil) {
      throw ValidationError(ErrorMessages.usage(.wrongDryRun))
    }
    if verify && (pushOnly || pullOnly || full || yes || account != nil || restored != nil) {
      throw ValidationError(ErrorMessages.usage(.wrongVerify))
    }
  }

  var plain: PlainCommand {
    let choices = SyncChoices(
      pushOnly: pushOnly, pullOnly: pullOnly, full: full, verify: verify, yes: yes, account: account,
      restored: restored, json: json, isDry: dryRun, mayAsk: !asking.noInput)
    return PlainCommand(.sync(choices), settings.flags)
  }
}

/// The choices of a call of `ebb sync`.
struct SyncChoices: Equatable {
  var pushOnly = false
  var pullOnly = false
  var full = false
  var verify = false
  var yes = false
  var account: SyncCommand.Account?
  var restored: SyncCommand.Restored?
  var json = false
  /// Only says what would be sent.
  var isDry = false
  /// A person at the terminal may be asked.
  var mayAsk = true

  func run(_ flags: SettingFlags) throws {
    if isDry { return try runDry(flags) }
    let context = try AppContext(flags)
    let list = context.list
    let conversation = SyncConversation(list: list, canAsk: mayAsk && SyncQuestion.canBeAsked)
    if verify {
      if try list.status().server == nil { throw CommandFailure.noServerToCompare }
      return try report(conversation.verify(), context)
    }
    let (result, comparison) = conversation.run(options)
    if json {
      StandardOutput.bytes(Receipt(result, comparison).json)
    } else if result.failure == nil || result.failure == .cancelled {
      StandardOutput.line(Receipt(result, comparison).line)
    }
    if comparison?.isSame == false {
      StandardOutput.error(ErrorMessages.catalogue.text(full ? .receiptDiffersStill : .receiptDiffers))
    }
    let leftOut = ErrorMessages.catalogue.leftOut(of: result)
    if let leftOut { StandardOutput.error(leftOut.printable) }
    if let dropped = ErrorMessages.catalogue.droppedDeletions(of: result) { StandardOutput.error(dropped) }
    let status = try list.status()
    let needless = NeedlessAnswer.all(account: account != nil, restored: restored != nil, result)
    for answer in needless { StandardOutput.error(answer.sentence(server: status.server ?? "")) }
    if let failure = result.failure {
      throw CommandFailure.ofSync(failure, context.settings, pending: status.toSend)
    }
    // The list may lack something: that is worse than a question that waits.
    if comparison?.isSame == false || leftOut != nil { throw ExitCode(ExitStatus.failed) }
    if result.conflicts > 0 { throw ExitCode(ExitStatus.conflictsWait) }
    if result.refused > 0 {
      StandardOutput.error(ErrorMessages.decisions(in: status))
      throw ExitCode(ExitStatus.failed)
    }
  }

  private func runDry(_ flags: SettingFlags) throws {
    let settings = try Settings(flags, environment: .ofProcess, offline: true)
    guard let context = try PlainCommand.existing(settings) else {
      return StandardOutput.line(json ? "[]" : ErrorMessages.catalogue.text(.dryRunNothing))
    }
    try DryRun(context).print(asJSON: json)
  }

  private func report(_ outcome: Result<TableVerification, SyncFailure>, _ context: AppContext) throws {
    switch outcome {
    case .success(let found):
      let report = VerificationReport(found)
      if json { StandardOutput.bytes(report.json) } else { StandardOutput.line(report.line) }
      for remark in report.remarks { StandardOutput.error(remark) }
      if !found.isSame, found.canBeMended { throw CommandFailure.differs(isBehind: found.isBehind) }
      if !found.isSame || found.damaged > 0 { throw ExitCode(ExitStatus.failed) }
    case .failure(let failure):
      throw CommandFailure.ofSync(failure, context.settings, pending: try context.list.status().toSend)
    }
  }

  private var options: RefreshOptions {
    var options = RefreshOptions()
    options.pushes = !pullOnly
    options.pulls = !pushOnly
    options.isFull = full
    options.allowsMassRemoval = yes
    options.accountChange = account.map { $0 == .same ? .sameList : .takeAlong }
    options.afterRestore = restored.map { $0 == .send ? .sendBack : .keepServers }
    options.sendsRemovalsBack = restored == .send && !yes
    return options
  }
}

extension CommandFailure {
  /// Why a sync failed. A server that asks for a sign-in may be one that the token is not for.
  static func ofSync(_ failure: SyncFailure, _ settings: Settings, pending: Int) -> CommandFailure {
    guard case .remote(let remote) = failure, remote.reason == .signInNeeded, let server = settings.server,
      let owner = settings.otherServerOfToken
    else { return .sync(failure, pending: pending) }
    return .tokenWithheld(from: server, owner: owner, pending: pending)
  }
}

/// An option that answers what nobody had to ask: it had no effect, and is not passed over in silence.
enum NeedlessAnswer {
  case account, restored

  /// `account` and `restored` say which of the two was given. Nothing is said of a sync that failed before it could
  /// find out.
  static func all(account: Bool, restored: Bool, _ result: RefreshResult) -> [NeedlessAnswer] {
    let wasHeard =
      switch result.failure {
      case nil, .massRemoval, .serverWentBack: true
      case .remote, .store, .otherProgramBusy, .otherAccount, .invalidPull, .cancelled, .other: false
      }
    guard wasHeard else { return [] }
    let isDone = result.failure == nil && result.answered.isDisjoint(with: [.restore, .removal])
    return (account && !result.answered.contains(.account) ? [.account] : [])
      + (restored && isDone ? [.restored] : [])
  }

  func sentence(server: String) -> String {
    switch self {
    case .account: ErrorMessages.catalogue.text(.commandAccountNeedless, ["server": server])
    case .restored: ErrorMessages.catalogue.text(.commandRestoredNeedless)
    }
  }
}

struct PurgeCommand: ParsableCommand {
  static let configuration = CommandConfiguration.of(
    .purge, "purge", examples: .purge, more: .purgeMore)

  @OptionGroup var settings: SettingsOptions

  @Flag(help: .usage(.purgeForce))
  var force = false

  func run() throws {
    let settings = try Settings(settings.flags, environment: .ofProcess, offline: true)
    let (items, changes) = try purge(settings)
    let catalogue = ErrorMessages.catalogue
    let dropped = changes > 0 ? [catalogue.text(.purgeDropped, count: changes)] : []
    StandardOutput.line(([catalogue.text(.purgeRemoved, count: items)] + dropped).joined(separator: " · "))
  }

  /// Without a server a sync, which a refused purge advises, can't send or ask anything.
  private func purge(_ settings: Settings) throws -> (items: Int, changes: Int) {
    guard let list = try PlainCommand.existing(settings)?.list else { return (0, 0) }
    do {
      return try list.purge(forced: force, waiting: SyncConversation.sayThatItWaits)
    } catch TodoError.changesWait(let unsent, let conflicts, let held) where !settings.namesServer {
      throw CommandFailure.lossWithoutServer(unsent: unsent, conflicts: conflicts, held: held)
    }
  }
}
