import ArgumentParser
import FoundationEssentials
import Glibc
import TableClient
import TableProtocol
import TodoCore
import Words

struct ListItemsCommand: PlainlyRead {
  static let configuration = CommandConfiguration.of(
    .list, "list", aliases: ["ls"], examples: .list, more: .listMore)

  @OptionGroup var settings: SettingsOptions

  @Flag(help: .usage(.listAll))
  var all = false

  @Flag(help: .usage(.listDone))
  var done = false

  @Flag(help: .usage(.jsonArray))
  var json = false

  @Option(help: .usage(.listSort))
  var sort = TodoOrder.created

  @Argument(help: .usage(.listFilter))
  var filter: [String] = []

  func validate() throws {
    if all && done { throw ValidationError(ErrorMessages.usage(.wrongAllAndDone)) }
  }

  var plain: PlainCommand {
    let query = TodoQuery(
      view: all ? .all : done ? .done : .open, filter: filter.joined(separator: " "), order: sort)
    return PlainCommand(.list(query, asJSON: json), settings.flags)
  }
}

extension TodoList {
  func print(_ query: TodoQuery, asJSON: Bool, _ layout: OutputLayout) throws {
    // In runs, so that a long list needs no more memory than a short one.
    if asJSON {
      var objects = ItemObjects(handles: try handles())
      try forEachRun(of: query, size: 500, completions: true) { StandardOutput.bytes(objects.next($0)) }
      StandardOutput.bytes(objects.end)
    } else if layout.isForPerson {
      try printForPerson(query, layout)
    } else {
      let handles = try handles()
      var lines = ItemLines(hasServer: layout.hasServer)
      try forEachLine(of: query) { line in
        lines.append(line, handles)
        if lines.bytes.count > 1 << 16 { StandardOutput.text(lines.take()) }
      }
      StandardOutput.text(lines.take())
    }
  }

  private func printForPerson(_ query: TodoQuery, _ layout: OutputLayout) throws {
    let handles = try handles()
    var printer = PersonLines(layout, today: CalendarDay(Date()), width: handles.longest)
    var lines = ""
    var isEmpty = true
    try forEachLine(of: query) { line in
      isEmpty = false
      lines += printer.line(line, handle: handles.handle(of: line.id)) + "\n"
      guard lines.utf8.count > 1 << 16 else { return }
      StandardOutput.text(Array(lines.utf8))
      lines = ""
    }
    StandardOutput.text(Array(lines.utf8))
    if isEmpty { query.reportNothing() }
  }
}

extension TodoQuery {
  /// Says on standard error that no item is found, if the user sees both streams at a terminal. A program gets nothing.
  func reportNothing() {
    guard isatty(STDOUT_FILENO) == 1, isatty(STDERR_FILENO) == 1 else { return }
    let noMatch: CommandKey = TodoFilter.hasSmallOr(filter) ? .noneMatchesOr : .noneMatches
    let key = filter.allSatisfy(\.isWhitespace) ? noneOfView : noMatch
    StandardOutput.error(ErrorMessages.catalogue.text(key))
  }

  private var noneOfView: CommandKey {
    switch view {
    case .agenda, .open: .noneToDo
    case .done: .noneDone
    case .all: .noneAtAll
    }
  }
}

extension TodoOrder: ExpressibleByArgument {
  /// `date` is what the key in the list is called.
  package init?(argument: String) { self.init(rawValue: argument == "date" ? Self.due.rawValue : argument) }
}

struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration.of(
    .status, "status", examples: .status)

  @OptionGroup var settings: SettingsOptions

  @Flag(help: .usage(.jsonObject))
  var json = false

  func run() throws {
    let settings = try Settings(settings.flags, environment: .ofProcess, offline: false)
    // The state of the list can be read without a token. The next sync can't go without it.
    if case .failure(let error) = settings.credentials { StandardOutput.error(ErrorMessages.anySentence(for: error)) }
    // Nothing waits in a list that is not there yet.
    let status = try PlainCommand.existing(settings)?.list.status() ?? SyncStatus(server: settings.server?.text)
    let report = StatusReport(status)
    if json { StandardOutput.bytes(report.json) } else { StandardOutput.text(report.text) }
  }
}
