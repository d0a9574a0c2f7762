import TodoCore

/// Writes items as lines of a todo.txt: `(A) 2026-11-01 buy milk +shop due:2026-12-24`, and done ones as
/// `x 2026-11-20 2026-11-01 buy milk pri:A`.
enum TodoTxtWriter {
  /// The line of an item, with its line end. `handle` goes with it as `uid:`.
  static func line(_ item: PortableItem, handle: String? = nil) -> String {
    let text = oneLine(item.text)
    // It must be read back the same: if a text begins or ends like a sign of the format, a space says that it is none.
    let plain = line(item, text, handle)
    if isRead(plain, as: item, text, handle) { return plain + "\n" }
    let guarded = [(" ", ""), ("", " "), (" ", " ")].lazy
      .map { line(item, text, handle, before: $0, after: $1) }.first { isRead($0, as: item, text, handle) }
    return (guarded ?? plain) + "\n"
  }

  /// True if the item that was read from a line comes out as that line, to the letter.
  static func writes(_ item: PortableItem, as line: Substring) -> Bool {
    var item = item
    item.text = item.handle?.text ?? item.text
    return self.line(item).utf8.dropLast().elementsEqual(line.utf8)
  }

  private static func isRead(_ line: String, as item: PortableItem, _ text: String, _ handle: String?) -> Bool {
    let read = TodoTxtReader.item(line[...])
    let own = handle == nil ? read.handle?.text : nil
    return read.complete == item.complete && (own ?? read.text).utf8.elementsEqual(text.utf8)
  }

  /// Each line break as `␤`, with which `ebb add` and `ebb edit` write one too.
  private static func oneLine(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 < 0x20 }) else { return text }
    let lines = NumberedLines(text).map { String($0.line) }
    return lines.joined(separator: String(Character(TodoTxtReader.lineBreak)))
  }

  private static func line(
    _ item: PortableItem, _ text: String, _ handle: String?, before: String = "", after: String = ""
  ) -> String {
    let (first, note) = TodoTxtReader.split(text)
    var line = String(first)
    var priority = TodoNotation(line).priority
    if let letter = priority {
      let rest = line[...].dropping(4)
      if rest.utf8.contains(where: { $0 > 0x20 }) { line = String(rest) } else { priority = nil }
      if !item.complete, priority != nil {
        return "(\(letter)) " + date(created(item)) + before + line + uid(handle) + note
      }
    }
    let tail = (priority.map { " pri:\($0)" } ?? after) + uid(handle) + note
    guard item.complete else { return date(created(item)) + before + line + tail }
    let completed = item.completed?.day
    // One date alone would be taken for that of the completion.
    return "x " + date(completed) + date(completed == nil ? nil : created(item)) + before + line + tail
  }

  private static func date(_ day: CalendarDay?) -> String { day.map { $0.text + " " } ?? "" }
  private static func uid(_ handle: String?) -> String { handle.map { " uid:\($0)" } ?? "" }

  private static func created(_ item: PortableItem) -> CalendarDay? {
    guard let created = item.created, created.isKnownCreation else { return nil }
    return created.day
  }
}
