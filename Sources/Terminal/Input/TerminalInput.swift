/// Everything between the bytes of the terminal and the events of the program, with the time passed in.
struct TerminalInput: Sendable {
  private var decoder: KeyDecoder
  private var presses = MousePresses()
  private var burst = Burst()
  private var lastInput: ContinuousClock.Instant?
  /// The terminal marks what is pasted: all else was typed, however much of it comes at once.
  private var marksPastes: Bool

  /// A terminal that has marked one paste marks all of them.
  init(_ sequences: KeySequences = KeySequences(), marksPastes: Bool = false) {
    decoder = KeyDecoder(sequences)
    self.marksPastes = marksPastes
  }

  /// When `pass` has to be called if nothing comes before; nil when nothing waits.
  var deadline: ContinuousClock.Instant? {
    guard let lastInput, let patience = [decoder.patience, burst.patience].compactMap(\.self).min() else { return nil }
    return lastInput + patience
  }

  /// The events in these bytes. When they are read late, the time that passed says nothing about when they came.
  mutating func take(_ bytes: [UInt8], at now: ContinuousClock.Instant) -> [TerminalEvent] {
    lastInput = now
    let events = events(decoder.decode(bytes, at: now), at: now)
    return marksPastes ? burst.flush() + events : burst.take(events, at: now)
  }

  /// The events that time alone decides.
  mutating func pass(at now: ContinuousClock.Instant) -> [TerminalEvent] {
    guard let lastInput else { return [] }
    let silence = lastInput.duration(to: now)
    var events: [TerminalEvent] = []
    if let patience = burst.patience, silence >= patience { events += burst.flush() }
    if let patience = decoder.patience, silence >= patience {
      events += burst.flush() + self.events(decoder.giveUp(at: now), at: now)
    }
    return events
  }

  private mutating func events(_ tokens: [InputToken], at now: ContinuousClock.Instant) -> [TerminalEvent] {
    var events: [TerminalEvent] = []
    for token in tokens {
      switch token {
      case .key(let key):
        if case .paste = key { marksPastes = true }
        events.append(.key(key))
      case .mouse(let event): events.append(.mouse(presses.event(event, at: now)))
      case .focus: events.append(.focused)
      case .unfocus: events.append(.unfocused)
      case .answer(let answer): events.append(.answered(answer))
      case .pasteBegins: break
      }
    }
    return events
  }
}
