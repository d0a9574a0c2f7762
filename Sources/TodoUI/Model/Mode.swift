import TableProtocol
import Words

/// What the keys mean now.
indirect enum Mode: Equatable, Sendable {
  case list
  case editor(Editing)
  /// The filter is being typed; the list shows what it finds so far.
  case filter(LineEditor)
  /// The date of these items is being typed.
  case due(LineEditor, of: [RecordID])
  /// What waits for a decision, one at a time: see `Model.conflictBrowser`.
  case conflicts
  case pane(Pane)
  case menu(CommandMenu)
  /// Several lines were pasted at once.
  case paste(PastedText)
  case prompt(Question)
}

extension Mode {
  /// What is being typed into an item, also behind the question what pasted lines are to be.
  var editing: Editing? {
    switch self {
    case .editor(let editing): editing
    case .paste(let pasted): pasted.editing
    default: nil
    }
  }

  /// It ends when the change it led to is in the store.
  var isDoneWithChange: Bool {
    switch self {
    case .due, .paste: true
    default: false
    }
  }
}

/// Text of several lines that came in one piece.
struct PastedText: Equatable, Sendable {
  /// Those that say something.
  let lines: [String]
  /// What was being typed when it came, without it.
  var editing: Editing?

  /// Nil when it is one line or none.
  init?(_ text: String) {
    let lines = text.split(whereSeparator: \.isNewline).map { LineEditor(String($0)).text }
    self.lines = lines.filter { !$0.allSatisfy(\.isWhitespace) }
    if self.lines.count < 2 { return nil }
  }

  var asOne: String { lines.joined(separator: " ") }
}
