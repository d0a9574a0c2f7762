/// What a terminal is asked to do beyond drawing: private modes of xterm, ignored by those that have no such mode.
enum ScreenMode {
  /// Bracketed paste: the terminal marks pasted text, so that it cannot act as keys.
  static let paste = (on: "\u{1B}[?2004h", off: "\u{1B}[?2004l")

  /// Presses of buttons and the wheel, in an encoding that has no limit of columns and is never mistaken for text.
  /// No motion: a terminal that tells of every cell the pointer crosses floods a slow line.
  static let mouse = (on: "\u{1B}[?1000h\u{1B}[?1006h", off: "\u{1B}[?1006l\u{1B}[?1000l")

  /// Synchronised output: the terminal shows what lies between the two at once.
  static let synchronised = (on: "\u{1B}[?2026h", off: "\u{1B}[?2026l")

  /// Undoes all of them.
  static let allOff = synchronised.off + mouse.off + paste.off
}
