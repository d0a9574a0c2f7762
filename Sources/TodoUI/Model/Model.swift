import TableProtocol
import Terminal
import TodoCore

/// Everything on the screen, and nothing else.
struct Model: Equatable, Sendable {
  var size: Size
  var charset: Charset
  var preferences: Preferences
  /// When the last message came.
  var now = Now()
  var query = TodoQuery()
  var window: ListWindow
  /// What is being looked for; until it is found the rows in the window are older than the query. Nil when they are not.
  var search: RowSearch?
  /// How many searches there were.
  var searches = 0
  var mode = Mode.list
  var marks = Marks()
  var savedFilters: [Int: String] = [:]
  /// Nil until it was read for the first time, after the first paint.
  var status: ListStatus?
  /// Items in the list as it is filtered now, and in the same view without a filter. Nil while not counted yet.
  var matching: Int?
  var overall: Int?
  var refresh = Refresh()
  var pull = PullGesture()
  var automatic = AutomaticRefresh()
  /// What waits for a decision, while that is looked at.
  var conflictBrowser: ConflictBrowser?
  var notice: Notice? {
    didSet { if notice != nil { noticeCount += 1 } }
  }
  /// How many times something was said: the same twice is two.
  private(set) var noticeCount = 0
  var lastChange = LastChange()
  /// What is to be said when the change that was asked for is in the store.
  var afterChange: Notice?
  /// The item that was added last, until it was looked for in the list.
  var added: RecordID?
  /// Something was changed here that the counts do not have yet.
  var isAhead = false
  /// Everything is being compared with the server.
  var isVerifying = false
  /// The draft of a decision that was being typed when the program ended.
  var mergeDraft: Editing?
  /// Lines typed before, oldest first.
  var history: [String] = []
  var completions: Completions?
  /// The uptime at which the text being typed is to be kept; nil when it is kept already.
  var draftDue: Int?
  /// Rows that were looked at and still count as arrived in the store, and when the last was added to them.
  var seen: [RecordID] = []
  var seenSince = 0
  /// A draft of this program is in the store.
  var hasDraft = false
  /// The user wants to leave; a last push may take until this uptime.
  var leaveBy: Int?
  /// The first frame is on the screen.
  var isPainted = false

  init(size: Size, charset: Charset, preferences: Preferences = Preferences(), now: Now = Now()) {
    self.size = size
    self.charset = charset
    self.preferences = preferences
    self.now = now
    window = ListWindow(height: Self.listHeight(size))
    savedFilters = preferences.savedFilters
    notice = preferences.warning.map(Notice.trouble)
  }

  /// Rows of the list when nothing else needs room: all but the title, the status line and the hints.
  static func listHeight(_ size: Size) -> Int {
    max(1, size.rows - 3)
  }

  var keymap: Keymap { preferences.keymap }

  var pending: Int { status?.sync.pending ?? 0 }

  /// Conflicts and refusals that wait for a decision.
  var undecided: Int { (status?.sync.conflicts ?? 0) + (status?.sync.refused ?? 0) }

  /// What came and was not looked at yet.
  var arrived: Int { status?.arrivals.values.reduce(0, +) ?? 0 }

  /// Where one comes back to from the editor.
  var home: Mode { conflictBrowser == nil ? .list : .conflicts }

  /// Rows for the entries of a pane; the others show the chosen entry whole.
  var paneHeight: Int { max(1, window.height - paneFoot) }
  /// Rows below the entries of a pane.
  var paneFoot: Int { window.height >= 8 ? min(6, window.height / 3) : 0 }
}
