import CNcurses
import Glibc

/// The door to ncurses: nothing else in the program calls it, but for the width of a scalar. Main thread only.
enum Curses {
  /// Takes over the terminal. False when ncurses cannot drive it; then nothing was changed.
  static func open(inColor: Bool) -> Bool {
    guard curses_newterm() != nil else { return false }
    raw()
    noecho()
    nonl()
    set_escdelay(25)
    if inColor && has_colors() { startColors() }
    return true
  }

  /// Gives the terminal back as it was.
  static func close() {
    endwin()
  }

  /// After `close()` or a stop of the whole program: takes the terminal over again.
  static func reopen() {
    clearok(curses_stdscr(), true)
    wrefresh(curses_stdscr())
  }

  /// Sets the locale of the process's character type and says whether it is UTF-8.
  static func charset() -> Charset {
    // A bare machine has no locale set, or one that is not installed; its terminals speak UTF-8 all the same.
    let variables: [String] = ["LC_ALL", "LC_CTYPE", "LANG"]
    let isUnset = variables.allSatisfy { name in getenv(name).map { $0.pointee == 0 } ?? true }
    if isUnset || setlocale(LC_CTYPE, "") == nil { setlocale(LC_CTYPE, "C.UTF-8") }
    return String(cString: curses_codeset()) == "UTF-8" ? .utf8 : .ascii
  }

  static func knowsTerminal(_ name: String) -> Bool {
    var reason: Int32 = 0
    return setupterm(name, STDOUT_FILENO, &reason) == 0
  }

  static func resize(to size: Size) {
    resizeterm(Int32(clamping: size.rows), Int32(clamping: size.columns))
  }

  /// The sequences that undo what ncurses did to the terminal, for a way out on which it cannot be asked.
  static func closingSequences() -> [UInt8] {
    ["rmkx", "cnorm", "sgr0", "rmcup"].flatMap { name -> [UInt8] in
      guard let sequence = tigetstr(name), Int(bitPattern: sequence) != -1 else { return [] }
      return Array(String(cString: sequence).utf8)
    }
  }

  private static func startColors() {
    start_color()
    use_default_colors()
    for color in Style.Color.allCases where Int32(color.rawValue) < curses_colors() {
      init_pair(color.rawValue + 1, color.rawValue, -1)
    }
  }
}

extension Curses {
  static func erase(row: Int) {
    wmove(curses_stdscr(), Int32(clamping: row), 0)
    wclrtoeol(curses_stdscr())
  }

  /// Writes at the place where the last writing in this row ended.
  static func write(_ text: String, _ style: Style, inColor: Bool) {
    let attributes = curses_attributes(style.bold, style.dim, style.underline, style.reverse)
    curses_set_style(curses_stdscr(), attributes, inColor ? pair(style.color) : 0)
    waddnstr(curses_stdscr(), text, -1)
    curses_set_style(curses_stdscr(), 0, 0)
  }

  /// The terminal shows something else in this row than ncurses believes.
  static func distrust(row: Int) {
    wredrawln(curses_stdscr(), Int32(clamping: row), 1)
  }

  static func distrustAll() {
    clearok(curses_stdscr(), true)
  }

  /// Sends all that changed, in one go.
  static func update(cursor: Frame.Cursor?) {
    curs_set(cursor?.isVisible == true ? 1 : 0)
    if let cursor { wmove(curses_stdscr(), Int32(clamping: cursor.row), Int32(clamping: cursor.column)) }
    wnoutrefresh(curses_stdscr())
    doupdate()
  }

  private static func pair(_ color: Style.Color?) -> Int16 {
    guard let color, has_colors() else { return 0 }
    if Int32(color.rawValue) < curses_colors() { return color.rawValue + 1 }
    return color.rawValue % 8 + 1
  }
}

extension Curses {
  /// The window that input is read through: a pad, for reading through a window would also draw it.
  ///
  /// Bytes are read, not wide characters: `get_wch` gives up half a character when a slow line cuts it in two.
  struct Input {
    private let pad = newpad(1, 1)

    init() {
      keypad(pad, true)
      nodelay(pad, true)
      for (index, sequence) in Self.sequences.enumerated() {
        for form in sequence.forms { define_key(form, Self.firstOwnCode + Int32(index)) }
      }
    }

    /// The next token that is here already; nil when there is none.
    func next() -> InputToken? {
      let code = wgetch(pad)
      if code == ERR { return nil }
      if let byte = UInt8(exactly: code) { return .byte(byte) }
      let own = Int(code - Self.firstOwnCode)
      if Self.sequences.indices.contains(own) { return Self.sequences[own].token }
      if (KEY_F0 + 1...KEY_F0 + 24).contains(code) { return .key(.function(Int(code - KEY_F0))) }
      return .key(Self.keys[code] ?? .unknown)
    }

    private static let firstOwnCode = KEY_MAX + 1

    /// What descriptions of terminals do not tell, or tell wrongly.
    private static let sequences: [(token: InputToken, forms: [String])] = [
      (.pasteBegins, ["\u{1B}[200~"]),
      (.pasteEnds, ["\u{1B}[201~"]),
      (.key(.controlRight), ["\u{1B}[1;5C", "\u{1B}[1;3C", "\u{1B}[5C"]),
      (.key(.controlLeft), ["\u{1B}[1;5D", "\u{1B}[1;3D", "\u{1B}[5D"]),
      (.key(.home), ["\u{1B}[H", "\u{1B}[1~", "\u{1B}[7~"]),
      (.key(.end), ["\u{1B}[F", "\u{1B}[4~", "\u{1B}[8~"]),
      (.key(.up), ["\u{1B}[A"]), (.key(.down), ["\u{1B}[B"]),
      (.key(.right), ["\u{1B}[C"]), (.key(.left), ["\u{1B}[D"]),
    ]

    private static let keys: [Int32: Key] = [
      KEY_UP: .up, KEY_DOWN: .down, KEY_LEFT: .left, KEY_RIGHT: .right, KEY_HOME: .home, KEY_END: .end,
      KEY_PPAGE: .pageUp, KEY_NPAGE: .pageDown, KEY_BACKSPACE: .backspace, KEY_DC: .delete, KEY_IC: .insert,
      KEY_ENTER: .enter, KEY_BTAB: .backTab,
    ]
  }
}
