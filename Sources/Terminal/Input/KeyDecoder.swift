/// A unit of input in the bytes from the terminal.
enum InputToken: Sendable, Hashable {
  case key(Key)
  case mouse(MouseEvent)
  /// The window of the terminal is looked at again.
  case focus
  /// It is not looked at any more.
  case unfocus
  case answer(TerminalAnswer)
  /// The terminal marks the beginning of a paste. The decoder keeps this to itself.
  case pasteBegins
}

/// Turns the bytes that the terminal sends into keys and presses of the mouse.
///
/// It keeps the half of a character, a sequence or a paste that has come so far, so that nothing is lost and
/// nothing acts as keys when a slow line cuts them in two. Input is taken as UTF-8 whatever the locale says;
/// bytes that are not are dropped.
struct KeyDecoder: Sendable {
  private enum State {
    case ground
    /// One Escape has come, or two: with Alt some terminals send one before the sequence of a key.
    case escape(count: Int)
    /// The rest of a character that was pressed with Alt.
    case altCharacter
    case sequence(EscapeSequence)
    case paste
  }

  private let sequences: KeySequences
  private var state = State.ground
  private var partial: [UInt8] = []
  private var paste: [UInt8] = []
  /// When an Escape was taken for the Escape key because nothing had followed.
  private var lateEscape: ContinuousClock.Instant?

  init(_ sequences: KeySequences = KeySequences()) {
    self.sequences = sequences
  }

  /// How long to wait for the rest of what has begun; nil when nothing has. Then `giveUp` decides.
  var patience: Duration? {
    switch state {
    case .ground: nil
    case .escape, .altCharacter: .milliseconds(25)
    case .sequence: .seconds(1)
    // A slow line may pause in the middle of a paste, but an end that never comes must not lock the keyboard.
    case .paste: .seconds(5)
    }
  }

  /// The tokens that the bytes of one read complete.
  mutating func decode(_ bytes: [UInt8], at now: ContinuousClock.Instant) -> [InputToken] {
    // The rest of a sequence whose Escape came so early that it was taken for a key.
    if case .ground = state, let late = lateEscape, late.duration(to: now) < .seconds(1), EscapeTail.begins(bytes) {
      state = .escape(count: 1)
    }
    if !bytes.isEmpty { lateEscape = nil }
    if case .sequence(let sequence) = state, sequence.isBareString, bytes.count == 1, bytes[0] != 0x1B {
      state = .ground
    }
    return bytes.flatMap { decode($0) }
  }

  /// The tokens of the input so far if nothing follows it: a lone Escape is the Escape key, half a sequence is nothing.
  mutating func giveUp(at now: ContinuousClock.Instant) -> [InputToken] {
    defer { state = .ground }
    switch state {
    case .ground, .altCharacter: return []
    case .escape(let count):
      lateEscape = now
      return Array(repeating: .key(.escape), count: count)
    case .sequence: return [.key(.unknown)]
    case .paste: return [pasted()]
    }
  }

  private mutating func decode(_ byte: UInt8) -> [InputToken] {
    switch state {
    case .ground: return typed(byte)
    case .escape(let count): return afterEscape(byte, count)
    case .altCharacter: return ofAltCharacter(byte)
    case .sequence(let sequence): return inSequence(byte, sequence)
    case .paste: return inPaste(byte)
    }
  }

  private mutating func afterEscape(_ byte: UInt8, _ count: Int) -> [InputToken] {
    if byte == 0x1B && count == 1 {
      state = .escape(count: 2)
      return []
    }
    if let sequence = EscapeSequence(introducer: byte) {
      state = .sequence(sequence)
      return []
    }
    state = .ground
    if count == 1, sequences.describes([byte]), let token = sequences.meaning(of: [byte]) { return [token] }
    return Array(repeating: InputToken.key(.escape), count: count - 1) + pressedWithAlt(byte)
  }

