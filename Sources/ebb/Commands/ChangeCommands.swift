import ArgumentParser
import FoundationEssentials
import TableProtocol
import TodoCore
import Words

struct DoneCommand: PlainlyRead {
  static let configuration = CommandConfiguration(commandName: "done", abstract: ErrorMessages.usage(.done))

  @OptionGroup var settings: SettingsOptions
  @Argument(help: .usage(.handles))
  var handles: [String]

  var plain: PlainCommand { PlainCommand(.setComplete(handles, true), settings.flags) }
}

struct UndoneCommand: PlainlyRead {
  static let configuration = CommandConfiguration(commandName: "undone", abstract: ErrorMessages.usage(.undone))

  @OptionGroup var settings: SettingsOptions
  @Argument(help: .usage(.undoneHandles))
  var handles: [String]

  var plain: PlainCommand { PlainCommand(.setComplete(handles, false), settings.flags) }
}

struct DeleteCommand: PlainlyRead {
  static let configuration = CommandConfiguration(commandName: "delete", abstract: ErrorMessages.usage(.delete))

  @OptionGroup var settings: SettingsOptions
  @Argument(help: .usage(.handles))
  var handles: [String]

  var plain: PlainCommand { PlainCommand(.delete(handles), settings.flags) }
}

struct EditCommand: PlainlyRead {
  static let configuration = CommandConfiguration(commandName: "edit", abstract: ErrorMessages.usage(.edit))

  @OptionGroup var settings: SettingsOptions
  @Argument(help: .usage(.editHandle))
  var handle: String
  @Argument(help: .usage(.editText))
  var text: [String]

  var plain: PlainCommand { PlainCommand(.edit(handle: handle, text: text.joined(separator: " ")), settings.flags) }
}

struct AddCommand: PlainlyRead {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: ErrorMessages.usage(.add), discussion: ErrorMessages.usage(.addMore))

  @OptionGroup var settings: SettingsOptions

  @Argument(help: .usage(.addText))
  var text: [String]

  var plain: PlainCommand { PlainCommand(.add(text: text.joined(separator: " ")), settings.flags) }
}

struct UndoCommand: PlainlyRead {
  static let configuration = CommandConfiguration(
    commandName: "undo", abstract: ErrorMessages.usage(.undo),
    discussion: ErrorMessages.usage(.undoMore))

  @OptionGroup var settings: SettingsOptions

  var plain: PlainCommand { PlainCommand(.undo, settings.flags) }
}

struct RedoCommand: PlainlyRead {
  static let configuration = CommandConfiguration(
    commandName: "redo", abstract: ErrorMessages.usage(.redo))

  @OptionGroup var settings: SettingsOptions

  var plain: PlainCommand { PlainCommand(.redo, settings.flags) }
}

extension PlainCommand {
  func run() throws {
    switch task {
    case .add(let text): try add(text)
    case .list(let query, let asJSON): try print(query, asJSON: asJSON)
    case .setComplete(let handles, let complete): try change(handles) { try $0.setComplete($1, complete) }
    case .delete(let handles): try change(handles) { try $0.delete($1) }
    case .edit(let handle, let text): try edit(handle, text)
    case .undo: try Self.report(try offline().list.undo(), .undo)
    case .redo: try Self.report(try offline().list.redo(), .redo)
    case .sync(let choices): try choices.run(flags)
    }
  }

  private func offline() throws -> AppContext { try AppContext(flags, offline: true) }

  private func add(_ text: String) throws {
    let list = try offline().list
    do {
      StandardOutput.report(try list.handle(of: try list.add(text).id))
    } catch TodoError.emptyText {
      throw CommandFailure.nothingToAdd
    }
    TypedDate.report(text)
  }

  private func edit(_ handle: String, _ text: String) throws {
    do {
      try change([handle]) { list, ids in
        // One line is the first line: the note below it is not lost.
        for id in ids { try list.edit(id, text: try list.textKeepingNote(text, of: id)) }
      }
    } catch TodoError.emptyText {
      throw CommandFailure.nothingToEdit(handle)
    }
    TypedDate.report(text)
  }

  private func change(_ handles: [String], _ body: (TodoList, [RecordID]) throws -> Void) throws {
    let context = try offline()
    try ChangedItems(context.list, handles, context.settings).change(body)
  }

  private func print(_ query: TodoQuery, asJSON: Bool) throws {
    let settings = try Settings(flags, environment: .ofProcess, offline: true)
    guard settings.hasStore else { return try printNothing(query, asJSON: asJSON, settings) }
    try AppContext(settings, offline: true).list.print(query, asJSON: asJSON, hasServer: settings.namesServer)
  }

  /// Looking at a list does not make one.
  private func printNothing(_ query: TodoQuery, asJSON: Bool, _ settings: Settings) throws {
    if let problem = TodoFilter.problem(in: query.filter, today: CalendarDay(Date())) { throw problem }
    let path = settings.store
    let warnings = SettingWarning.unknownKeys(in: settings.file)
    if !warnings.isEmpty { StandardOutput.error(ErrorMessages.sentence(for: warnings)) }
    if settings.isStoreNamed { StandardOutput.error(ErrorMessages.catalogue.text(.commandNoStore, ["path": path])) }
    if asJSON { StandardOutput.line("[]") }
  }

  private static func report(_ reversal: UndoResult?, _ direction: UndoResult.Direction) throws {
    guard let reversal else { throw CommandFailure.nothingToReverse(direction) }
    guard reversal.obstacle == nil else { throw CommandFailure.notReversed(reversal) }
    // What was done an hour ago is not what one has just done.
    let words = ErrorMessages.catalogue.sentence(for: reversal, start: Date(timeIntervalSinceNow: -3_600))
    StandardOutput.report(words.printable)
  }
}

/// The items some handles name, all of them found before the first is changed.
private struct ChangedItems {
  private let list: TodoList
  private let items: [(handle: String, item: TodoItem)]
  private let hasServer: Bool

  init(_ list: TodoList, _ handles: [String], _ settings: Settings) throws {
    self.list = list
    hasServer = settings.namesServer
    items = try handles.map { handle in
      do {
        let item = try list.item(handle: handle)
        return (try list.handle(of: item.id), item)
      } catch TodoError.notFound {
        throw CommandFailure.unknownHandle(handle)
      } catch TodoError.ambiguousHandle(let candidates) {
        throw CommandFailure.ambiguousHandle(handle, candidates)
      }
    }
  }

  /// Changes them as one step, and prints each item as it is then; a deleted one as it was.
  func change(_ change: (TodoList, [RecordID]) throws -> Void) throws {
    try change(list, items.map(\.item.id))
    for (handle, item) in items {
      StandardOutput.report(ItemLines.line(try list.item(item.id) ?? item, handle: handle, hasServer: hasServer))
    }
  }
}

/// What follows `due:` and is no date is kept as text, since what somebody wrote must not get lost; that is said.
private enum TypedDate {
  static func report(_ text: String) {
    guard let typed = TypedDue(text, today: CalendarDay(Date())), typed.meaning == nil else { return }
    let words = String(text[typed.range]).printable
    StandardOutput.error(ErrorMessages.catalogue.text(.commandTypedNoDate, ["words": words]))
  }
}
