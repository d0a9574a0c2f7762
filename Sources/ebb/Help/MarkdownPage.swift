/// A page of Markdown for a terminal: headings and words in bold, lines as wide as there is room, of a table's row one
/// cell below the other.
struct MarkdownPage {
  let text: String

  /// The most columns that are comfortable to read.
  private static let widest = 100
  private static let (bold, plain) = ("\u{1B}[1m", "\u{1B}[0m")
  /// Stand for the two above until the lines are broken, so that these do not count as columns.
  private static let (boldMark, plainMark): (Character, Character) = ("\u{2}", "\u{3}")

  init(_ markdown: String, width: Int) {
    var lines = PageLines(width: max(20, min(width - 1, Self.widest)))
    var isCode = false
    var hasHeader = false
    for line in markdown.split(separator: "\n", omittingEmptySubsequences: false) {
      let trimmed = line.drop { $0 == " " }
      if trimmed.hasPrefix("```") {
        lines.endParagraph()
        isCode.toggle()
      } else if isCode || line.hasPrefix("    ") && !lines.isInParagraph {
        lines.verbatim(isCode ? "    " + line : String(line))
      } else if trimmed.hasPrefix("|") {
        let cells = Self.cells(trimmed)
        let isRule = cells.allSatisfy { $0.allSatisfy { "-: ".contains($0) } } && trimmed.contains("-")
        if isRule { hasHeader = true } else if hasHeader { lines.row(cells.map(Self.inline)) }
        continue
      } else if let heading = Self.heading(trimmed) {
        lines.heading(String(Self.boldMark) + Self.inline(heading).filter { !Self.isMark($0) } + String(Self.plainMark))
      } else if trimmed.isEmpty {
        lines.blank()
      } else if !trimmed.hasPrefix("<") {
        lines.words(Self.inline(trimmed), isItem: Self.isItem(trimmed), indent: line.count - trimmed.count)
      }
      hasHeader = false
    }
    lines.endParagraph()
    text = String(
      lines.finished.flatMap { character in
        character == Self.boldMark ? Self.bold : character == Self.plainMark ? Self.plain : String(character)
      })
  }

  static func isMark(_ character: Character) -> Bool { character == boldMark || character == plainMark }

  private static func heading(_ line: Substring) -> Substring? {
    let text = line.drop { $0 == "#" }
    return text.count < line.count && text.first == " " ? text.dropFirst() : nil
  }

  private static func isItem(_ line: Substring) -> Bool {
    if line.hasPrefix("- ") || line.hasPrefix("* ") { return true }
    let rest = line.drop { $0.isNumber }
    return rest.count < line.count && rest.hasPrefix(". ")
  }

  /// Between the lines of a row; `\|` is a line in a cell.
  private static func cells(_ line: Substring) -> [Substring] {
    var cells: [Substring] = []
    var start = line.index(after: line.startIndex)
    var place = start
    while place < line.endIndex {
      if line[place] == "\\", line.index(after: place) < line.endIndex {
        place = line.index(after: place)
      } else if line[place] == "|" {
        cells.append(line[start..<place])
        start = line.index(after: place)
      }
      place = line.index(after: place)
    }
    return cells
  }

  /// Without the signs: `code` and **strong** are bold, of a link the words remain.
  private static func inline(_ text: Substring) -> String {
    var result = ""
    var isBold = false
    var rest = text[...]
    while let character = rest.first {
      rest = rest.dropFirst()
      if character == "\\", let next = rest.first, "|*`_\\".contains(next) {
        result.append(next)
        rest = rest.dropFirst()
      } else if character == "`" || character == "*" && rest.first == "*" {
        if character == "*" { rest = rest.dropFirst() }
        isBold.toggle()
        result.append(isBold ? boldMark : plainMark)
      } else if character == "[", let close = rest.firstIndex(of: "]"), rest[close...].hasPrefix("]("),
        let end = rest[close...].firstIndex(of: ")")
      {
        result += rest[..<close]
        rest = rest[rest.index(after: end)...]
      } else {
        result.append(character)
      }
    }
    return result + (isBold ? String(plainMark) : "")
  }
}

/// The lines of a page as they fill up.
private struct PageLines {
  private let width: Int
  private var lines: [String] = []
  private var paragraph: [Substring] = []
  private var indent = 0
  private var hanging = 0

  init(width: Int) { self.width = width }

  var isInParagraph: Bool { !paragraph.isEmpty }
  var finished: String { lines.joined(separator: "\n") }

  mutating func verbatim(_ line: String) { lines.append(line) }

  mutating func blank() {
    endParagraph()
    if lines.last?.isEmpty == false { lines.append("") }
  }

  mutating func heading(_ line: String) {
    blank()
    lines.append(line)
  }

  /// The first cell stands out, the others are below it.
  mutating func row(_ cells: [String]) {
    endParagraph()
    let cells = cells.map { $0.split(separator: " ") }.filter { !$0.isEmpty }
    for (number, cell) in cells.enumerated() {
      paragraph = cell
      (indent, hanging) = number == 0 ? (2, 4) : (6, 6)
      endParagraph()
    }
  }

  /// Adds words to the paragraph. An item of a list begins another one.
  mutating func words(_ text: String, isItem: Bool, indent: Int) {
    if isItem { endParagraph() }
    if paragraph.isEmpty {
      self.indent = indent
      hanging = isItem ? indent + 3 : indent
    }
    paragraph += text.split(separator: " ")
  }

  mutating func endParagraph() {
    var line = String(repeating: " ", count: indent)
    var columns = indent
    var isStart = true
    for word in paragraph {
      let count = word.count { !MarkdownPage.isMark($0) }
      if !isStart && columns + 1 + count > width {
        lines.append(line)
        line = String(repeating: " ", count: hanging)
        (columns, isStart) = (hanging, true)
      }
      line += (isStart ? "" : " ") + word
      columns += count + (isStart ? 0 : 1)
      isStart = false
    }
    if !paragraph.isEmpty { lines.append(line) }
    paragraph = []
  }
}
