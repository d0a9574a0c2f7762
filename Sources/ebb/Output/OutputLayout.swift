import FoundationEssentials
import Glibc
import Terminal
import TodoCore
import TodoUI
import Words

/// How a command prints: for a person at a terminal, with columns, dates in words and colours, or plainly, for a
/// program.
struct OutputLayout {
  let isForPerson: Bool
  let paint: Paint
  /// There is a server that changes wait for.
  let hasServer: Bool
  /// The width of the terminal, in which a row that is too wide goes on below its text; nil if there is none.
  let columns: Int?

  init(isForPerson: Bool, paint: Paint, hasServer: Bool, columns: Int? = nil) {
    self.isForPerson = isForPerson
    self.paint = paint
    self.hasServer = hasServer
    self.columns = columns
  }

  /// Throws `CommandFailure` for a `--color` that can't be used.
  init(_ settings: Settings, hasServer: Bool, environment: EnvironmentVariables = .ofProcess) throws {
    try self.init(settings.flags, settings.file, hasServer: hasServer, environment: environment)
  }

  init(
    _ flags: SettingFlags, _ file: ConfigurationFile?, hasServer: Bool, environment: EnvironmentVariables = .ofProcess
  ) throws {
    let flag = try ListPreferences(flags, nil, environment: environment).colorFlag()
    let isTerminal = isatty(STDOUT_FILENO) == 1
    // The configuration counts on a terminal alone: a script gets the same from every configuration.
    let isOff = isTerminal && flag == nil && file?.text("color")?.lowercased() == "never"
    let choice = isOff ? .never : flag ?? .auto
    isForPerson = isTerminal || Self.isColored(choice, isTerminal: false, environment)
    paint = Paint(isOn: Self.isColored(choice, isTerminal: isTerminal, environment))
    self.hasServer = hasServer
    columns = StandardOutput.columns
  }

  /// A flag goes before `NO_COLOR`, and that before `FORCE_COLOR` and `CLICOLOR_FORCE`.
  static func isColored(
    _ choice: TerminalOptions.ColorChoice, isTerminal: Bool, _ environment: EnvironmentVariables
  ) -> Bool {
    switch choice {
    case .never: return false
    case .always, .depth: return true
    case .auto:
      if environment["NO_COLOR"]?.isEmpty == false { return false }
      let forces = ["FORCE_COLOR", "CLICOLOR_FORCE"].contains { name in
        environment[name].map { !$0.isEmpty && $0 != "0" } ?? false
      }
      let term = environment["TERM"] ?? ""
      return forces || (isTerminal && !term.isEmpty && term != "dumb")
    }
  }

  /// An item as one line, which begins `indent` columns in.
  func line(_ item: TodoItem, handle: String, width: Int = 0, indent: Int = 0) -> String {
    guard isForPerson else {
      return String(repeating: " ", count: indent) + ItemLines.line(item, handle: handle, hasServer: hasServer)
    }
    let line = TodoLine(id: item.id, text: item.text, complete: item.complete, state: item.state)
    var lines = PersonLines(self, today: CalendarDay(Date()), width: width, indent: indent)
    return lines.line(line, handle: handle)
  }
}

/// Colours of the terminal's own sixteen, so that they follow the user's scheme. They add to what the words and signs
/// say.
struct Paint {
  let isOn: Bool

  enum Ink: String {
    case bold = "1"
    case dim = "2"
    case alarm = "1;31"
    case removed = "31"
    case added = "32"
    case attention = "33"
    case project = "36"
    case context = "0;32"
  }

  func callAsFunction(_ text: String, _ ink: Ink) -> String {
    isOn && !text.isEmpty ? "\u{1B}[\(ink.rawValue)m\(text)\u{1B}[0m" : text
  }
}

/// Lines of a list for a person: the handle, the box and the state in columns, the date in words.
struct PersonLines {
  private let layout: OutputLayout
  private let today: CalendarDay
  /// Columns of the longest handle.
  private let width: Int
  /// Columns before each row.
  private let indent: Int
  /// The words for days, which many items share.
  private var days: [CalendarDay: String] = [:]

  /// Columns from the handle to the text: the box, the state, and spaces.
  private static let boxAndState = 7

  init(_ layout: OutputLayout, today: CalendarDay, width: Int = 0, indent: Int = 0) {
    self.layout = layout
    self.today = today
    self.width = width
    self.indent = indent
  }

  /// A line that is wider than the terminal goes on below its text.
  mutating func line(_ line: TodoLine, handle: String) -> String {
    let whole = String(repeating: " ", count: indent) + row(line, handle: handle)
    guard let columns = layout.columns else { return whole }
    return TextWidth.folded(
      whole, columns: columns, hanging: indent + max(width, handle.count) + Self.boxAndState)
  }

  /// A date in words can be typed back.
  private mutating func row(_ line: TodoLine, handle: String) -> String {
    let (paint, handle) = (layout.paint, handle.printable)
    let pad = String(repeating: " ", count: max(0, width - handle.count))
    let item = ItemText(line.text)
    let words =
      line.complete
      ? paint(words(item.line, isDone: true, Paint(isOn: false)), .dim) : words(item.line, isDone: false, paint)
    return paint(handle, .dim) + pad + (line.complete ? " [x] " : " [ ] ") + badge(line.state) + " " + words
      + (item.hasNote ? " " + paint("≡", .dim) : "")
  }

  private func badge(_ state: ItemState) -> String {
    switch state {
    case .synced: " "
    // No sync runs in this program: what was sent without an answer waits like the rest.
    case .waiting, .inFlight: layout.hasServer ? layout.paint("↑", .attention) : " "
    case .conflict: layout.paint("≠", .alarm)
    case .refused: layout.paint("!", .alarm)
    }
  }

  private mutating func words(_ text: String, isDone: Bool, _ paint: Paint) -> String {
    let notation = TodoNotation(text)
    var result = ""
    var end = text.startIndex
    for word in notation.words {
      result += String(text[end..<word.range.lowerBound]).printable
      result += shown(String(text[word.range]).printable, word.kind, notation, isDone: isDone, paint)
      end = word.range.upperBound
    }
    return result + String(text[end...]).printable
  }

  private mutating func shown(
    _ word: String, _ kind: TodoNotation.Kind, _ notation: TodoNotation, isDone: Bool, _ paint: Paint
  ) -> String {
    switch kind {
    case .priority: return paint(word, notation.priority == "A" ? .alarm : .bold)
    case .project: return paint(word, .project)
    case .context: return paint(word, .context)
    case .due:
      guard let day = notation.due else { return word }
      let words = words(for: day, isDone: isDone)
      return day < today ? paint(words, .alarm) : day == today ? paint(words, .attention) : words
    }
  }

  private mutating func words(for day: CalendarDay, isDone: Bool) -> String {
    if !isDone, let words = days[day] { return words }
    let words = ErrorMessages.catalogue.due(day, today: today, isDone: isDone)
    if !isDone { days[day] = words }
    return words
  }
}
