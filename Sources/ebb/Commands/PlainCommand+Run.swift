import FoundationEssentials
import Glibc
import TableProtocol
import TodoCore
import Words

extension PlainCommand {
  func run() throws {
    switch task {
    case .add(let text): try add(text)
    case .addLines(let isAsked): try addLines(isAsked: isAsked)
    case .list(let query, let asJSON): try print(query, asJSON: asJSON)
    case .show(let handles, let asJSON): try ItemDescription.print(namedItems(handles), asJSON: asJSON)
    case .setComplete(let handles, let complete): try setComplete(handles, complete)
    case .delete(let handles, let isSure): try delete(handles, isSure: isSure)
    case .edit(let handle, let text): try edit(handle, text)
    case .editOrOpen(let handle, let words, let mayAsk): try editOrOpen(handle, words, mayAsk: mayAsk)
    case .openEditor(let handles, let mayAsk): try ItemEditing(namedItems(handles)).run(mayAsk: mayAsk)
    case .rewrite(let handles, let change): try rewrite(handles, change)
    case .rewriteUnlessHandles(let handle, let change): try rewrite([handle], change, refusesHandles: true)
    case .undo: try reverse(.undo) { try $0.undo() }
    case .redo: try reverse(.redo) { try $0.redo() }
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
    ForeignSigns.report([text], from: [text])
  }

  /// All of them or none, as one step of undo.
  private func addLines(isAsked: Bool) throws {
    guard isAsked || isatty(STDIN_FILENO) == 0 else { throw CommandFailure.nothingToAdd }
    let lines = try InputLines.ofStandardInput().texts
    let texts = ListMark.removed(from: lines)
    guard !texts.isEmpty else { throw CommandFailure.nothingToAdd }
    let list = try offline().list
    let ids = try list.add(texts).map(\.id)
    let handles = try list.handles()
    StandardOutput.report(ids.map { handles.handle(of: $0) }.joined(separator: "\n"))
    TypedDate.report(texts)
    ForeignSigns.report(texts, from: lines)
  }

  private func editOrOpen(_ handle: String, _ words: [String], mayAsk: Bool) throws {
    let named = try namedItems([handle])
    let text = words.joined(separator: " ")
    guard let several = try named.adding(words) else {
      if let word = try named.mistypedHandle(in: words) {
        throw CommandFailure.editor(.unknownHandle(word, first: handle, others: text))
      }
      return try edit(named, handle, text)
    }
    do {
      try ItemEditing(several).run(mayAsk: mayAsk)
    } catch CommandFailure.editor(.noTerminal) {
      throw CommandFailure.editor(.onlyHandles(first: handle, others: text))
    }
  }

  private func edit(_ handle: String, _ text: String) throws { try edit(try namedItems([handle]), handle, text) }

  private func edit(_ named: NamedItems, _ handle: String, _ text: String) throws {
    var isChanged = false
    do {
      // One line is the first line: the note below it is not lost.
      try named.change { list, ids in
        for id in ids {
          if try list.edit(id, text: try list.textKeepingNote(text, of: id)) { isChanged = true }
        }
      }
    } catch TodoError.emptyText {
      throw CommandFailure.nothingToEdit(handle)
    }
    if !isChanged { Self.reportNothingChanged() }
    TypedDate.report(text)
  }

  /// Without it one would expect an undo to take back this command, and it takes back another change.
  private static func reportNothingChanged() {
    StandardOutput.error(ErrorMessages.catalogue.text(.noticeNothingChanged))
  }

  private func setComplete(_ handles: [String], _ complete: Bool) throws {
    let named = try namedItems(handles)
    try named.change { try $0.setComplete($1, complete) }
    for (handle, item) in named.items where item.complete == complete {
      let key: CommandKey = complete ? .wasDone : .wasOpen
      StandardOutput.error(ErrorMessages.catalogue.text(key, ["handle": handle, "text": item.line.printable]))
    }
  }

  private func delete(_ handles: [String], isSure: Bool) throws {
    let named = try namedItems(handles)
    guard isSure || named.items.count == 1 || !SyncQuestion.canBeAsked || named.agreesToDeletion() else {
      throw CommandFailure.nothingDeleted
    }
    try named.change { try $0.delete($1) }
  }

  /// If it refuses handles, an added text must have a word that is none.
  private func rewrite(_ handles: [String], _ change: CommandRewrite, refusesHandles: Bool = false) throws {
    let (change, today) = (try change.checked(), CalendarDay(Date()))
    let named = try namedItems(handles)
    if refusesHandles, let text = change.addedText {
      let words = text.split(separator: " ").map(String.init)
      if !words.isEmpty, try named.adding(words) != nil {
        throw CommandFailure.onlyHandles(change, handle: handles.joined(separator: ","), text: text)
      }
    }
    var count = 0
    try named.change { count = try $0.rewrite($1) { change.applied(to: $0, today: today) } }
    if count == 0 { Self.reportNothingChanged() }
    if let text = change.addedText { TypedDate.report(text) }
  }

  private func namedItems(_ handles: [String]) throws -> NamedItems {
    guard let context = try existing() else { throw CommandFailure.unknownHandle(handles.first ?? "") }
    let layout = try OutputLayout(context.settings, hasServer: context.settings.namesServer)
    do {
      return try NamedItems(context.list, handles, layout)
    } catch CommandFailure.unknownHandle(let handle) {
      let wasDeleted = try !handle.isEmpty && context.list.wasDeletedLast(handle)
      throw wasDeleted ? CommandFailure.deletedHandle(handle) : CommandFailure.unknownHandle(handle)
    }
  }

  /// For a change of what a list has; nil if it is not there. Looking for an item does not make one.
  private func existing() throws -> AppContext? {
    try Self.existing(try Settings(flags, environment: .ofProcess, offline: true))
  }

  /// The list that is there; nil after saying that there is none.
  static func existing(_ settings: Settings) throws -> AppContext? {
    if settings.hasStore { return try AppContext(settings, offline: true) }
    warnOfNoStore(settings)
    return nil
  }

  private func print(_ query: TodoQuery, asJSON: Bool) throws {
    let settings = try Settings(flags, environment: .ofProcess, offline: true)
    let layout = try OutputLayout(settings, hasServer: settings.namesServer)
    guard settings.hasStore else { return try Self.printNothing(query, asJSON: asJSON, settings, saysSo: true) }
    try AppContext(settings, offline: true).list.print(query, asJSON: asJSON, layout)
  }

  /// Looking at a list does not make one. `saysSo` is true if a terminal gets a sentence about an empty list.
  static func printNothing(_ query: TodoQuery, asJSON: Bool, _ settings: Settings, saysSo: Bool = false) throws {
    if let problem = TodoFilter.problem(in: query.filter, today: CalendarDay(Date())) { throw problem }
    warnOfNoStore(settings)
    if asJSON { return StandardOutput.line("[]") }
    // Of a store that was named it is said that it is not there.
    if saysSo, !settings.isStoreNamed { query.reportNothing() }
  }

  /// Says that there is no list at the place that was named.
  static func warnOfNoStore(_ settings: Settings) {
    ErrorMessages.sentences(for: SettingWarning.unknownKeys(in: settings.file)).forEach(StandardOutput.error)
    guard settings.isStoreNamed else { return }
    StandardOutput.error(ErrorMessages.catalogue.text(.commandNoStore, ["path": settings.store]))
  }

  private func reverse(_ direction: UndoResult.Direction, _ step: (TodoList) throws -> UndoResult?) throws {
    guard let reversal = try existing().flatMap({ try step($0.list) }) else {
      throw CommandFailure.nothingToReverse(direction)
    }
    guard reversal.obstacle == nil else { throw CommandFailure.notReversed(reversal) }
    // A change of an hour ago is none that was just made.
    let words = ErrorMessages.catalogue.sentence(for: reversal, start: Date(timeIntervalSinceNow: -3_600))
    StandardOutput.report(words.printable)
  }
}

extension CommandRewrite {
  /// The word in place of a letter for no priority.
  static let noLetter = "none"

