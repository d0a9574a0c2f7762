import FoundationEssentials
import Glibc
import Terminal
import TodoCore
import TodoUI
import Words

/// How a command prints: for a person at a terminal, with columns, dates in words and colours, or plainly, for a program.
struct OutputLayout {
  let isForPerson: Bool
  let paint: Paint
  /// There is a server that changes wait for.
  let hasServer: Bool

  init(isForPerson: Bool, paint: Paint, hasServer: Bool) {
    self.isForPerson = isForPerson
    self.paint = paint
    self.hasServer = hasServer
  }

  /// Throws `CommandFailure` for a `--color` that can't be used.
  init(_ settings: Settings, hasServer: Bool, environment: EnvironmentVariables = .ofProcess) throws {
    let flag = try ListPreferences(settings.flags, nil, environment: environment).colorFlag()
    let isTerminal = isatty(STDOUT_FILENO) == 1
    // What the file says counts on a terminal alone: a script gets the same from every configuration.
    let isOff = isTerminal && flag == nil && settings.file?.text("color")?.lowercased() == "never"
    let choice = isOff ? .never : flag ?? .auto
    isForPerson = isTerminal || Self.isColored(choice, isTerminal: false, environment)
    paint = Paint(isOn: Self.isColored(choice, isTerminal: isTerminal, environment))
    self.hasServer = hasServer
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

  /// An item as one line.
  func line(_ item: TodoItem, handle: String, width: Int = 0) -> String {
    guard isForPerson else { return ItemLines.line(item, handle: handle, hasServer: hasServer) }
    let line = TodoLine(id: item.id, text: item.text, complete: item.complete, state: item.state)
    return PersonLine(line, handle: handle, width: width, self, today: CalendarDay(Date())).text
  }
}

/// Colours of the terminal's own sixteen, so that they follow the user's scheme. They add to what the words and signs say.
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

/// A line of a list for a person: the handle, the box and the state in columns, the date in words.
struct PersonLine {
  let text: String

  /// The handle takes `width` columns at least. A date in words can be typed back.
  init(_ line: TodoLine, handle: String, width: Int, _ layout: OutputLayout, today: CalendarDay) {
    let paint = layout.paint
    let pad = String(repeating: " ", count: max(0, width - handle.count))
    let item = ItemText(line.text)
    let words =
      line.complete
      ? paint(Self.words(item.line, line, Paint(isOn: false), today), .dim) : Self.words(item.line, line, paint, today)
    text =
      paint(handle, .dim) + pad + (line.complete ? " [x] " : " [ ] ") + Self.badge(line.state, layout) + " " + words
      + (item.hasNote ? " " + paint("≡", .dim) : "")
  }

  private static func badge(_ state: ItemState, _ layout: OutputLayout) -> String {
    switch state {
    case .synced: " "
    // No sync runs in this program: what was sent without an answer waits like the rest.
    case .waiting, .inFlight: layout.hasServer ? layout.paint("↑", .attention) : " "
    case .conflict: layout.paint("≠", .alarm)
    case .refused: layout.paint("!", .alarm)
    }
  }

  private static func words(_ text: String, _ line: TodoLine, _ paint: Paint, _ today: CalendarDay) -> String {
    let notation = TodoNotation(text)
    var result = ""
    var end = text.startIndex
    for word in notation.words {
      result += String(text[end..<word.range.lowerBound]).printable
      result += shown(String(text[word.range]).printable, word.kind, notation, line, paint, today)
      end = word.range.upperBound
    }
    return result + String(text[end...]).printable
  }

  private static func shown(
    _ word: String, _ kind: TodoNotation.Kind, _ notation: TodoNotation, _ line: TodoLine, _ paint: Paint,
    _ today: CalendarDay
  ) -> String {
    switch kind {
    case .priority: return paint(word, notation.priority == "A" ? .alarm : .bold)
    case .project: return paint(word, .project)
    case .context: return paint(word, .context)
    case .due:
      guard let day = notation.due else { return word }
      let words = ErrorMessages.catalogue.due(day, today: today, isDone: line.complete)
      return day < today ? paint(words, .alarm) : day == today ? paint(words, .attention) : words
    }
  }
}
