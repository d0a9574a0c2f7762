package import TableProtocol
package import TodoCore

/// Work outside the model. Updates return effects; only the program performs them.
enum Effect: Equatable, Sendable {
  case read(Reading)
  case change(Change)
  case note(Note)
  case sync(SyncEffect)
  case screen(ScreenEffect)
}

/// Something to be read from the store.
enum Reading: Equatable, Sendable {
  /// The first rows of the view that the list opens with.
  case opening(count: Int)
  /// Here and now: the next key is meant for these rows.
  case rows(TodoQuery, RowRequest)
  /// In the background where it takes its time; of several only the last.
  case search(RowSearch)
  /// Count, locate and read the status in the background. Counts that are known are not read again.
  case counts(TodoQuery, locate: TodoItem?, known: Matches?)
  /// Make reading in this order fast, in the background.
  case prepare(TodoOrder, TodoView)
  case marks(TodoQuery, MarkRequest, then: ItemCommand?)
  /// Which of the marked items are left, and which of them the list shows, in the background.
  case marked([RecordID], in: TodoQuery)
  case arrival(TodoQuery, from: TodoItem?, backward: Bool)
  case conflicts
  /// The item of a conflict that is decided, whose text is still being typed.
  case item(id: RecordID)
  case pane(PaneRequest)
  case memory
  /// The draft that another run left and that is offered now, after all that is noted.
  case draft
  /// How far the list was read from the server, for a notice.
  case position(ListLevel)
  /// The counts of the panel, with the items of these filters, in the background.
  case panel(filters: [String])
  /// The details of an item, for the side of the screen, in the background.
  case side(id: RecordID)
  /// The words in use that begin so.
  case completions(of: String)
  /// Items that are not all on the screen, for a command that changes none of them.
  case items([RecordID], for: ItemCommand)
}

/// A change of the list, made here and now. Each is one transaction, with the line that was typed for it and the end of
/// its draft.
enum Change: Equatable, Sendable {
  case add([String])
  case edit(id: RecordID, text: String, seen: String)
  case setComplete(ids: [RecordID], Bool)
  case delete(ids: [RecordID])
  case rewrite(ids: [RecordID], ItemRewrite)
  case undo
  case redo
  /// Decides about conflicts as they are on the screen.
  case resolve([TodoConflict], TodoDecision)
  case drop(id: RecordID)
  case restore(id: RecordID, number: Int64)
  /// The text that was being typed when another run of the program ended is typed on here.
  case takeOverDraft
}

extension Change {
  /// The text of one item was typed.
  var isEdit: Bool { if case .edit = self { true } else { false } }

  /// It may end in the middle: what is done is the change then. Half an undo would be no step that can be done again.
  var canStop: Bool {
    switch self {
    case .setComplete, .delete, .rewrite: true
    case .add, .edit, .undo, .redo, .resolve, .drop, .restore, .takeOverDraft: false
    }
  }
}

/// Something the store keeps that changes no item, written in the background.
enum Note: Equatable, Sendable {
  case seen([RecordID])
  /// The texts of this program that are not saved yet, the newest last.
  case drafts([TodoDraft])
  /// The text for an item or a conflict is in a file, which the user's own editor has; and that editor has ended.
  case lent(TodoDraft.Target, text: String, path: String)
  case takenBack
  /// The draft of another run that was offered is forgotten.
  case refuseDraft
  /// A line that was typed and is saved as nothing else: a filter, or an item that was given up.
  case line(String, of: RememberedLine)
  case memory(Memory.Name, String?)
}

/// Work in which the server has a part. Its results come later.
enum SyncEffect: Equatable, Sendable {
  case refresh(RefreshOptions)
  /// Ends the refresh that runs, at a safe point.
  case stopRefresh
  /// Compares everything with the server.
  case verify
  case stopVerifying
  /// Opens a connection for notices, of this number.
  case listen(Int)
  case stopListening
}

/// Work of the terminal beside showing the frame.
enum ScreenEffect: Equatable, Sendable {
  case setMouse(Bool)
  case redraw
  case suspend
  /// Asks the terminal for its background.
  case askBackground
  /// Opens the text for an item or a conflict in the user's editor, and waits for it.
  case edit(TodoDraft.Target, text: String)
  /// Puts a text on the clipboard.
  case copy(String)
  /// Opens an address in the user's own program; copies it if there is none.
  case open(link: String)
  case quit
}

/// A change that a key such as `+` makes to the text of an item; the rest of the text stays.
enum ItemRewrite: Equatable, Sendable {
  case raisePriority, lowerPriority
  /// Nil takes the date away.
  case due(CalendarDay?)

  func apply(to text: String) -> String {
    switch self {
    case .raisePriority: TodoNotation.raisingPriority(in: text)
    case .lowerPriority: TodoNotation.loweringPriority(in: text)
    case .due(let day): TodoNotation.settingDue(day, in: text)
    }
  }
}

/// Which items to mark.
package enum MarkRequest: Equatable, Sendable {
  case all
  /// From one item to the other, whichever comes first, both included.
  case range(TodoItem, TodoItem)
}

/// A request for the content of a pane.
package enum PaneRequest: Equatable, Sendable {
  case outbox
  case digest
  case story(id: RecordID)
  case detail(id: RecordID)
  case log
}

/// The memory of the list from one run to the next, in the store.
package struct Memory: Equatable, Sendable {
  package var values: [Name: String]
  /// Items typed before, oldest first.
  package var history: [String]
  /// Filters typed before, oldest first.
  package var filters: [String]
  /// The text being typed when another run of the program ended without saving it.
  package var draft: TodoDraft?

  package init(
    values: [Name: String] = [:], history: [String] = [], filters: [String] = [], draft: TodoDraft? = nil
  ) {
    self.values = values
    self.history = history
    self.filters = filters
    self.draft = draft
  }

  /// Something remembered under a name.
  package enum Name: Hashable, Sendable, CaseIterable {
    case order
    case theme
    /// Whether the panel is wanted.
    case panel
    /// From 1 to 9.
    case savedFilter(Int)

    package static let allCases: [Name] = [.order, .theme, .panel] + (1...9).map(Name.savedFilter)

    /// As it stands in the store.
    package var text: String {
      switch self {
      case .order: "list.order"
      case .theme: "list.theme"
      case .panel: "list.panel"
      case .savedFilter(let number): "list.filter.\(number)"
      }
    }
  }
}
