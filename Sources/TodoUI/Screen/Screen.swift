package import FoundationEssentials
import OfflineSync
package import Terminal
import TodoCore
package import Words

/// The terminal, how the user wants the list to be, what time it is, and what is being said.
struct Screen: Equatable, Sendable {
  private(set) var size: Size
  let charset: Charset
  private(set) var preferences: Preferences
  /// The colour behind the text of the terminal; nil while it is not known.
  private var background: Style.Color?
  /// When the last message came.
  var now: Now {
    didSet { if now.date != oldValue.date { today = CalendarDay(now.date) } }
  }
  /// When the list was opened.
  let start: Date
  /// The day it is here.
  private(set) var today: CalendarDay
  /// The day on which the text that is typed was changed last, today if none is typed. Dates in it count from there, on
  /// the screen and when it is saved: so the day that is shown is saved, also after midnight.
  private(set) var typedOn: CalendarDay
  /// The sentence that has to be said, until it is dismissed or overtaken.
  private(set) var notice: Notice?
  /// Why the last sync that asked nothing without a sign-in found none; nil if that is not known.
  var signInProblem: String?
  /// How far a change of many items has come, while it is made.
  var progress: BulkProgress?
  /// Escape stops it.
  var progressStops = false
  /// How many times something was said: the same twice is two.
  private(set) var noticeCount = 0
  /// The uptime at which it was said.
  private(set) var noticeSince = 0

  init(size: Size, charset: Charset, preferences: Preferences = Preferences(), now: Now = Now()) {
    self.size = size
    self.charset = charset
    self.preferences = preferences
    self.now = now
    start = now.date
    today = CalendarDay(now.date)
    typedOn = today
    notice = preferences.warnings.isEmpty ? nil : .screen(.warnings(preferences.warnings))
  }

  var keymap: Keymap { preferences.keymap }

  /// Rows of the list when nothing else needs room: all but the title, the line for what is said and the hints.
  var listHeight: Int { max(1, size.rows - 3) }

  /// Rows for the entries of a pane; the others show the chosen entry whole.
  var paneHeight: Int { max(1, listHeight - paneFoot) }
  /// Rows below the entries of a pane.
  var paneFoot: Int { listHeight >= 8 ? min(6, listHeight / 3) : 0 }

  mutating func resize(_ size: Size) {
    self.size = size
  }

  mutating func noteTyping() { typedOn = today }

  /// Says it in the line kept for that; what was said before makes room.
  @discardableResult
  mutating func say(_ notice: Notice) -> [Effect] {
    self.notice = notice
    noticeCount += 1
    noticeSince = now.uptime
    return []
  }

  mutating func clearNotice() {
    notice = nil
  }

  /// Removes the answer to a change when something has to be read in its place.
  mutating func clearAnswer() {
    if notice?.isAnswer == true { notice = nil }
  }

  /// Removes what the key before was answered when the next one opens something.
  mutating func clearReply() {
    if notice?.isReply == true { notice = nil }
  }

  /// The uptime at which another day begins.
  var midnight: Int {
    now.uptime + max(1, Int((CalendarDay(now.date).end.timeIntervalSince(now.date) * 1_000).rounded(.up)))
  }

  /// Takes the theme for this background. Nil if the terminal does not tell it: then what is there stays, or in its
  /// absence the colours that can be read on any. Between light and dark those of the terminal are best.
  mutating func fit(to background: Style.Color?) {
    if let background { self.background = background }
    guard preferences.themeChoice == .auto else { return }
    let isAsked = preferences.theme == Theme.asking.with(preferences.colors)
    if let background {
      preferences.theme = (Theme.fitting(background) ?? .terminal).with(preferences.colors)
    } else if isAsked {
      let theme = preferences.background.flatMap(Theme.fitting) ?? .neutral
      preferences.theme = theme.with(preferences.colors)
    }
  }

