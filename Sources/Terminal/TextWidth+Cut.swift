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

  /// The text in lines no wider than `columns`, broken between words where there are spaces to break at.
  package static func wrap(_ text: String, columns: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      let joined = line.isEmpty ? String(word) : line + " " + word
      if self.columns(of: joined) <= columns {
        line = joined
        continue
      }
      if !line.isEmpty { lines.append(line) }
      line = String(word)
      while self.columns(of: line) > columns {
        let head = prefix(line, columns: columns)
        guard !head.isEmpty else { break }
        lines.append(head)
        line.removeFirst(head.count)
      }
    }
    return line.isEmpty ? lines : lines + [line]
  }
}
