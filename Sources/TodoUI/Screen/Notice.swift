import OfflineSync
import TodoCore

/// Something that has to be said in a sentence, by what it is about. It stays until it is dismissed or overtaken; a
/// `Receipt` folds away.
enum Notice: Equatable, Sendable {
  /// A local read or write failed; in words already.
  case trouble(String)
  case change(ChangeNotice)
  case conflict(ConflictNotice)
  case rows(RowNotice)
  case filter(FilterNotice)
  case editor(EditorNotice)
  case externalEditor(ExternalEditorNotice)
  case pane(PaneNotice)
  case sync(SyncNotice)
  case screen(ScreenNotice)
}

extension Notice {
  fileprivate enum Weight {
    /// Says what a change did, and undo takes it back.
    case change
    /// Says what something did that needs no undo.
    case answer
    /// Says why a key did nothing, or what it led to: has to be heard before one goes on.
    case reply
    /// Is about the list, and not about a key: stays until it is dismissed or overtaken.
    case warning
  }

  private var weight: Weight {
    switch self {
    case .trouble: .warning
    case .change(let notice): notice.weight
    case .conflict(let notice): notice.weight
    case .rows(let notice): notice.weight
    case .editor(let notice): notice.weight
    case .filter, .externalEditor, .pane: .reply
    case .sync(let notice): notice.weight
    case .screen(let notice): notice.weight
    }
  }

  /// It says what was done, and nothing that has to be heard before one goes on.
  var isAnswer: Bool { weight == .change || weight == .answer }

  /// It is about the key before: where something else begins it would only be in the way.
  var isReply: Bool { weight != .warning }

  /// It says where an item is that was added, or what became of its date: of use also after the typing has ended.
  var isOfAddedItem: Bool {
    switch self {
    case .change, .editor(.keptAsText), .editor(.addedAsOpen): true
    case .trouble, .conflict, .rows, .filter, .editor, .externalEditor, .pane, .sync, .screen: false
    }
  }

  /// The addition that it says, or with which it warns; nil if it is about none.
  var addition: ChangeNotice? {
    switch self {
    case .change(let change), .editor(.keptAsText(_, let change)), .editor(.addedAsOpen(_, let change, _)):
      change.isAddition ? change : nil
    case .trouble, .conflict, .rows, .filter, .editor, .externalEditor, .pane, .sync, .screen: nil
    }
  }

  /// The same, and what hides the items that were added. Nil if it is about no addition.
  func hidden(by hider: ChangeNotice.Hider) -> Notice? {
    guard let hidden = addition?.hidden(by: hider) else { return nil }
    switch self {
    case .change: return .change(hidden)
    case .editor(.keptAsText(let words, _)): return .editor(.keptAsText(words, of: hidden))
    case .editor(.addedAsOpen(let count, _, let importKeepsAll)):
      return .editor(.addedAsOpen(count, of: hidden, importKeepsAll: importKeepsAll))
    case .trouble, .conflict, .rows, .filter, .editor, .externalEditor, .pane, .sync, .screen: return nil
    }
  }

  /// It says what came of the user's editor, which stands nowhere else.
  var isOfExternalEditor: Bool { if case .externalEditor = self { true } else { false } }

  /// It was a change, and undo takes it back.
  var isUndoable: Bool { weight == .change }

  /// The lines about the preferences; nil for anything else.
  var warnings: [String]? {
    if case .screen(.warnings(let lines)) = self { lines } else { nil }
  }

  /// Said in a pane it answers a key there. A change that can be undone, and a text that can be resumed, are of use in
  /// the list too.
  var isOfPane: Bool {
    switch self {
    case .change, .pane, .screen: isReply && !isUndoable
    case .trouble, .conflict, .rows, .filter, .editor, .externalEditor, .sync: false
    }
  }
}

/// The outcome of a change of items.
enum ChangeNotice: Equatable, Sendable {
  /// The change made to one item.
  case did(LocalChange.Kind, String)
  /// One item was added, with its date.
  case added(String, due: CalendarDay?, hiddenBy: Hider? = nil)
  /// So many items were added or changed at once; the unchanged ones were so already.
  case addedSeveral(Int, hiddenBy: Hider? = nil)
  case changedSeveral(LocalChange.Kind, Int, unchanged: Int)
  case stopped(LocalChange.Kind, Int, rest: Int)
  /// All of them were so already.
  case nothingChanged
  /// The priority of the item can't be raised.
  case highestPriority
  /// The item has no priority that could be lowered.
  case noPriority
  case reversed(UndoResult)
  case nothingToReverse(UndoResult.Direction)
  case dropped
  case restored