  /// The terminal has so few colours that all of them are its own.
  mutating func keepTerminalColors() {
    guard preferences.themeChoice == .auto else { return }
    let isLight = preferences.background.flatMap(Theme.fitting) == .light
    preferences.theme = (isLight ? Theme.fewOnLight : .terminal).with(preferences.colors)
  }

  mutating func choose(_ choice: ThemeChoice) -> [Effect] {
    preferences.themeChoice = choice
    let theme = choice.theme ?? (background ?? preferences.background).flatMap(Theme.fitting) ?? .asking
    preferences.theme = theme.with(preferences.colors)
    return choice == .auto && background == nil ? [.screen(.askBackground)] : []
  }

  mutating func toggleMouse() -> [Effect] {
    preferences.mouse.toggle()
    say(.screen(.mouse(isOn: preferences.mouse)))
    return [.screen(.setMouse(preferences.mouse))]
  }
}

/// The time at which something happened, by both clocks. Passed in, so that tests have one of their own.
package struct Now: Equatable, Sendable {
  /// Milliseconds of a clock that nobody sets. Time spans are measured by it.
  package var uptime: Int
  /// By the clock people read.
  package var date: Date

  package init(uptime: Int = 0, date: Date = Date(timeIntervalSince1970: 0)) {
    self.uptime = uptime
    self.date = date
  }

  /// Of this machine.
  package static var system: Now {
    let time = ContinuousClock.now.duration(to: start)
    return Now(uptime: -Int(time / .milliseconds(1)), date: Date())
  }

  private static let start = ContinuousClock.now
}

/// Settings that a user may choose for the list.
package struct Preferences: Equatable, Sendable {
  package var catalogue: Catalogue
  var keymap = Keymap.standard
  /// When to sync without being asked.
  package var automatic = AutomaticSync()
  /// The mouse is listened to.
  package var mouse = true
  package var theme = Theme.terminal
  /// The theme that was asked for. If it is `auto`, the light or the dark one comes in its place once the terminal has
  /// told its background.
  package var themeChoice = ThemeChoice.terminal
  /// The terminal's background according to the environment; nil if it says nothing.
  package var background: Style.Color?
  /// The configuration names a theme.
  package var configuresTheme = false
  /// Colours of the user's own, in any theme.
  package var colors = ThemeColors()
  package var color = TerminalOptions.ColorChoice.auto
  /// In place of what the locale says.
  package var charset: Charset?
  /// Leaving while changes wait asks first.
  package var asksBeforeLeaving = false
  /// The list has a server to sync with.
  package var hasServer = true
  /// The list is told line by line instead of drawn.
  package var isPlain = false
  /// By number, from 1 to 9. Those the list itself keeps come before them.
  package var savedFilters: [Int: String] = [:]
  /// Said about the preferences when the list opens, a line each.
  package var warnings: [String] = []

  package init(catalogue: Catalogue = .english) {
    self.catalogue = catalogue
  }

  package var bindings: KeyBindings {
    get { keymap.bindings }
    set { keymap = Keymap(newValue) }
  }

  /// Keys that two commands claim in one place.
  package var collisions: [KeyCollision] { keymap.collisions }
}

extension Preferences {
  var terminal: TerminalOptions {
    TerminalOptions(color: color, charset: charset, mouse: mouse)
  }
}

/// When to sync without being asked. By default never.
package struct AutomaticSync: Equatable, Sendable {
  /// When the list is opened.
  package var onLaunch = false
  /// A second after the last change, and a last short push on leaving.
  package var onChange = false
  /// Minutes from one sync to the next; nil for never.
  package var minutes: Int?
  /// When the server says that the list has changed there. The configuration sets it only together with `onChange`.
  package var isLive = false

  package init(onLaunch: Bool = false, onChange: Bool = false, minutes: Int? = nil, isLive: Bool = false) {
    self.onLaunch = onLaunch
    self.onChange = onChange
    self.minutes = minutes
    self.isLive = isLive
  }

  package var isOn: Bool { onLaunch || onChange || minutes != nil || isLive }
}
