import Chance
import TodoCore

@testable import Terminal
@testable import TodoUI

/// What holds at every moment, whatever happened.
extension ChaosStory {
  /// The law of the screen that is broken, in words.
  mutating func brokenLaw() -> String? {
    let frame = desk.frame
    if let broken = shape(of: frame) ?? chosen(on: frame) { return "\(broken)\n\(frame.text)" }
    if chance.once(in: 8) { return escape() }
    if chance.once(in: 8) { return click(on: frame) }
    return nil
  }

  /// As many rows as the terminal has, none wider than it, nothing in them that acts, and the cursor on it.
  private func shape(of frame: Frame) -> String? {
    let size = desk.model.screen.size
    guard frame.lines.count == size.rows else { return "\(frame.lines.count) rows on \(size)" }
    for (row, line) in frame.lines.enumerated() {
      let text = line.text
      guard max(line.columns, TextWidth.columns(of: text)) <= size.columns else { return "row \(row) is too wide" }
      guard Printable.text(text) == text else { return "row \(row) has control characters" }
    }
    guard let cursor = frame.cursor else { return nil }
    guard (0..<size.rows).contains(cursor.row), (0..<size.columns).contains(cursor.column) else {
      return "the cursor is at \(cursor)"
    }
    return nil
  }

  /// What is chosen, and what is typed, can be seen.
  private func chosen(on frame: Frame) -> String? {
    let size = desk.model.screen.size
    guard size.columns >= smallestSize.columns, size.rows >= smallestSize.rows else { return nil }
    switch desk.model.mode {
    case .editor, .filter, .due:
      guard frame.cursor?.isVisible == true else { return "there is no cursor where text is typed" }
    case .list:
      guard let item = desk.model.list.window.selectedItem else { return nil }
      guard let cursor = frame.cursor, isRow(frame.lines[cursor.row].text, of: item, marker: glyphs.edge) else {
        return "the chosen row is not to be seen: \(item.text)"
      }
    case .pane(let pane): if pane.hasChoice { return entry(on: frame) }
    case .menu(let menu):
      if !menu.isTyping, !menu.entries(desk.model.screen.keymap, desk.model.screen.preferences.catalogue).isEmpty {
        return entry(on: frame)
      }
    case .panel, .conflicts, .paste, .prompt: break
    }
    return nil
  }

  private var glyphs: Glyphs { Glyphs.of(desk.model.screen.charset) }

  private func entry(on frame: Frame) -> String? {
    guard let cursor = frame.cursor else { return "no entry is chosen" }
    let row = frame.lines[cursor.row].text
    // The help has its entries in columns.
    guard row.dropFirst(TextWidth.prefix(row, columns: cursor.column).count).hasPrefix(glyphs.edge) else {
      return "the chosen entry is not to be seen"
    }
    return nil
  }

  private func isRow(_ row: String, of item: TodoItem, marker: String) -> Bool {
    guard row.hasPrefix(marker) || row.contains(glyphs.column + marker) else { return false }
    return ownWord(of: item).map { row.contains($0) } ?? true
  }

  /// The word that no other item begins with.
  private func ownWord(of item: TodoItem) -> String? {
    let word = item.text.prefix { $0.isASCII && $0.isLetter || $0.isNumber }
    return word.contains(/^[wi]\d+$/) ? String(word) : nil
  }

  /// Three times Escape leads back to the list from everywhere.
  private func escape() -> String? {
    var desk = desk
    desk.press(.escape, .escape, .escape)
    return desk.model.mode == .list ? nil : "Escape does not lead out of \(self.desk.model.mode)"
  }

  /// A press below the title chooses the item that is shown where it was pressed, and nothing where none is.
  private mutating func click(on frame: Frame) -> String? {
    guard desk.model.mode == .list, desk.held.isEmpty, !desk.holdsReads, frame.lines.count > 1 else { return nil }
    let row = chance.number(1...frame.lines.count - 1)
    let before = desk.model.list.window.selectedItem
    var desk = desk
    desk.tell(.mouse(MouseEvent(.press, column: ScreenView(desk.model).listStart + 12, row: row)))
    guard let item = desk.model.list.window.selectedItem, item.id != before?.id, let word = ownWord(of: item) else {
      return nil
    }
    let text = frame.line(row).text
    let isBelowHeading = text.contains(glyphs.hairline + glyphs.hairline) && frame.line(row + 1).text.contains(word)
    return text.contains(word) || isBelowHeading ? nil : "a press on row \(row) chose \(item.text)\n\(frame.text)"
  }

  /// Nothing that was due stays due.
  mutating func wake() -> String? {
    desk.wait(milliseconds: 0)
    desk.tell(.tick)
    guard let next = desk.model.nextWake, next <= desk.now.uptime else { return nil }
    return "woken again at once, for \(next) at \(desk.now.uptime)"
  }

  /// What was typed is saved, in the history or still being typed; and what is being typed is kept, or will be soon.
  mutating func loss(since before: Desk) -> String? {
    if case .editor(let editing) = before.model.mode, !desk.isTyping, !desk.has(editing), !desk.asks(about: editing),
      !savedDrafts.contains(editing.line.text)
    {
      return "lost: \(editing.line.text)"
    }
    guard case .editor(let editing) = desk.model.mode else {
      opened = nil
      return nil
    }
    if opened == nil, editing.target != .new { opened = editing.line.text }
    let text = editing.line.text
    let isKept =
      text.isEmpty || editing.saysNothingNew || text == opened || text == editing.shown?.line
      || savedDrafts.contains(text) || desk.model.editor.draftDue != nil
    return isKept ? nil : "not kept while it is typed: \(text)"
  }
}

extension Desk {
  var isTyping: Bool {
    model.editor.editing != nil
  }

  /// It is asked what becomes of lines that were pasted into what was typed.
  func asks(about editing: Editing) -> Bool {
    model.panes.pasted != nil && model.editor.editing == editing
  }

  func has(_ editing: Editing) -> Bool {
    let text = editing.line.text
    return text.allSatisfy(\.isWhitespace) || editing.saysNothingNew || !editing.isChanged
      || model.editor.history.lines.contains(text)
      || items.contains { $0.text == text }
  }
}

extension Pane {
  /// It shows entries, and one of them is chosen.
  var hasChoice: Bool {
    switch self {
    case .outbox(let choice, _): choice.current != nil
    case .digest(let choice): choice.current != nil
    case .story(_, let choice): choice.current != nil
    case .log(let choice): choice.current != nil
    case .detail: false
    }
  }
}
