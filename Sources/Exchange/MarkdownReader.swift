import TodoCore

/// Reads the check lists of a Markdown file. Headings, paragraphs, plain lists and blocks of code are left out.
struct MarkdownReader {
  private var result = ImportResult()
  /// The item whose note may go on, its indentation, and the blank lines since.
  private var item: (text: String, complete: Bool, line: Int, indent: Int)?
  private var blankLines = 0
  /// The sign that ends a block of code.
  private var fence: String?

  static func read(_ text: String) -> ImportResult {
    var reader = MarkdownReader()
    for (number, line) in NumberedLines(text) { reader.read(line, number) }
    reader.endItem()
    return reader.result
  }

  /// Every second line of the beginning or more is an item or a heading, and one at least is an item.
  static func isCheckList(_ text: String) -> Bool {
    let lines = NumberedLines(text).lazy.map { $0.line.splitIndent.text }
    let first = Array(lines.filter { !$0.isEmpty }.prefix(50))
    let items = first.count { CheckListMark($0) != nil }
    return items > 0 && (items + first.count { $0.hasPrefix("#") }) * 2 >= first.count
  }

  private mutating func read(_ line: Substring, _ number: Int) {
    let (spaces, text) = line.splitIndent
    let indent = spaces.utf8.reduce(0) { $0 + ($1 == 0x09 ? 4 : 1) }
    if fence != nil || MarkdownWriter.isFence(text) { return readCode(text, number) }
    if text.isEmpty {
      blankLines += 1
    } else if let mark = CheckListMark(text) {
      endItem()
      item = (String(repeating: " ", count: indent) + mark.text, mark.complete, number, indent)
      if mark.text.isEmpty { item?.text = "" }
    } else if let item, indent >= item.indent + 2 {
      addNote(Self.rest(of: spaces, after: item.indent + 2) + Self.unescaped(text))
    } else {
      endItem()
      result.leaveOut(.notInCheckList, line: number)
    }
  }

  private mutating func readCode(_ text: Substring, _ number: Int) {
    endItem()
    result.leaveOut(.notInCheckList, line: number)
    if let fence {
      if text.hasPrefix(fence) { self.fence = nil }
    } else {
      fence = String(text.prefix(3))
    }
  }

  /// Returns the indentation behind the first columns. A tab counts as four columns. If it reaches beyond the first
  /// ones, spaces stand for the rest of it.
  private static func rest(of spaces: Substring, after columns: Int) -> String {
    var (left, rest) = (columns, spaces)
    while left > 0, let first = rest.popFirst() { left -= first == "\t" ? 4 : 1 }
    return String(repeating: " ", count: max(0, -left)) + rest
  }

  private mutating func addNote(_ line: String) {
    item?.text += String(repeating: "\n", count: blankLines + 1) + line
    blankLines = 0
  }

  private mutating func endItem() {
    blankLines = 0
    guard let item else { return }
    self.item = nil
    if item.text.isEmpty { return result.leaveOut(.noText, line: item.line) }
    result.add(PortableItem(item.text, complete: item.complete), line: item.line)
  }

  private static func unescaped(_ text: Substring) -> Substring {
    text.utf8.first == UInt8(ascii: "\\") && MarkdownWriter.isEscapable(text) ? text.dropping(1) : text
  }
}
