/// Finds pastes on a terminal that does not mark them, so that the letters of a pasted text never act as commands.
/// Where they are marked it is not asked: there what comes at once was typed ahead, while the program or the line was
/// slow.
///
/// A burst is input that no hand types: three or more characters in one read, or in reads less than 10 ms apart (the
/// first two are then gone already), with no other key between them (an arrow, Ctrl). It is a paste when it has at
/// least two lines with something in them, at least six characters besides the Enters, and at least four different
/// ones among them. The mouse, what the terminal says, and bytes that are no key pass by it and do not end it.
/// A burst of one line reads as words if it has a letter beyond ASCII, which no command has for its key by default:
/// words of Chinese and Japanese are short. Else at least two words need three letters or more and a vowel, and the
/// line needs five different letters. A script may send such a line too: its `abuy milk` opens an editor and types in
/// it. So it is handed on as a `line`, and the program decides by what keys mean now. All else stays keys: a key held
/// down is one character over and over, and a script's `jjx` is no word. A script that sends several lines at once has
/// to pause between them or mark them as a paste.
struct Burst: Sendable {
  private var held = Held()
  /// The text that is held, and what was handed on before it, when it came less than `gap` earlier.
  private var run = ""
  private var lastTaken: ContinuousClock.Instant?

  /// Events that are held back, with their text.
  private struct Held {
    var events: [TerminalEvent] = []
    var text = ""
    var isPaste = false
  }

  private static let gap = Duration.milliseconds(10)

  /// How long to wait for more before what is held is handed on; nil when nothing is held. A paste that has been
  /// recognised waits longer, for its next piece must not act as commands.
  var patience: Duration? {
    held.events.isEmpty ? nil : held.isPaste ? .milliseconds(100) : Self.gap
  }

  /// Takes in what came in one read and gives what can be handed on at once. A slow program finds a paste in one read
  /// with the keys before and after it: the text between two other keys is judged by itself.
  mutating func take(_ events: [TerminalEvent], at now: ContinuousClock.Instant) -> [TerminalEvent] {
    var passed: [TerminalEvent] = []
    var rest = events[...]
    while let event = rest.first {
      switch Part(event) {
      case .text:
        let texts = rest.prefix { Part($0).isText }
        rest.removeFirst(texts.count)
        passed += takeText(texts, at: now)
      case .otherKey: passed += flush() + [rest.removeFirst()]
      case .noKey: passed.append(rest.removeFirst())
      }
    }
    return passed
  }

  private mutating func takeText(
    _ events: ArraySlice<TerminalEvent>, at now: ContinuousClock.Instant
  ) -> [TerminalEvent] {
    let more = Self.text(of: events)
    if held.events.isEmpty, let lastTaken, lastTaken.duration(to: now) >= Self.gap { run = "" }
    lastTaken = now
    run += more
    if held.events.isEmpty && !Self.mayBegin(run) { return Array(events) }
    held.events += events
    held.text += more
    held.isPaste = held.isPaste || Self.isPaste(run)
    return held.text.utf8.count > Self.limit ? flush() : []
  }

  /// Nothing has followed: what is held is what it is.
  ///
  /// The parts are replaced one by one. With `self = Burst()` optimized code freed the text before it was handed on:
  /// Swift 6.3 does not keep what it read of a structure whose size it does not know, as that of an `Instant`, when the
  /// whole is replaced.
  mutating func flush() -> [TerminalEvent] {
    let done = held
    held = Held()
    run = ""
    lastTaken = nil
    if done.isPaste { return [.key(.paste(done.text))] }
    return Self.isLineOfWords(done.text) ? [.line(done.text)] : done.events
  }

  /// More than this is handed on in pieces.
  private static let limit = 1_000_000

  /// The part that an event can have in a paste.
  private enum Part {
    case text(Unicode.Scalar)
    /// A key of another kind: hands press it before a paste and after it.
    case otherKey
    /// It comes beside a pasted text and in the middle of it too.
    case noKey

    var isText: Bool {
      switch self {
      case .text: true
      case .otherKey, .noKey: false
      }
    }

    init(_ event: TerminalEvent) {
      switch event {
      case .key(.character(let character)):
        self = character.unicodeScalars.first.map(Part.text) ?? .otherKey
      case .key(.enter): self = .text("\n")
      case .key(.tab): self = .text("\t")
      case .key(.unknown), .mouse: self = .noKey
      case .key: self = .otherKey
      case .line, .resized, .focused, .unfocused, .answered, .stopAsked, .continued, .ended, .gone: self = .noKey
      }
    }
  }

  private static func text(of events: ArraySlice<TerminalEvent>) -> String {
    var text = String.UnicodeScalarView()
    for case .text(let scalar) in events.lazy.map({ Part($0) }) { text.append(scalar) }
    return String(text)
  }

  /// Whether it is worth waiting for more: nobody types three keys, two of them different, that fast.
  private static func mayBegin(_ text: String) -> Bool {
    text.count > 2 && Set(text).count > 1
  }

  private static func isPaste(_ text: String) -> Bool {
    let lines = text.split(separator: "\n").filter { !$0.allSatisfy(\.isWhitespace) }
    return lines.count > 1 && lines.reduce(0) { $0 + $1.count } > 5 && Set(lines.joined()).count > 3
  }

  private static func isLineOfWords(_ text: String) -> Bool {
    let lines = text.split(separator: "\n").filter { !$0.allSatisfy(\.isWhitespace) }
    guard lines.count == 1 else { return false }
    if lines[0].contains(where: { $0.isLetter && !$0.isASCII }) { return true }
    let words = lines[0].lowercased().split(separator: " ").map { $0.filter(\.isLetter) }
    return words.count { $0.count > 2 && $0.contains(where: isVowel) } > 1 && Set(words.joined()).count > 4
  }

  private static func isVowel(_ letter: Character) -> Bool { "aeiouy".contains(letter) }
}