  /// Why an item that was added does not show; of several, one of them at least.
  enum Hider: Equatable, Sendable {
    case filter, view
  }

  fileprivate var weight: Notice.Weight {
    switch self {
    case .did, .added, .addedSeveral, .changedSeveral, .stopped: .change
    case .reversed: .answer
    case .nothingChanged, .highestPriority, .noPriority, .nothingToReverse, .dropped, .restored: .reply
    }
  }
}

extension ChangeNotice {
  init(added items: [TodoItem]) {
    if items.count == 1, let text = items.first?.line {
      self = .added(RowPieces.words(of: text), due: TodoNotation(text).due)
    } else {
      self = .addedSeveral(items.count)
    }
  }

  /// With the text of the one item changed.
  func withWords(_ change: (String) -> String) -> ChangeNotice {
    switch self {
    case .did(let kind, let words): .did(kind, change(words))
    case .added(let words, let due, let hider): .added(change(words), due: due, hiddenBy: hider)
    case .addedSeveral, .changedSeveral, .stopped, .nothingChanged, .highestPriority, .noPriority, .reversed,
      .nothingToReverse, .dropped, .restored:
      self
    }
  }

  /// The same, and what hides the items that were added. Nil if none were.
  func hidden(by hider: Hider) -> ChangeNotice? {
    switch self {
    case .added(let words, let due, _): .added(words, due: due, hiddenBy: hider)
    case .addedSeveral(let count, _): .addedSeveral(count, hiddenBy: hider)
    case .did, .changedSeveral, .stopped, .nothingChanged, .highestPriority, .noPriority, .reversed,
      .nothingToReverse, .dropped, .restored:
      nil
    }
  }

  var isAddition: Bool { hidden(by: .view) != nil }

  /// The filter or the view that hides new items, and how many; nil if neither is known to.
  var hiding: (hider: Hider, count: Int)? {
    switch self {
    case .added(_, _, let hider): hider.map { (hider: $0, count: 1) }
    case .addedSeveral(let count, let hider): hider.map { (hider: $0, count: count) }
    case .did, .changedSeveral, .stopped, .nothingChanged, .highestPriority, .noPriority, .reversed,
      .nothingToReverse, .dropped, .restored:
      nil
    }
  }
}

/// About conflicts and refused changes, and about decisions.
enum ConflictNotice: Equatable, Sendable {
  /// The decision about one conflict, and the text that came of it. After the last one it is also said that all is
  /// decided.
  case decided(LocalChange.Decided, String, isLast: Bool)
  /// So many were decided at once.
  case decidedSeveral(Int)
  /// So many conflicts are not those that were shown, and are not decided.
  case changed(Int)
  /// The item waits for no decision any more.
  case gone
  /// Both can't be kept of a change that the server refused.
  case bothRefused
  case nothingToDecide
  case allDecided

  fileprivate var weight: Notice.Weight {
    switch self {
    case .changed: .warning
    case .decided, .decidedSeveral, .gone, .bothRefused, .nothingToDecide, .allDecided: .reply
    }
  }
}

/// About rows that a key looked for, and about texts and addresses that it took out of them.
enum RowNotice: Equatable, Sendable {
  /// A range has lost one of its ends.
  case rangeLost
  /// The row under the cursor went meanwhile; the one that stands there now.
  case gone(now: String)
  /// The key came twice at once: after the change it would have met the row that stands there now.
  case secondPress(after: ChangeNotice, key: String, now: String)
  case nothingArrived
  /// Texts that went to the clipboard, and an address that was opened.
  case copied(String)
  case copiedSeveral(Int)
  case tooMuchToCopy
  case opened(String)
  case noLink

  fileprivate var weight: Notice.Weight {
    switch self {
    case .copied, .copiedSeveral, .opened: .answer
    case .rangeLost, .gone, .secondPress, .nothingArrived, .tooMuchToCopy, .noLink: .reply
    }
  }
}

/// About the filter that is typed, and the saved ones by their numbers.
enum FilterNotice: Equatable, Sendable {
  /// The filter is not understood.
  case problem(FilterProblem)
  case noneSaved(Int)
  /// No filter is set that could be kept.
  case nothingToSave
  /// `before` is the filter of the configuration that it stands before.
  case saved(Int, before: String? = nil)
  case removed(Int, String)
}

