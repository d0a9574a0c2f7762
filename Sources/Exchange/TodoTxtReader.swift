import TodoCore

/// Reads a todo.txt, of any program: a line is an item. Words that mean nothing here stay as they are.
enum TodoTxtReader {
  /// A line break of a text, where a line is an item: U+2424.
  static let lineBreak: Unicode.Scalar = "\u{2424}"

  static func read(_ text: String) -> ImportResult {
    var result = ImportResult()
    for (number, line) in NumberedLines(text) where line.utf8.contains(where: { $0 > 0x20 }) {
      let item = item(line)
      result.add(item, line: number)
      if !TodoTxtWriter.writes(item, as: line) { result.rewritten.insert(number) }
    }
    return result
  }

  /// The item of one line.
  static func item(_ line: Substring) -> PortableItem {
    if line.utf8.starts(with: "x ".utf8) { return doneItem(line.dropping(2)) }
    var text = line
    let priority = line.hasPriority ? line.utf8.prefix(4) : line.utf8.prefix(0)
    text = line.dropping(priority.count)
    let created = priority.isEmpty ? takeFirstDate(&text) : takeDate(&text)
    if created == nil { text = withoutGuard(text, isAtStart: priority.isEmpty) }
    return withHandle(PortableItem(String(Substring(priority)) + text, created: created.map(PortableTime.day)))
  }

  private static func doneItem(_ line: Substring) -> PortableItem {
    var text = line
    var completed = takeDate(&text)
    var created = completed == nil ? nil : takeDate(&text)
    if created == nil { text = withoutGuard(text, isAtStart: false) }
    if hasLeadingPriority(text) {
      // Some programs leave the priority where it was, with the dates behind it.
      var rest = text.dropping(4)
      if completed == nil { completed = takeDate(&rest) }
      if completed != nil, created == nil { created = takeDate(&rest) }
      text = Substring(String(Substring(text.utf8.prefix(4))) + rest)
    }
    let item = PortableItem(
      String(text), complete: true, created: created.map(PortableTime.day), completed: completed.map(PortableTime.day))
    var found = withHandle(item)
    found.text = withPriority(found.text)
    return found
  }

  /// A date at the beginning, with the space behind it, if something follows.
  private static func takeDate(_ text: inout Substring) -> CalendarDay? {
    let bytes = text.utf8
    guard bytes.count > 11, bytes[bytes.index(bytes.startIndex, offsetBy: 10)] == UInt8(ascii: " "),
      let day = CalendarDay(Substring(bytes.prefix(10))), bytes.dropFirst(11).contains(where: { $0 > 0x20 })
    else { return nil }
    text = text.dropping(11)
    return day
  }

  /// The same of an open line that begins with its date. `2026-11-01 (A) text` is not of the standard: all of it is
  /// text, or the letter would become a priority.
  private static func takeFirstDate(_ text: inout Substring) -> CalendarDay? {
    var rest = text
    guard let day = takeDate(&rest), !hasPriorityAndText(rest) else { return nil }
    text = rest
    return day
  }

  /// It begins with a priority, and a text follows in the line. A handle is none.
  private static func hasPriorityAndText(_ text: Substring) -> Bool {
    guard text.hasPriority else { return false }
    return split(withHandle(PortableItem(String(text))).text).line.dropping(4).utf8.contains { $0 > 0x20 }
  }

  /// The text of a done item begins with its priority and does not end with it, as in a line of the standard.
  private static func hasLeadingPriority(_ text: Substring) -> Bool {
    guard hasPriorityAndText(text) else { return false }
    let withoutHandle = withHandle(PortableItem(String(text))).text
    return withPriority(withoutHandle).utf8.elementsEqual(withoutHandle.utf8)
  }

  /// Without the space that keeps what follows from being taken for a sign of the format: see ``TodoTxtWriter``.
  private static func withoutGuard(_ text: Substring, isAtStart: Bool) -> Substring {
    guard text.utf8.first == UInt8(ascii: " ") else { return text }
    var rest = Substring(text.utf8.drop { $0 == UInt8(ascii: " ") })
    let isSign =
      isAtStart ? rest.utf8.starts(with: "x ".utf8) || takeFirstDate(&rest) != nil : takeDate(&rest) != nil
    return isSign ? text.dropping(1) : text
  }

  /// The priority of what is done, `pri:A` at the end of the first line, goes to its beginning.
  private static func withPriority(_ text: String) -> String {
    let (line, note) = split(text)
    let bytes = line.utf8
    let spaces = bytes.reversed().prefix { $0 == UInt8(ascii: " ") }.count
    let words = bytes.dropLast(spaces)
    guard words.count > 6, words.suffix(6).starts(with: " pri:".utf8), let letter = words.last,
      (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(letter)
    else { return text }
    // A space behind it says that it is a word like any other: see `TodoTxtWriter`.
    if spaces > 0 { return String(Substring(bytes.dropLast())) + note }
    let rest = Substring(words.dropLast(6))
    guard rest.utf8.contains(where: { $0 > 0x20 }) else { return text }
    return "(\(Character(UnicodeScalar(letter)))) " + rest + note
  }

  /// A last word `uid:HANDLE` of the first line may be ours.
  private static func withHandle(_ item: PortableItem) -> PortableItem {
    let (line, note) = split(item.text)
    guard let space = line.utf8.lastIndex(of: UInt8(ascii: " ")), line.utf8[space...].starts(with: " uid:".utf8)
    else { return item }
    let name = Substring(line.utf8[space...].dropFirst(5))
    let rest = Substring(line.utf8[..<space])
    guard name.utf8.count >= 4, rest.utf8.contains(where: { $0 > 0x20 }) else { return item }
    var found = item
    found.text = String(rest) + note
    found.handle = PortableItem.Handle(name: String(name), text: item.text)
    return found
  }

  /// The first line, and what follows from the line break on.
  static func split(_ text: String) -> (line: Substring, note: Substring) {
    let end = text.unicodeScalars.firstIndex(of: lineBreak) ?? text.endIndex
    return (text[..<end], text[end...])
  }
}

extension Substring {
  /// By bytes, since a mark that combines with a sign of the format is text.
  func dropping(_ count: Int) -> Substring { Substring(utf8.dropFirst(count)) }

  /// It begins with `(A) `.
  var hasPriority: Bool {
    let bytes = Array(utf8.prefix(4))
    return bytes.count == 4 && bytes[0] == UInt8(ascii: "(") && bytes[2] == UInt8(ascii: ")")
      && bytes[3] == UInt8(ascii: " ") && (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(bytes[1])
  }
}
