/// The bytes after an Escape, as far as they have come, and whether they make a whole sequence (ECMA-48 5.3 to 5.6).
///
/// It knows where a sequence ends, not what it means: so the letters of one that nobody knows are no commands.
struct EscapeSequence: Sendable {
  enum Progress: Sendable {
    case goesOn
    case ends
    /// The byte does not belong to any sequence; it must be dropped, and so must the bytes before it.
    case breaks
    /// The byte is an Escape: another sequence begins.
    case restarts
    /// The byte follows an Escape that broke off a string.
    case followsEscape
  }

  private enum Form {
    /// CSI: parameters and one final byte.
    case control
    /// SS3: one final byte; some terminals put a modifier before it.
    case singleShift
    /// DCS, SOS, OSC, PM, APC: any text up to String Terminator, or BEL.
    case string
    /// The three bytes after `CSI M` tell button and place in the mouse's old encoding, and may be anything.
    case oldMouse(missing: Int)
  }

  /// Without the Escape. Of a long sequence the beginning.
  private(set) var bytes: [UInt8]
  private var form: Form
  private var hasEscape = false

  /// Nil when no sequence begins with this byte.
  init?(introducer: UInt8) {
    switch introducer {
    case UInt8(ascii: "["): form = .control
    case UInt8(ascii: "O"): form = .singleShift
    case UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "]"), UInt8(ascii: "^"), UInt8(ascii: "_"): form = .string
    default: return nil
    }
    bytes = [introducer]
  }

  /// Whether it is a string of which nothing but its beginning is here. A single byte that follows was typed.
  var isBareString: Bool {
    if case .string = form { return bytes.count == 1 }
    return false
  }

  var isOldMouse: Bool {
    if case .oldMouse = form { return true }
    return false
  }

  mutating func append(_ byte: UInt8) -> Progress {
    switch form {
    case .control: return control(byte)
    case .singleShift: return singleShift(byte)
    case .string: return string(byte)
    case .oldMouse(let missing):
      form = .oldMouse(missing: missing - 1)
      return missing > 1 ? .goesOn : .ends
    }
  }

  private mutating func control(_ byte: UInt8) -> Progress {
    if let control = Self.control(byte) { return control }
    keep(byte)
    // The Linux console's function keys: CSI [ and one letter.
    if byte == UInt8(ascii: "["), bytes.count == 2 { return .goesOn }
    if byte == UInt8(ascii: "M"), bytes.count == 2 { return .ends }
    // rxvt ends the sequence of a key pressed with Shift with a dollar sign.
    if byte == UInt8(ascii: "$"), bytes[1] >= UInt8(ascii: "0"), bytes[1] <= UInt8(ascii: "9") { return .ends }
    return (0x40...0x7E).contains(byte) ? .ends : .goesOn
  }

  private mutating func singleShift(_ byte: UInt8) -> Progress {
    if let control = Self.control(byte) { return control }
    keep(byte)
    return (0x40...0x7E).contains(byte) ? .ends : .goesOn
  }

  private mutating func string(_ byte: UInt8) -> Progress {
    let wasEscape = hasEscape
    hasEscape = byte == 0x1B
    keep(byte)
    if wasEscape { return byte == UInt8(ascii: "\\") ? .ends : .followsEscape }
    switch byte {
    case 0x07: return .ends
    case 0x18, 0x1A: return .breaks
    default: return .goesOn
    }
  }

  /// `CSI M` has ended and is no key of this terminal: three more bytes belong to it.
  mutating func continueAsOldMouse() {
    form = .oldMouse(missing: 3)
  }

  private mutating func keep(_ byte: UInt8) {
    if bytes.count < 64 { bytes.append(byte) }
  }

  private static func control(_ byte: UInt8) -> Progress? {
    if byte == 0x1B { return .restarts }
    return byte < 0x20 || byte > 0x7E ? .breaks : nil
  }
}

/// Whether bytes are the rest of a sequence that lost its Escape, because a slow line cut the two apart.
///
/// It is asked only right after a lone Escape. A person who types the same characters sends them one by one.
enum EscapeTail {
  /// Whether a whole sequence but for its Escape stands at the beginning.
  static func begins(_ bytes: [UInt8]) -> Bool {
    guard bytes.count > 1, let introducer = bytes.first, var sequence = EscapeSequence(introducer: introducer) else {
      return false
    }
    for byte in bytes.dropFirst() {
      switch sequence.append(byte) {
      case .goesOn: continue
      case .ends: return true
      case .breaks, .restarts, .followsEscape: return false
      }
    }
    return false
  }
}
