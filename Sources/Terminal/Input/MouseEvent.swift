/// What a person did with the mouse, in cells counted from the upper left corner, from 0.
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

  /// The event as it counts at this moment. A third press begins anew.
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
