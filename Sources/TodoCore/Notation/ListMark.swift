/// The mark of a line that was copied from a list: `- `, `* [ ] `, `2. `, `☐ `.
package enum ListMark {
  /// The texts behind the marks if each of the lines has one; else the lines as they are. A number is a mark before a
  /// box, and if there are several lines and the numbers count them: `24. Dec gifts` alone has a date. A box that is
  /// ticked is left out too: only an import knows done items.
  package static func removed(from lines: [String]) -> [String] {
    let found = entries(of: lines).compactMap(\.self)
    return found.count == lines.count ? found.map(\.text) : lines
  }

  /// For each of these lines whether it has a mark with a ticked box, which `removed` may leave out.
  package static func ticks(in lines: [String]) -> [Bool] {
    entries(of: lines).map { $0?.isTicked == true }
  }

  private struct Entry {
    /// The line without its mark.
    let text: String
    let isTicked: Bool
  }

  private static func entries(of lines: [String]) -> [Entry?] {
    lines.enumerated().map { entry($1, number: lines.count > 1 ? $0 + 1 : nil) }
  }

  /// Nil if the line has no mark, or no text behind it.
  private static func entry(_ line: String, number: Int?) -> Entry? {
    let line = line.drop(while: \.isWhitespace)
    guard let text = text(behindMarkOf: line, number) else { return nil }
    guard let box = CheckBox(text) else {
      return text.isEmpty ? nil : Entry(text: String(text), isTicked: false)
    }
    let words = box.rest.drop(while: \.isWhitespace)
    // A box without a text is the text.
    guard box.rest.first?.isWhitespace == true, !words.isEmpty else {
      return Entry(text: String(text), isTicked: false)
    }
    return Entry(text: String(words), isTicked: box.isTicked)
  }

  /// The text from its box on, if it has one. A sign that is a box needs no mark before it.
  private static func text(behindMarkOf line: Substring, _ number: Int?) -> Substring? {
    if let box = CheckBox(line), box.isSign, box.rest.first?.isWhitespace ?? true { return line }
    guard let behind = rest(behindBulletOf: line, number), behind.first?.isWhitespace == true else { return nil }
    return behind.drop(while: \.isWhitespace)
  }

  private static func rest(behindBulletOf line: Substring, _ number: Int?) -> Substring? {
    guard let first = line.first else { return nil }
    if "-*+•".contains(first) { return line.dropFirst() }
    let digits = line.prefix { ("0"..."9").contains($0) }
    guard (1...9).contains(digits.count), let sign = line[digits.endIndex...].first, ".)".contains(sign) else {
      return nil
    }
    let rest = line[digits.endIndex...].dropFirst()
    // Before a box stands no date.
    let isBeforeBox = CheckBox(rest.drop(while: \.isWhitespace)) != nil
    return isBeforeBox || number.map { String($0) } == String(digits) ? rest : nil
  }
}
