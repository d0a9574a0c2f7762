/// Where keys mean something of their own.
package enum Place: String, CaseIterable, Sendable {
  case list, conflicts, outbox, digest, story, detail, log, help
  /// Where text is typed: an item, the filter, a date, the name of a command.
  case editor, filter, due, palette
  /// Where one key answers.
  case sortPrompt, slotPrompt, pastePrompt, quitPrompt, accountPrompt, removalPrompt

  /// Where letters are text and never commands.
  var isText: Bool { Place.textual.contains(self) }

  static let textual: [Place] = [.editor, .filter, .due, .palette]
  /// What stands in place of the list until it is closed.
  static let panes: [Place] = [.outbox, .digest, .story, .detail, .log]
}

extension Mode {
  var place: Place {
    switch self {
    case .list: .list
    case .editor: .editor
    case .filter: .filter
    case .due: .due
    case .conflicts: .conflicts
    case .pane(let pane): pane.place
    case .menu(let menu): menu.isTyping ? .palette : .help
    case .paste: .pastePrompt
    case .prompt(let question): question.place
    }
  }
}
