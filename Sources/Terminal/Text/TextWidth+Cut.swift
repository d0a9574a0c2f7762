extension TextWidth {
  /// The text if it fits, else as much of its beginning as leaves room for the ellipsis.
  package static func cut(_ text: String, to columns: Int, ellipsis: String) -> String {
    if self.columns(of: text) <= columns { return text }
    let room = columns - self.columns(of: ellipsis)
    guard room >= 0 else { return prefix(text, columns: columns) }
    return prefix(text, columns: room) + ellipsis
  }

  /// As many whole characters from the beginning as fit.
  package static func prefix(_ text: String, columns: Int) -> String {
    var used = 0
    var result = ""
    for character in text {
      used += self.columns(of: character)
      if used > columns { break }
      result.append(character)
    }
    return result
  }

  /// What shows through a window `columns` wide whose left edge is at `start`. Half a wide character
  /// at the left edge shows as a space, so that all that follows stays in its column.
  package static func slice(_ text: String, from start: Int, columns: Int) -> String {
    var position = 0
    var rest = Substring(text)
    while position < start, let character = rest.popFirst() { position += self.columns(of: character) }
    let filler = String(repeating: " ", count: max(0, position - start))
    return prefix(filler + rest, columns: columns)
  }
}
