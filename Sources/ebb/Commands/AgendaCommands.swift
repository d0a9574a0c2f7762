import ArgumentParser
import FoundationEssentials
import TableProtocol
import TodoCore
import Words

/// `ebb agenda`: the open items by their dates, as the list's agenda has them.
struct AgendaCommand: ParsableCommand {
  static let configuration = CommandConfiguration.of(.agenda, "agenda", examples: .agenda)

  @OptionGroup var settings: SettingsOptions

  @Flag(help: .usage(.jsonArray))
  var json = false

  @Argument(help: .usage(.listFilter))
  var filter: [String] = []

  func run() throws {
    let query = TodoQuery(view: .agenda, filter: filter.joined(separator: " "), order: .due)
    let settings = try Settings(settings.flags, environment: .ofProcess, offline: true)
    let layout = try OutputLayout(settings, hasServer: settings.namesServer)
    guard settings.hasStore else {
      return try PlainCommand.printNothing(query, asJSON: json, settings, saysSo: true)
    }
    let hasItems = try Agenda(AppContext(settings, offline: true).list, layout).print(query, asJSON: json)
    if !hasItems, !json { query.reportNothing() }
  }
}

/// Open items in groups by date.
struct Agenda {
  private let list: TodoList
  private let layout: OutputLayout
  private let today = CalendarDay(Date())

  init(_ list: TodoList, _ layout: OutputLayout) {
    self.list = list
    self.layout = layout
  }

  /// False if there was no item to print.
  @discardableResult
  func print(_ query: TodoQuery, asJSON: Bool) throws -> Bool {
    let handles = try list.handles()
    let width = handles.longest
    var objects = ItemObjects(handles: handles)
    var last: TodoGroup?
    var hasItems = false
    try list.forEachRun(of: query, size: 500, completions: asJSON) { items in
      var bytes: [UInt8] = []
      hasItems = hasItems || !items.isEmpty
      for item in items {
        let group = TodoGrouping.date.group(of: item, today: today)
        if asJSON {
          bytes += objects.next([item], group: group.word)
          continue
        }
        if group != last { bytes += (heading(group, isFirst: last == nil) + "\n").utf8 }
        last = group
        let handle = handles.handle(of: item.id)
        bytes += (layout.line(item, handle: handle, width: width, indent: 2) + "\n").utf8
      }
      if asJSON { StandardOutput.bytes(bytes) } else { StandardOutput.text(bytes) }
    }
    if asJSON { StandardOutput.bytes(objects.end) }
    return hasItems
  }

  private func heading(_ group: TodoGroup, isFirst: Bool) -> String {
    let name = ErrorMessages.catalogue.name(of: group, today: today)
    return (isFirst || !layout.isForPerson ? "" : "\n") + layout.paint(name, group == .overdue ? .alarm : .bold)
  }
}

extension TodoGroup {
  /// The group of an agenda in JSON.
  fileprivate var word: String {
    switch self {
    case .overdue: "overdue"
    case .today: "today"
    case .sevenDays: "week"
    case .later: "later"
    case .undated, .priority, .project, .day: "none"
    }
  }
}

/// `ebb projects`: how many open items each has.
struct ProjectsCommand: ParsableCommand {
  static let configuration = CommandConfiguration.of(.projects, "projects", examples: .projects)

  @OptionGroup var settings: SettingsOptions

  @Flag(help: .usage(.jsonArray))
  var json = false

  func run() throws { try WordTable("project", "+").print(settings.flags, asJSON: json) }
}

/// `ebb contexts`: the same of contexts.
struct ContextsCommand: ParsableCommand {
  static let configuration = CommandConfiguration.of(.contexts, "contexts", examples: .contexts)

  @OptionGroup var settings: SettingsOptions

  @Flag(help: .usage(.jsonArray))
  var json = false

  func run() throws { try WordTable("context", "@").print(settings.flags, asJSON: json) }
}

/// Words of one kind with the open items that have them, by name.
private struct WordTable {
  private let member: StaticString
  private let sign: Character

  init(_ member: StaticString, _ sign: Character) {
    self.member = member
    self.sign = sign
  }

  func print(_ flags: SettingFlags, asJSON: Bool) throws {
    let settings = try Settings(flags, environment: .ofProcess, offline: true)
    let layout = try OutputLayout(settings, hasServer: settings.namesServer)
    guard settings.hasStore else { return try PlainCommand.printNothing(TodoQuery(), asJSON: asJSON, settings) }
    let counts = try AppContext(settings, offline: true).list.wordCounts().filter { $0.word.first == sign }
    let width = String(counts.map(\.count).max() ?? 0).count
    if asJSON { return StandardOutput.bytes(json(counts)) }
    StandardOutput.text(Array(counts.map { line($0, width, layout) }.joined().utf8))
  }

  /// The count comes first, as `uniq -c` has it; a person is told what is late too.
  private func line(_ count: WordCount, _ width: Int, _ layout: OutputLayout) -> String {
    let number = String(count.count)
    guard layout.isForPerson else { return "\(number) \(count.word.printable)\n" }
    let word = layout.paint(count.word.printable, sign == "+" ? .project : .context)
    let late =
      count.late == 0 ? "" : "  " + layout.paint(ErrorMessages.catalogue.text(.panelLate, count: count.late), .alarm)
    return String(repeating: " ", count: width - number.count) + number + " " + word + late + "\n"
  }

  /// `[{project, open, overdue}]`.
  private func json(_ counts: [WordCount]) -> [UInt8] {
    var writer = JSONWriter(isForTerminal: true)
    writer.raw("[")
    for (index, count) in counts.enumerated() {
      if index > 0 { writer.raw(",\n ") }
      writer.raw("{")
      writer.members([member: .text(count.word), "open": FieldValue(count.count), "overdue": FieldValue(count.late)])
      writer.raw("}")
    }
    writer.raw("]\n")
    return writer.bytes
  }
}
