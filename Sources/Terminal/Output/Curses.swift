import CNcurses
import Glibc

/// The door to ncurses: nothing else in the program calls it, but for the width of a scalar. Main thread only, but for
/// the last extension.
///
/// ncurses draws into memory. It never reads the keyboard and never writes to the terminal, for it would wait there for
/// ever when the terminal takes nothing.
final class Curses {
  private let memory: Int32
  private let depth: ColorDepth
  private var pairs = ColorPairs(limit: 0)

  /// Nil when ncurses cannot drive the terminal that `TERM` names. Afterwards `takeBytes` has what takes it over.
  init?(size: Size, depth: ColorDepth) {
    memory = memory_file()
    self.depth = depth
    guard memory >= 0, let output = fdopen(memory, "w"), let input = fopen("/dev/null", "r") else { return nil }
    guard curses_newterm(output, input) != nil else { return nil }
    typeahead(-1)
    raw()
    noecho()
    nonl()
    keypad(curses_stdscr(), true)
    // ncurses has begun with a size it guessed. It begins again with the right one.
    endwin()
    resize(to: size)
    _ = takeBytes()
    wnoutrefresh(curses_stdscr())
    doupdate()
    if depth > .none && has_colors() { startColors() }
  }

  private func startColors() {
    start_color()
    use_default_colors()
    pairs = ColorPairs(limit: curses_color_pairs())
  }

  /// In bytes.
  private static let kept = 16 * 1_024

  /// The bytes ncurses has written since the last time.
  func takeBytes() -> [UInt8] {
    let count = Int(lseek(memory, 0, SEEK_CUR))
    guard count > 0 else { return [] }
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = max(0, pread(memory, buffer.baseAddress, count, 0))
    }
    // The memory of a usual frame is kept for the next one: to take and to return it would be half of what is done
    // here.
    if count > Self.kept { ftruncate(memory, 0) }
    lseek(memory, 0, SEEK_SET)
    return bytes
  }

  /// Writes the sequences that restore the terminal.
  func close() {
    endwin()
  }

  /// After `close` or a stop of the whole program: takes the terminal over again.
  func reopen() {
    clearok(curses_stdscr(), true)
    wrefresh(curses_stdscr())
  }

  func resize(to size: Size) {
    resizeterm(Int32(clamping: size.rows), Int32(clamping: size.columns))
  }

  func erase(row: Int) {
    wmove(curses_stdscr(), Int32(clamping: row), 0)
    wclrtoeol(curses_stdscr())
  }

  /// Writes at the place where the last writing in this row ended.
  func write(_ text: String, _ style: Style) {
    let style = style.shown(in: depth)
    let attributes = curses_attributes(style.bold, style.dim, style.underline, style.reverse)
    curses_set_style(curses_stdscr(), attributes, pair(style))
    waddnstr(curses_stdscr(), text, -1)
    curses_set_style(curses_stdscr(), 0, 0)
  }

  /// The terminal shows something else in this row than ncurses believes.
  func distrust(row: Int) {
    wredrawln(curses_stdscr(), Int32(clamping: row), 1)
  }

  func distrustAll() {
    clearok(curses_stdscr(), true)
  }

  /// Writes all that changed.
  func update(cursor: Frame.Cursor?) {
    curs_set(cursor?.isVisible == true ? 1 : 0)
    if let cursor { wmove(curses_stdscr(), Int32(clamping: cursor.row), Int32(clamping: cursor.column)) }
    wnoutrefresh(curses_stdscr())
    doupdate()
  }

  private func pair(_ style: Style) -> Int32 {
    if style.color == nil && style.background == nil { return 0 }
    let colors = Int(curses_colors())
    let pair = ColorPairs.Pair(
      text: ColorPairs.cursesNumber(of: style.color, depth: depth, colors: colors),
      background: ColorPairs.cursesNumber(of: style.background, depth: depth, colors: colors))
    let (number, isNew) = pairs.number(of: pair)
    if isNew { init_extended_pair(number, pair.text, pair.background) }
    return number
  }
}