  /// A key that comes right behind an Escape was pressed with Alt: no hand is that fast. It must never be taken for an
  /// Escape and a command.
  private mutating func pressedWithAlt(_ byte: UInt8) -> [InputToken] {
    switch byte {
    case 0x08, 0x7F: return [.key(.altBackspace)]
    case 0x21..<0x7F: return [.key(.alt(Character(Unicode.Scalar(byte).properties.lowercaseMapping)))]
    case 0x00...0x20: return [.key(.unknown)]
    default:
      state = .altCharacter
      return ofAltCharacter(byte)
    }
  }

  private mutating func ofAltCharacter(_ byte: UInt8) -> [InputToken] {
    guard byte >= 0x80 else {
      (state, partial) = (.ground, [])
      return typed(byte)
    }
    let keys = scalar(byte)
    if partial.isEmpty { state = .ground }
    return keys.map { key in
      if case .character(let character) = key { .key(.alt(character)) } else { .key(.unknown) }
    }
  }

  private mutating func inSequence(_ byte: UInt8, _ sequence: EscapeSequence) -> [InputToken] {
    var sequence = sequence
    state = .ground
    switch sequence.append(byte) {
    case .goesOn: state = .sequence(sequence)
    case .breaks: return [.key(.unknown)]
    case .restarts: state = .escape(count: 1)
    case .followsEscape: return afterEscape(byte, 1)
    case .ends: return ended(sequence)
    }
    return []
  }

  private mutating func ended(_ sequence: EscapeSequence) -> [InputToken] {
    var sequence = sequence
    if sequence.bytes == Array("[M".utf8) && !sequence.isOldMouse && !sequences.describes(sequence.bytes) {
      sequence.continueAsOldMouse()
      state = .sequence(sequence)
      return []
    }
    if sequence.isOldMouse { return [] }
    if let answer = TerminalAnswer(sequence.bytes) { return [.answer(answer)] }
    let token = sequences.meaning(of: sequence.bytes)
    if token == .pasteBegins {
      state = .paste
      return []
    }
    return token.map { [$0] } ?? []
  }
}

extension KeyDecoder {
  private mutating func inPaste(_ byte: UInt8) -> [InputToken] {
    paste.append(byte)
    let end = Array("\u{1B}[201~".utf8)
    guard byte == end.last, paste.suffix(end.count).elementsEqual(end) else { return [] }
    paste.removeLast(end.count)
    state = .ground
    return [pasted()]
  }

  private mutating func pasted() -> InputToken {
    defer { paste = [] }
    return .key(.paste(String(decoding: paste, as: UTF8.self)))
  }

  private mutating func typed(_ byte: UInt8) -> [InputToken] {
    if byte == 0x1B {
      partial = []
      state = .escape(count: 1)
      return []
    }
    // One byte for the introducer, as terminals with eight-bit controls send it. No UTF-8 begins with these.
    if partial.isEmpty, byte == 0x9B || byte == 0x8F {
      state = EscapeSequence(introducer: byte - 0x40).map(State.sequence) ?? .ground
      return []
    }
    return key(byte).map(InputToken.key)
  }

  private mutating func key(_ byte: UInt8) -> [Key] {
    if byte < 0x80 { partial = [] }
    switch byte {
    case 0x09: return [.tab]
    case 0x0A, 0x0D: return [.enter]
    case 0x08, 0x7F: return [.backspace]
    case 0x01...0x1A: return [.control(Character(Unicode.Scalar(byte + 0x60)))]
    case 0x00...0x1F: return [.unknown]
    case 0x20..<0x7F: return [.character(Character(Unicode.Scalar(byte)))]
    default: return scalar(byte)
    }
  }

  private mutating func scalar(_ byte: UInt8) -> [Key] {
    if byte >= 0xC0 { partial = [] }
    partial.append(byte)
    guard let first = partial.first, first >= 0xC2, first < 0xF5 else {
      partial = []
      return []
    }
    guard partial.count == (first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4) else { return [] }
    defer { partial = [] }
    let scalar = String(validating: partial, as: UTF8.self)?.unicodeScalars.first
    return scalar.map { [$0.value < 0xA0 ? .unknown : .character(Character($0))] } ?? []
  }
}
