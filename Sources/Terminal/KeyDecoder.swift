/// One thing read from the terminal: a byte, or a key that ncurses knew by its sequence.
enum InputToken: Sendable, Hashable {
  case byte(UInt8)
  case key(Key)
  case pasteBegins
  case pasteEnds
}

/// Turns what the terminal sends into keys.
///
/// It keeps the half of a character or of a paste that has come so far, so that nothing is lost when a
/// slow line cuts them in two. Input is taken as UTF-8 whatever the locale says; bytes that are not are dropped.
struct KeyDecoder: Sendable {
  private enum State {
    case ground
    case escape
    /// In a control sequence that ncurses does not know. It is swallowed, or its letters would act as commands.
    case sequence
  }

  private var state = State.ground
  /// The bytes of a paste that has begun.
  private var paste: [UInt8]?
  private var partial: [UInt8] = []

  /// The keys that this token completes; mostly one, none in the middle of something.
  mutating func decode(_ token: InputToken) -> [Key] {
    if paste != nil { return pasted(token) }
    switch token {
    case .pasteBegins:
      paste = []
      return flush()
    case .pasteEnds: return []
    case .key(let key): return flush() + [key]
    case .byte(let byte): return typed(byte)
    }
  }

  /// What the input so far means when nothing follows for now: a lone Escape is the Escape key.
  mutating func flush() -> [Key] {
    guard case .escape = state else { return [] }
    state = .ground
    return [.escape]
  }

  private mutating func pasted(_ token: InputToken) -> [Key] {
    switch token {
    case .byte(let byte): paste?.append(byte)
    case .key(.enter): paste?.append(UInt8(ascii: "\n"))
    case .key, .pasteBegins: break
    case .pasteEnds:
      defer { paste = nil }
      return [.paste(String(decoding: paste ?? [], as: UTF8.self))]
    }
    return []
  }

  private mutating func typed(_ byte: UInt8) -> [Key] {
    switch state {
    case .ground: return key(byte)
    case .escape: return afterEscape(byte)
    case .sequence:
      guard (0x40...0x7E).contains(byte) else { return [] }
      state = .ground
      return [.unknown]
    }
  }

  private mutating func afterEscape(_ byte: UInt8) -> [Key] {
    state = .ground
    switch byte {
    case UInt8(ascii: "b"), UInt8(ascii: "f"), UInt8(ascii: "d"):
      return [.alt(Character(Unicode.Scalar(byte)))]
    case UInt8(ascii: "["), UInt8(ascii: "O"):
      state = .sequence
      return []
    default: return [.escape] + key(byte)
    }
  }

  private mutating func key(_ byte: UInt8) -> [Key] {
    switch byte {
    case 0x1B:
      state = .escape
      return []
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
    return String(validating: partial, as: UTF8.self).map { $0.map(Key.character) } ?? []
  }
}