  /// Nil for a change that adds no words.
  var addedText: String? {
    switch self {
    case .append(let text), .prepend(let text): text
    case .priority, .noPriority: nil
    }
  }

  /// The command that makes this change.
  var command: String {
    switch self {
    case .append: "append"
    case .prepend: "prepend"
    case .priority: "pri"
    case .noPriority: "depri"
    }
  }

  /// The change with a priority in a capital. Throws `CommandFailure` for one that is no letter.
  func checked() throws -> CommandRewrite {
    guard case .priority(let word) = self else { return self }
    let narrow = DueWords.narrow(word)
    if narrow.lowercased() == Self.noLetter { return .noPriority }
    let letter = narrow.filter { $0 != "(" && $0 != ")" }.uppercased()
    guard letter.utf8.count == 1, ("A"..."Z").contains(letter) else { throw CommandFailure.badPriority(word) }
    return .priority(letter)
  }

  /// The text with this change. Added words go to the first line: a note stays below it, a priority before it. Of
  /// two dates only the first would count, so one that is added takes the place of the other.
  func applied(to text: String, today: CalendarDay) -> String {
    switch self {
    case .priority(let letter): return TodoNotation.settingPriority(letter.first, in: text)
    case .noPriority: return TodoNotation.settingPriority(nil, in: text)
    case .append(let words):
      var item = ItemText(Self.makingRoom(for: words, in: text, today))
      item.line += " " + words
      return item.text
    case .prepend(let words):
      let text = Self.makingRoom(for: words, in: text, today)
      let whole = words + " " + TodoNotation.settingPriority(nil, in: text)
      // A priority among the words takes the place of the other.
      guard TodoNotation(whole).priority == nil, let priority = TodoNotation(text).priority else { return whole }
      return TodoNotation.settingPriority(priority, in: whole)
    }
  }

  private static func makingRoom(for words: String, in text: String, _ today: CalendarDay) -> String {
    TypedDue(words, today: today)?.meaning == nil ? text : TodoNotation.settingDue(nil, in: text)
  }
}