extension Curses {
  /// Sets the locale of the process's character type and says whether it is UTF-8.
  static func charset() -> Charset {
    // A bare machine has no locale set, or one that is not installed; its terminals speak UTF-8 all the same.
    let variables: [String] = ["LC_ALL", "LC_CTYPE", "LANG"]
    let isUnset = variables.allSatisfy { name in getenv(name).map { $0.pointee == 0 } ?? true }
    if isUnset || setlocale(LC_CTYPE, "") == nil { setlocale(LC_CTYPE, "C.UTF-8") }
    return String(cString: curses_codeset()) == "UTF-8" ? .utf8 : .ascii
  }

  /// Whether there is a description of this terminal, or of one it is like. If so, the questions below are answered
  /// from it, and `TERM` names it from now on.
  static func knowsTerminal(_ name: String) -> Bool {
    var reason: Int32 = 0
    guard let known = likeNames(name).first(where: { setupterm($0, STDOUT_FILENO, &reason) == 0 }) else { return false }
    if known != name { setenv("TERM", known, 1) }
    return true
  }

  /// The name, and those of terminals that do no more than this one: `xterm-16color`, `xterm-kitty` and their like are
  /// described only where a larger package is installed.
  static func likeNames(_ name: String) -> [String] {
    guard let family = ["xterm", "screen", "tmux"].first(where: { name.hasPrefix($0 + "-") }) else { return [name] }
    let hasFewColors = ["-mono", "-m", "-8color", "-16color", "-88color"].contains { name.hasSuffix($0) }
    return [name] + (hasFewColors ? [] : [family + "-256color"]) + [family]
  }

  /// How many colours the description tells of, 0 for none.
  static var describedColors: Int { max(0, Int(tigetnum("colors"))) }

  /// A sequence of the description by its terminfo name; nil when it has none.
  static func described(_ name: String) -> [UInt8]? {
    guard let sequence = tigetstr(name), Int(bitPattern: sequence) != -1 else { return nil }
    return Array(String(cString: sequence).utf8)
  }

  /// Whether the terminal is of xterm's kind: it has private modes, and ignores those it has not.
  static var knowsPrivateModes: Bool {
    described("smcup")?.starts(with: Array("\u{1B}[?".utf8)) ?? false
  }

  /// Whether the terminal marks what is pasted into it, if it is asked to. All of xterm's kind do but GNU screen; tmux
  /// may call itself screen too.
  static func marksPastes(environment: (String) -> String? = TerminalCheck.environment) -> Bool {
    guard knowsPrivateModes, let term = environment("TERM") else { return false }
    return !term.hasPrefix("screen") || environment("TMUX")?.isEmpty == false
  }

  /// The sequences that undo what ncurses did to the terminal, for a way out on which it cannot be asked.
  static func closingSequences() -> [UInt8] {
    ["rmkx", "cnorm", "sgr0", "rmcup"].flatMap { described($0) ?? [] }
  }

  /// The keys as the description has them.
  static func describedKeys() -> [DescribedKey] {
    let named: [(String, Key)] = [
      ("kcuu1", .up), ("kcud1", .down), ("kcub1", .left), ("kcuf1", .right), ("khome", .home), ("kend", .end),
      ("kpp", .pageUp), ("knp", .pageDown), ("kdch1", .delete), ("kich1", .insert), ("kent", .enter),
      ("kcbt", .backTab),
    ]
    let functions = (1...24).map { ("kf\($0)", Key.function($0)) }
    return (named + functions).compactMap { name, key in described(name).map { DescribedKey(sequence: $0, key: key) } }
  }
}

/// The rest of what only C can call.
extension Curses {
  /// Asks the scheduler for turns of so many nanoseconds for the calling thread. See ``ShortTurns``.
  static func askForTurns(of length: UInt64) { _ = ask_for_turns_of(length) }
}
