import ArgumentParser
import Exchange
import FoundationEssentials
import Glibc
import TableProtocol
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

  @Flag(help: .usage(.jsonObject))
  var json = false

  @Argument(help: .usage(.importFile))
  var file: String?

  /// More items are not added without a question.
  private static let mostUnasked = 20

  func run() throws {
    let source = try ImportSource(file)
    let result = try source.read(format)
    let items = result.items.map(\.item)
    let settings = try Settings(settings.flags, environment: .ofProcess, offline: true)
    // A list that is not there is made when something is added to it.
    let list = settings.hasStore && !items.isEmpty ? try AppContext(settings, offline: true).list : nil
    let planned = { () throws -> ImportPlan in
      try list?.plan(items, exact: result.isExact)
        ?? ImportPlan(forNewList: items, exact: result.isExact, today: CalendarDay(Date()))
    }
    if dryRun { return try preview(ImportReport(result, try planned()), source) }
    let isMuch = items.count > Self.mostUnasked && !yes
    let isAsked = list == nil || isMuch ? try ask(ImportReport(result, try planned()), source) : false
    let opened = try list ?? AppContext(settings, offline: true).list
    let (plan, added) = try opened.add(items, exact: result.isExact)
    let report = ImportReport(result, plan)
    if !isAsked { report.remarks.forEach(StandardOutput.error) }
    try print(report, added, opened, source, hasServer: settings.namesServer)
  }

  private func preview(_ report: ImportReport, _ source: ImportSource) throws {
    // A program that reads it wants all of them.
    if !json { report.preview(isWhole: isatty(STDOUT_FILENO) == 0).forEach(StandardOutput.line) }
    report.remarks.forEach(StandardOutput.error)
    if report.hasNothing { throw CommandFailure.exchange(.nothing(source.name)) }
    if json { return StandardOutput.bytes(report.json(nil, nil)) }
    StandardOutput.line(report.summary(.importWould, report.count))
  }

  private func print(
    _ report: ImportReport, _ added: [RecordID], _ list: TodoList, _ source: ImportSource, hasServer: Bool
  ) throws {
    if report.hasNothing { throw CommandFailure.exchange(.nothing(source.name)) }
    if json { return StandardOutput.report(data: report.json(added, try list.handles())) }
    for line in try report.lines(of: added, in: list, hasServer: hasServer) { StandardOutput.report(line) }
    StandardOutput.report(report.summary(added.isEmpty ? .importNothingNew : .importDone, added.count))
  }

  /// Asks whether many items are wanted, after saying what does not come in. False if nothing was asked. Throws for a
  /// no, and if there is nothing to import.
  private func ask(_ report: ImportReport, _ source: ImportSource) throws -> Bool {
    if report.hasNothing {
      report.remarks.forEach(StandardOutput.error)
      throw CommandFailure.exchange(.nothing(source.name))
    }
    guard report.count > Self.mostUnasked, !yes, let terminal = ControllingTerminal() else { return false }
    report.remarks.forEach(StandardOutput.error)
    let question = report.preview() + [report.summary(.importQuestion, report.count)]
    let choices = ErrorMessages.catalogue.text(.choices)
    guard YesOrNo.isAgreed(question.joined(separator: "\n"), choices, at: terminal) else {
      throw CommandFailure.exchange(.declined)
    }
    return true
  }
}

extension ExchangeFormat: ExpressibleByArgument {
  /// Also by the ending that such files have.
  package init?(argument: String) {
    switch argument {
    case "md": self = .markdown
    case "txt": self = .todotxt
    default: self.init(rawValue: argument)
    }
  }
}
