import ArgumentParser
import Exchange
import FoundationEssentials
import TodoCore
import Words

/// `ebb import`: adds the items of a file, as one change.
struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: ErrorMessages.usage(.importing),
    discussion: CommandConfiguration.discussion(.importing, .importMore))

  @OptionGroup var settings: SettingsOptions

  @Option(help: .usage(.importFormat))
  var format: ExchangeFormat?

  @Flag(name: [.customShort("n"), .customLong("dry-run")], help: .usage(.importDryRun))
  var dryRun = false

  @Flag(name: .shortAndLong, help: .usage(.importYes))
  var yes = false

  @Argument(help: .usage(.importFile))
  var file: String?

  /// More items are not added without a question.
  private static let mostUnasked = 20

  func run() throws {
    let source = try ImportSource(file)
    let result = try source.read(format)
    let items = result.items.map(\.item)
    let settings = try Settings(settings.flags, environment: .ofProcess, offline: true)
    // To look at what would be done makes no list, and nor does a file without an item.
    if items.isEmpty || (dryRun && !settings.hasStore) {
      let plan = ImportPlan(forNewList: items, exact: result.isExact, today: CalendarDay(Date()))
      return try preview(result, plan, source)
    }
    let list = try AppContext(settings, offline: true).list
    let plan = try list.plan(items, exact: result.isExact)
    if dryRun { return try preview(result, plan, source) }
    try add(plan, of: result, to: list, from: source, hasServer: settings.namesServer)
  }

  private func preview(_ result: ImportResult, _ plan: ImportPlan, _ source: ImportSource) throws {
    let report = ImportReport(result, plan)
    report.preview.forEach(StandardOutput.line)
    report.remarks.forEach(StandardOutput.error)
    if plan.hasNothing { throw CommandFailure.exchange(.nothing(source.name)) }
    StandardOutput.line(report.summary(.importWould, plan.count))
  }

  private func add(
    _ plan: ImportPlan, of result: ImportResult, to list: TodoList, from source: ImportSource, hasServer: Bool
  ) throws {
    let report = ImportReport(result, plan)
    report.remarks.forEach(StandardOutput.error)
    if plan.hasNothing { throw CommandFailure.exchange(.nothing(source.name)) }
    try askIfNeeded(plan.count, report)
    let added = plan.count == 0 ? [] : try list.add(plan)
    for line in try report.lines(of: added, in: list, hasServer: hasServer) { StandardOutput.report(line) }
    StandardOutput.report(report.summary(added.isEmpty ? .importNothingNew : .importDone, added.count))
  }

  /// Throws if many items are not wanted.
  private func askIfNeeded(_ count: Int, _ report: ImportReport) throws {
    guard count > Self.mostUnasked, !yes, SyncQuestion.canBeAsked else { return }
    let words = ErrorMessages.catalogue
    let question = report.preview + [report.summary(.importQuestion, count)]
    StandardOutput.question(question.joined(separator: "\n"), words.text(.choices))
    guard ["y", "yes"].contains(readLine()?.lowercased()) else { throw CommandFailure.exchange(.declined) }
  }
}

extension ImportPlan {
  /// There is no item in it that could be added or be here.
  fileprivate var hasNothing: Bool {
    verdicts.allSatisfy { verdict in
      switch verdict {
      case .noText, .nullCharacter: true
      case .add, .isHere, .differs: false
      }
    }
  }
}

extension ExchangeFormat: ExpressibleByArgument {}
