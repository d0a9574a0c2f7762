@testable import Terminal

/// A terminal's input whose clock the test moves.
struct Keyboard {
  private var input: TerminalInput
  private(set) var now = ContinuousClock.now

  init(_ sequences: KeySequences = KeySequences(), marksPastes: Bool = false) {
    input = TerminalInput(sequences, marksPastes: marksPastes)
  }

  /// What comes in one read.
  mutating func send(_ text: String) -> [TerminalEvent] { send(Array(text.utf8)) }

  mutating func send(_ bytes: [UInt8]) -> [TerminalEvent] { input.take(bytes, at: now) }

  /// Time goes by, and whatever falls due on the way is asked for when it does, as `poll` would have it.
  mutating func pause(_ duration: Duration) -> [TerminalEvent] {
    let end = now + duration
    var events: [TerminalEvent] = []
    while let deadline = input.deadline, deadline <= end {
      now = max(now, deadline)
      events += input.pass(at: now)
    }
    now = end
    return events
  }

  /// One read and then silence.
  static func keys(_ text: String, _ sequences: KeySequences = KeySequences()) -> [Key] {
    var keyboard = Keyboard(sequences)
    return (keyboard.send(text) + keyboard.pause(.seconds(10))).keys
  }
}

extension [TerminalEvent] {
  var keys: [Key] {
    compactMap { event in
      guard case .key(let key) = event else { return nil }
      return key
    }
  }
}
