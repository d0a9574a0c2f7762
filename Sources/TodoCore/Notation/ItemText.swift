package import TableProtocol

/// The text of an item: the task in its first line, and below it a note of any number of lines.
package struct ItemText: Sendable, Hashable {
  package var line: String
  /// Empty for none.
  package var note: String

  package init(line: String, note: String = "") {
    self.line = line
    self.note = note
  }

  /// Another client may end lines with a carriage return; that belongs to neither.
  package init(_ text: String) {
    guard let end = Self.lineEnd(of: text) else {
      self.init(line: text)
      return
    }
    let line = text.unicodeScalars[..<end]
    self.init(
      line: String(line.last == "\r" ? line.dropLast() : line),
      note: String(text.unicodeScalars[text.unicodeScalars.index(after: end)...]))
  }

  /// Looks at the bytes where they lie: through the view of a string it takes ten times as long, and a list does it for
  /// every item.
  private static func lineEnd(of text: String) -> String.Index? {
    let lineFeed = UInt8(ascii: "\n")
    let found = text.utf8.withContiguousStorageIfAvailable { $0.firstIndex(of: lineFeed) }
    guard let found else { return text.utf8.firstIndex(of: lineFeed) }
    return found.map { text.utf8.index(text.startIndex, offsetBy: $0) }
  }

  package var text: String { note.isEmpty ? line : line + "\n" + note }

  package var hasNote: Bool { note.contains { !$0.isWhitespace } }

  /// The whole text in one line, where that is the form: each line break is written as `␤`, and read back from it.
  package var oneLine: String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == "\n" ? Self.sign : $0 }))
  }

  /// A line break where a line is an item: U+2424.
  package static let sign: Unicode.Scalar = "\u{2424}"
}

extension TodoList {
  /// The text with the note of the item below it, if it is one line; no text stays none.
  package func textKeepingNote(_ text: String, of id: RecordID) throws -> String {
    let isOneLine = !text.contains { $0.isNewline || $0 == Character(ItemText.sign) }
    guard isOneLine, text.contains(where: { !$0.isWhitespace }) else { return text }
    return ItemText(line: text, note: ItemText(try item(id)?.text ?? "").note).text
  }
}

extension TodoItem {
  /// The first line, without the note.
  package var line: String { ItemText(text).line }
  package var hasNote: Bool { ItemText(text).hasNote }
}

extension String {
  /// The text of a file that another program wrote, without a byte order mark before it: in an item the mark could not be
  /// seen, and it would keep `(A)` behind it from being a priority. Returns nil if the bytes are not UTF-8.
  package init?(ofFile bytes: some Sequence<UInt8>) {
    guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
    self = text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
  }
}

/// Makes a text that was typed or read into one that is stored.
enum TodoText {
  /// Line breaks of any kind, `␤` among them, become line feeds, other controls spaces. White space goes from the ends
  /// of lines, and lines without a word from both ends. A tab that was written into a note stays. A date in words
  /// becomes `due:` and the day, and wide spaces beside a tag become narrow. Throws `TodoError.emptyText` when nothing
  /// is left.
  static func checked(_ text: String, today: CalendarDay) throws -> String {
    var lines = lines(of: text).map(\.trimmingEnd).trimmed[...]
    // A line may be nothing but a date that goes: then the next one is the first.
    while let first = lines.popFirst() {
      let line = DueWords.resolved(first.trimmingWhiteSpace.withoutTabs, today: today).trimmingWhiteSpace
      if !line.isEmpty { return ItemText(line: line, note: lines.joined(separator: "\n")).text }
    }
    throw TodoError.emptyText
  }

  /// The text of an item that another program wrote: line breaks, tabs and controls as in ``checked(_:today:)``. All
  /// else stays, spaces and dates in words among it, but for lines without a word at both ends. Nil when nothing is
  /// left.
  static func imported(_ text: String) -> String? {
    // Nearly every text is one line of letters.
    let isPlain = text.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
    if isPlain { return text.utf8.contains { $0 != 0x20 } ? text : nil }
    var lines = lines(of: text)[...]
    while lines.first?.isBlank == true { lines.removeFirst() }
    while lines.last?.isBlank == true { lines.removeLast() }
    guard let first = lines.popFirst() else { return nil }
    return ([first.withoutTabs] + lines).joined(separator: "\n")
  }

  /// Other controls than tabs become spaces.
  private static func lines(of text: String) -> [String] {
    var lines = [String.UnicodeScalarView()]
    var previous: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n" where previous == "\r": break
      case "\n", "\r", "\u{85}", ItemText.sign: lines.append(String.UnicodeScalarView())
      case "\t": lines[lines.count - 1].append(scalar)
      default: lines[lines.count - 1].append(isControl(scalar) ? " " : scalar)
      }
      previous = scalar
    }
    return lines.map { String($0) }
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control: true
    // Breaks a line for some and not for others.
    case .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}

extension [String] {
  fileprivate var trimmed: [String] {
    var lines = self[...]
    while lines.first?.isEmpty == true { lines.removeFirst() }
    while lines.last?.isEmpty == true { lines.removeLast() }
    return Array(lines)
  }
}

extension String {
  fileprivate var withoutTabs: String { utf8.contains(0x09) ? replacing("\t", with: " ") : self }

  fileprivate var isBlank: Bool { allSatisfy(\.isWhitespace) }

  fileprivate var trimmingEnd: String {
    var text = Substring(self)
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
