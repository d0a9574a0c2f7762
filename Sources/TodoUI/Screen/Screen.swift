package import FoundationEssentials
import Terminal

/// The terminal, how the user wants the list to be, what time it is, and what is being said.
struct Screen: Equatable, Sendable {
  private(set) var size: Size
  let charset: Charset
  private(set) var preferences: Preferences
  /// When the last message came.
  var now: Now
  /// What has to be said in a sentence, until it is dismissed or overtaken.
  private(set) var notice: Notice?
  /// How many times something was said: the same twice is two.
  private(set) var noticeCount = 0

  init(size: Size, charset: Charset, preferences: Preferences = Preferences(), now: Now = Now()) {
    self.size = size
    self.charset = charset
    self.preferences = preferences
    self.now = now
    notice = preferences.warning.map(Notice.trouble)
  }

  var keymap: Keymap { preferences.keymap }

  /// Rows of the list when nothing else needs room: all but the title, the status line and the hints.
  var listHeight: Int { max(1, size.rows - 3) }

  /// Rows for the entries of a pane; the others show the chosen entry whole.
  var paneHeight: Int { max(1, listHeight - paneFoot) }
  /// Rows below the entries of a pane.
  var paneFoot: Int { listHeight >= 8 ? min(6, listHeight / 3) : 0 }

  mutating func resize(_ size: Size) {
    self.size = size
  }

  /// Says it in the line kept for that; what was said before makes room.
  @discardableResult
  mutating func say(_ notice: Notice) -> [Effect] {
    self.notice = notice
    noticeCount += 1
    return []
  }

  mutating func clearNotice() {
    notice = nil
  }

  mutating func toggleMouse() -> [Effect] {
    preferences.mouse.toggle()
    say(.mouse(isOn: preferences.mouse))
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
