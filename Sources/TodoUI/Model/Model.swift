import Terminal
import TodoCore

/// Everything on the screen, and nothing else.
struct Model: Equatable, Sendable {
  var size: Size
  var charset: Charset
  var query = TodoQuery()
  var window: ListWindow
  var mode = Mode.list
  /// Nil until it was read for the first time, after the first paint.
  var status: StatusReport?
  /// Items in the list as it is filtered now, and in the same view without a filter. Nil while not counted yet.
  var matching: Int?
  var overall: Int?
  var refresh = Refresh()
  /// What waits for a decision, while that is looked at.
  var deciding: Deciding?
  var notice: Notice?
  /// The first frame is on the screen.
  var isPainted = false

  init(size: Size, charset: Charset) {
    self.size = size
    self.charset = charset
    window = ListWindow(height: Self.listHeight(size))
  }

  /// Rows of the list when nothing else needs room: all but the title, the status line and the hints.
  static func listHeight(_ size: Size) -> Int {
    max(1, size.rows - 3)
  }

  var pending: Int { status?.sync.pending ?? 0 }

  /// Conflicts and refusals that wait for a decision.
  var undecided: Int { (status?.sync.conflicts ?? 0) + (status?.sync.refused ?? 0) }

  /// Where one comes back to from the editor or the help.
  var home: Mode { deciding == nil ? .list : .conflicts }
}

/// What the keys mean now.
enum Mode: Equatable, Sendable {
  case list
  case editor(Editing)
  /// The filter is being typed; `before` is what it was.
  case filter(LineEditor, before: String)
  /// What waits for a decision, one at a time: see `Model.deciding`.
  case conflicts
  /// The help, from this line of it on.
  case help(from: Int)
  case prompt(Question)
}

/// The inline editor and what its text will become.
struct Editing: Equatable, Sendable {
  var target: Target
  var line: LineEditor

  /// True for the text that settles a conflict.
  var isMerge: Bool {
    if case .merge = target { true } else { false }
  }

  enum Target: Equatable, Sendable {
    case new
    /// The text of this item; `seen` is what it was when the editor was opened.
    case item(id: String, seen: String)
    /// The text that settles the conflict of this item.
    case merge(id: String)
  }
}

/// Something that has to be said in a sentence. It stays until it is dismissed or overtaken.
enum Notice: Equatable, Sendable {
  case refreshFailed(RefreshFailure)
  /// A local read or write failed; in words already.
  case trouble(String)
  /// The item was saved, and the filter or the view hides it.
  case addedOutOfSight
  /// The text being edited was changed meanwhile; as it is now.
  case overtaken(text: String)
  case reversed(TodoReversal)
  case nothingToReverse(TodoReversal.Direction)
  case nothingToDecide
  case allDecided
}