/// About a text that is typed, and about one that was not saved.
enum EditorNotice: Equatable, Sendable {
  /// The text being edited was changed meanwhile; as it is now.
  case overtaken(text: String)
  /// The conflict that the text was to decide was decided elsewhere; the item's text as it is now.
  case decided(text: String)
  /// The item being edited is deleted; what is typed is a new one now.
  case itemGone
  /// All of an item's text was taken away while it was typed.
  case emptyText
  /// The typed text is no date.
  case noDate(String)
  /// The date of several items was asked for, and nothing was typed.
  case noDateOfSeveral
  /// The word after `due:` in the text of an item is no date.
  case typedNoDate(String)
  /// It stands in an item of this addition, although nobody was asked about it.
  case keptAsText(String, of: ChangeNotice)
  /// So many of the items of this addition are done by the lines that they come from. `importKeepsAll`: an import takes
  /// each line, and its mark.
  case addedAsOpen(Int, of: ChangeNotice, importKeepsAll: Bool)
  /// So many ticked boxes of pasted lines are not in the text of one item with a note.
  case ticksLeftOut(Int)
  /// The line that was being typed when another run of the program ended, and can be typed on.
  case draftOffered(String)
  /// A text that was not saved, and can be typed on.
  case draftKept(String)
  /// A decision that was being typed was given up; its text is among the lines typed before.
  case mergeDropped(String)
  /// A decision that was being typed then is in the editor again.
  case draftRestored
  /// There is no such line, or another program has it.
  case draftGone

  fileprivate var weight: Notice.Weight {
    switch self {
    case .overtaken, .decided, .itemGone, .typedNoDate, .keptAsText, .addedAsOpen, .ticksLeftOut, .draftOffered,
      .draftRestored:
      .warning
    case .emptyText, .noDate, .noDateOfSeveral, .draftKept, .mergeDropped, .draftGone: .reply
    }
  }
}

/// The text from the user's own editor can't be saved, or is nothing new.
enum ExternalEditorNotice: Equatable, Sendable {
  case missing(String)
  case failed(String, keptAt: String?)
  case notUTF8(String, keptAt: String)
  case noFile(folder: String)
  case noteEmpty
  case noteUnchanged
}

/// About what stands in place of the list, or would.
enum PaneNotice: Equatable, Sendable {
  /// The pane of an item is closed, for the item is deleted.
  case itemGone
  case outboxEmpty
  case logEmpty
  /// A version that can't be restored: in it the item is deleted.
  case versionIsDeletion
}

/// About the server, and how this list and its own compare.
enum SyncNotice: Equatable, Sendable {
  /// The last refresh failed, or left out items of the server that can't be stored here. With it, the deletions that
  /// went to no account since the list was taken along to another one.
  case refreshed(RefreshResult)
  /// The refresh that was ended when the program was stopped runs again.
  case startedAgain
  case verifying
  case verified(TableVerification)
  case verifyFailed(SyncFailure)
  /// The server's items are not those of this list although nobody changed them in between.
  case differs(TableComparison)

  fileprivate var weight: Notice.Weight {
    switch self {
    case .startedAgain: .answer
    case .verified: .reply
    case .refreshed(let result): result.lacksOnlyServer ? .reply : .warning
    case .verifying, .verifyFailed, .differs: .warning
    }
  }
}

extension RefreshResult {
  /// Nothing came of it because no server is set: that is about the key, and nothing in the list is in doubt.
  fileprivate var lacksOnlyServer: Bool {
    guard case .remote(let failure)? = self.failure, droppedDeletions == 0 else { return false }
    return failure.reason == .noServer
  }
}

/// About the screen itself, and about a command that does nothing in this place.
enum ScreenNotice: Equatable, Sendable {
  case mouse(isOn: Bool)
  /// The theme that was chosen. For now only, if the configuration names another.
  case theme(ThemeChoice, isForNow: Bool)
  /// The panel has no room.
  case panelTooNarrow
  /// The key means nothing in the panel.
  case notOfPanel
  case notHere(Command)
  /// Lines about the preferences, until the next key.
  case warnings([String])

  fileprivate var weight: Notice.Weight {
    switch self {
    case .theme: .answer
    case .mouse, .panelTooNarrow, .notOfPanel, .notHere: .reply
    case .warnings: .warning
    }
  }
}
