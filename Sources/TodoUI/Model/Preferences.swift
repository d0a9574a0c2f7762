/// What a user may have the list otherwise.
package struct Preferences: Equatable, Sendable {
  package var catalogue: Catalogue
  var keymap = Keymap.standard
  /// When to sync without being asked.
  package var automatic = AutomaticSync()
  /// The mouse is listened to.
  package var mouse = true
  package var theme = Theme.terminal
  /// Rows that came stay marked, nothing folds away by itself, and the pull has no animation.
  package var isCalm = false

  package init(catalogue: Catalogue = .english) {
    self.catalogue = catalogue
  }

  package var bindings: KeyBindings {
    get { keymap.bindings }
    set { keymap = Keymap(newValue) }
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
