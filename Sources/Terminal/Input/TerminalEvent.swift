import Glibc

/// An event that reached the program from its terminal.
package enum TerminalEvent: Sendable, Hashable {
  case key(Key)
  /// A line of words that came at once from a terminal that may not mark pastes, with the line feeds behind it: pasted,
  /// or keys of a script.
  case line(String)
  /// Only while the mouse is on.
  case mouse(MouseEvent)
  case resized(Size)
  /// The window of the terminal is looked at again. Not every terminal says so.
  case focused
  /// It is not looked at any more. Not every terminal says so.
  case unfocused
  /// Only after a question.
  case answered(TerminalAnswer)
  /// SIGTSTP came from outside.
  case stopAsked
  /// The program was stopped and goes on.
  case continued
  /// SIGINT, SIGTERM, SIGHUP or SIGQUIT.
  case ended(signal: Int32)
  /// The terminal is no longer there.
  case gone

  /// The event of a signal; `size` is the terminal's now.
  init(signal: Int32, size: Size) {
    switch signal {
    case SIGWINCH: self = .resized(size)
    case SIGTSTP: self = .stopAsked
    case SIGCONT: self = .continued
    default: self = .ended(signal: signal)
    }
  }
}

/// An action on the keyboard, whatever bytes the terminal made of it.
package enum Key: Sendable, Hashable {
  /// One scalar that can be text. Letters with several marks and joined emoji come as several keys.
  case character(Character)
  /// Ctrl with a lower-case letter. Ctrl-H, Ctrl-I, Ctrl-J and Ctrl-M come as the keys they are.
  case control(Character)
  /// Alt with a character; a letter in lower case, with Shift or without.
  case alt(Character)
  case altBackspace
  case enter, escape, tab, backTab, backspace, delete, insert
  case up, down, left, right, home, end, pageUp, pageDown
  case controlLeft, controlRight
  case function(Int)
  /// Text pasted in one piece (bracketed paste); it never acts as keys.
  case paste(String)
  case unknown
}

extension Key {
  /// The key that writes a character of a `TerminalEvent.line`.
  package init(writing scalar: Unicode.Scalar) {
    switch scalar {
    case "\n": self = .enter
    case "\t": self = .tab
    default: self = .character(Character(scalar))
    }
  }
}

/// An action with the mouse, in cells counted from the upper left corner, from 0.
package struct MouseEvent: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    /// The main button went down.
    case press
    /// The main button went down a second time on the same cell, within `MousePresses.interval`. It follows a `press`.
    case doublePress
    case wheelUp, wheelDown
  }

  package var kind: Kind
  package var column: Int
  package var row: Int

  package init(_ kind: Kind, column: Int, row: Int) {
    self.kind = kind
    self.column = column
    self.row = row
  }
}

/// Tells double presses from single ones.
struct MousePresses: Sendable {
  /// How soon the second press has to follow the first.
  static let interval = Duration.milliseconds(400)

  private var last: (event: MouseEvent, at: ContinuousClock.Instant)?

  /// The event as it counts at this moment. A third press counts as a first one.
  mutating func event(_ event: MouseEvent, at now: ContinuousClock.Instant) -> MouseEvent {
    guard event.kind == .press else {
      last = nil
      return event
    }
    if let last, last.event == event, last.at.duration(to: now) <= Self.interval {
      self.last = nil
      return MouseEvent(.doublePress, column: event.column, row: event.row)
    }
    last = (event, now)
    return event
  }
}
