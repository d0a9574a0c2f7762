package import Terminal
package import Words

/// What a user may have the list otherwise.
package struct Preferences: Equatable, Sendable {
  package var catalogue: Catalogue
  var keymap = Keymap.standard
  /// When to sync without being asked.
  package var automatic = AutomaticSync()
  /// The mouse is listened to.
  package var mouse = true
  package var theme = Theme.terminal
  package var color = TerminalOptions.ColorChoice.auto
  /// In place of what the locale says.
  package var charset: Charset?
  /// The list is told line by line instead of drawn.
  package var isPlain = false
  /// By number, from 1 to 9. Those the list itself keeps come before them.
  package var savedFilters: [Int: String] = [:]
  /// What the user should know about the preferences, in a sentence; said when the list opens.
  package var warning: String?

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

  package init(onLaunch: Bool = false, onChange: Bool = false, minutes: Int? = nil) {
    self.onLaunch = onLaunch
    self.onChange = onChange
    self.minutes = minutes
  }

  package var isOn: Bool { onLaunch || onChange || minutes != nil }
}
