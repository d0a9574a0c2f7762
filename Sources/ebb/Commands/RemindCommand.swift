import ArgumentParser
import FoundationEssentials
import OfflineSync
import TableProtocol
import TodoCore
import TodoUI
import Words

/// `ebb remind`: brings what is new, then says what is overdue and what is due today; for a timer.
struct RemindCommand: ParsableCommand {
  static let configuration = CommandConfiguration.of(.remind, "remind", examples: .remind, more: .remindMore)

  @OptionGroup var settings: SettingsOptions

  @Flag(help: .usage(.remindNotify))
  var notify = false

  @Flag(help: .usage(.jsonArray))
  var json = false

  func run() throws {
    let settings = try Settings(settings.flags, environment: .ofProcess, offline: false)
    let query = TodoQuery(view: .agenda, filter: "due:<=today", order: .due)
    let layout = try OutputLayout(settings, hasServer: settings.namesServer)
    guard settings.hasStore || settings.server != nil else {
      return try PlainCommand.printNothing(query, asJSON: json, settings)
    }
    let (list, failure) = try Self.refreshed(settings)
    // The items that are known are printed in any case.
    if let failure { StandardOutput.error(ErrorMessages.anySentence(for: failure)) }
    let problem = notify ? try Self.show(list, query) : nil
    if let problem { StandardOutput.error(ErrorMessages.anySentence(for: problem)) }
    if !notify || problem != nil { try Agenda(list, layout).print(query, asJSON: json) }
    if let problem { throw ExitCode(ExitStatus.of(problem)) }
    if let failure { throw ExitCode(ExitStatus.of(failure)) }
  }

  /// The list after a pull, and the reason if that was not possible. Without a server nothing is pulled.
  private static func refreshed(_ settings: Settings) throws -> (list: TodoList, failure: (any Error)?) {
    // No request is made with a token that can't be read.
    if case .failure(let error) = settings.credentials { return (try AppContext(settings, offline: true).list, error) }
    let list = try AppContext(settings).list
    guard settings.server != nil, let failure = pull(list, settings) else { return (list, nil) }
    return (list, failure)
  }

  /// Shows the items on the desktop. Returns the reason if that can't be done.
  private static func show(_ list: TodoList, _ query: TodoQuery) throws -> CommandFailure? {
    do {
      try Notification(list, query)?.show()
      return nil
    } catch let failure as CommandFailure {
      return failure
    }
  }

  /// Seconds to wait for another ebb that syncs the list. It may be stopped, and the reminder must not come too late.
  private static let patience = 5

  /// Pulls without asking anything: a question is a failure.
  private static func pull(_ list: TodoList, _ settings: Settings) -> CommandFailure? {
    var options = RefreshOptions()
    options.pushes = false
    options.patience = Self.patience
    let (result, _) = SyncConversation(list: list, canAsk: false).run(options)
    return result.failure.map { .ofSync($0, settings, pending: (try? list.status().toSend) ?? 0) }
  }
}

/// The items that are due, as the desktop shows them.
struct Notification {
  /// More are counted.
  private static let most = 8

  let title: String
  let body: String

  /// Nil if nothing is due.
  init?(_ list: TodoList, _ query: TodoQuery) throws {
    let count = try list.count(query)
    self.init(try list.items(query, .first, count: Self.most), count: count, today: CalendarDay(Date()))
  }

  init?(_ items: [TodoItem], count: Int, today: CalendarDay) {
    guard !items.isEmpty else { return nil }
    let catalogue = ErrorMessages.catalogue
    title = catalogue.text(.remindTitle, count: count)
    let lines = items.map { item in
      let notation = TodoNotation(item.line)
      let isLate = notation.due.map { $0 < today } ?? false
      let words = TodoNotation.settingDue(nil, in: item.line).printable
      return isLate ? words + " (" + catalogue.date(notation.due ?? today, today: today) + ")" : words
    }
    let more = count > items.count ? [catalogue.text(.pasteMore, count: count - items.count)] : []
    body = (lines + more).map(Self.escaped).joined(separator: "\n")
  }

  /// Throws `CommandFailure.noNotifier` if there is no program for it.
  func show() throws {
    guard ExternalProgram.run("notify-send", ["--app-name=Ebb", "--icon=appointment-soon", "--", title, body]) == 0
    else {
      throw CommandFailure.noNotifier
    }
  }

  /// The desktop reads marks in a body.
  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
