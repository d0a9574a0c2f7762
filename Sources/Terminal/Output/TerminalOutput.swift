import Glibc

/// Bytes on their way to the terminal. Writing never waits: those the terminal does not take now are kept for later.
final class TerminalOutput {
  let descriptor: Int32
  private let isOwn: Bool
  private var waiting: ArraySlice<UInt8> = []

  /// Opens the terminal a second time: only so can writes to it be set not to wait without changing the shell's end
  /// too. If it cannot be opened (another user's terminal, after `su`), the descriptor is used as it is.
  init(_ descriptor: Int32) {
    let opened = open("/proc/self/fd/\(descriptor)", O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    isOwn = opened >= 0
    self.descriptor = isOwn ? opened : descriptor
  }

  deinit {
    if isOwn { close(descriptor) }
  }

  /// Whether everything has been taken.
  var isIdle: Bool { waiting.isEmpty }

  func send(_ text: String) {
    send(Array(text.utf8))
  }

  func send(_ bytes: [UInt8]) {
    waiting += bytes
    push()
  }

  /// Writes as much as the terminal takes. When it is gone, everything counts as taken: its end is seen by reading.
  func push() {
    while !waiting.isEmpty {
      let sent = waiting.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if sent > 0 {
        waiting = waiting.dropFirst(sent)
      } else if errno == EAGAIN {
        return
      } else if errno != EINTR {
        waiting = []
      }
    }
    waiting = []
  }

  /// Before the terminal is given back: writes all of it, unless the terminal takes nothing for this long.
  func finish(milliseconds: Int32 = 1000) {
    push()
    while !isIdle {
      var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      let result = poll(&ready, 1, milliseconds)
      if result < 0 && errno == EINTR { continue }
      if result <= 0 { waiting = [] }
      push()
    }
  }
}

/// Requests to a terminal beyond drawing: private modes of xterm, ignored by those that have no such mode.
enum ScreenMode {
  /// Bracketed paste: the terminal marks pasted text, so that it cannot act as keys.
  static let paste = (on: "\u{1B}[?2004h", off: "\u{1B}[?2004l")

  /// Presses of buttons and the wheel, in an encoding that has no limit of columns and is never mistaken for text.
  /// No motion: a terminal that tells of every cell the pointer crosses floods a slow line.
  static let mouse = (on: "\u{1B}[?1000h\u{1B}[?1006h", off: "\u{1B}[?1006l\u{1B}[?1000l")

  /// The terminal says when its window is looked at, and when it is not any more.
  static let focus = (on: "\u{1B}[?1004h", off: "\u{1B}[?1004l")

  /// The title of the window is kept by the terminal while this program has another (XTWINOPS), where it can do that.
  static let title = (on: "\u{1B}[22;2t", off: "\u{1B}[23;2t")

  /// Synchronised output: the terminal shows what lies between the two at once.
  static let synchronised = (on: "\u{1B}[?2026h", off: "\u{1B}[?2026l")

  /// Undoes all of them.
  static let allOff = synchronised.off + mouse.off + focus.off + paste.off
}

/// Strings sent to a terminal (OSC). Text in them is made harmless first: no text of an item reaches the terminal
/// unchanged.
enum TerminalString {
  /// The title of the window: one line of at most 200 characters.
  static func title(_ text: String, _ charset: Charset) -> String {
    let text = charset.encode(Printable.text(text)).filter { !$0.isNewline }
    return "\u{1B}]2;" + String(text.prefix(200)) + "\u{1B}\\"
  }

  /// Puts the text on the clipboard (OSC 52), where the terminal allows that. In base 64 nothing in it is a control,
  /// but what is pasted from there may be: of the text's own controls only tabs and the ends of lines go along.
  static func clipboard(_ text: String) -> String {
    var plain = String.UnicodeScalarView()
    plain.append(
      contentsOf: text.unicodeScalars.filter { scalar in
        scalar == "\n" || scalar == "\t" || scalar.properties.generalCategory != .control
      })
    return "\u{1B}]52;c;" + base64(Array(String(plain).utf8)) + "\u{1B}\\"
  }

  /// RFC 4648, section 4.
  static func base64(_ bytes: [UInt8]) -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var result: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let value = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for place in 0..<4 {
        let isPadding = place > group.count
        result.append(isPadding ? UInt8(ascii: "=") : letters[value >> (18 - 6 * place) & 0x3F])
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}

/// Removes bytes that ncurses sends to be safe and this program never needs, so that a key costs little on a slow line.
enum OutputTrimmer {
  /// Returns the same drawing in fewer bytes. Drops the selection of the ASCII character set, since no other is ever
  /// selected, and the reset of a colour right before a reset of everything.
  static func trimmed(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var rest = bytes[...]
    while let byte = rest.first {
      if byte == shiftIn {
        rest = rest.dropFirst()
      } else if byte == escape, let length = lengthOfWaste(rest) {
        rest = rest.dropFirst(length)
      } else {
        result.append(byte)
        rest = rest.dropFirst()
      }
    }
    return result
  }

  private static let escape: UInt8 = 0x1B
  private static let shiftIn: UInt8 = 0x0F
  private static let chooseASCII = Array("\u{1B}(B".utf8)
  private static let setColorBack = ["\u{1B}[39m", "\u{1B}[49m", "\u{1B}[39;49m"].map { Array($0.utf8) }
  private static let setAllBack = ["\u{1B}[m", "\u{1B}[0;"].map { Array($0.utf8) }

  private static func lengthOfWaste(_ bytes: ArraySlice<UInt8>) -> Int? {
    if bytes.starts(with: chooseASCII) { return chooseASCII.count }
    guard let waste = setColorBack.first(where: bytes.starts) else { return nil }
    var next = bytes.dropFirst(waste.count)
    if next.starts(with: chooseASCII) { next = next.dropFirst(chooseASCII.count) }
    return setAllBack.contains(where: next.starts) ? waste.count : nil
  }
}
