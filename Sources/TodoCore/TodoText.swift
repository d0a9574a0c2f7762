/// The text of an item: one line without white space around it.
enum TodoText {
  /// Line breaks and other controls become spaces, since an item is one line in every client.
  /// A `due:` word becomes a date. Throws `TodoError.emptyText` when nothing is left.
  static func checked(_ text: String, today: CalendarDay) throws -> String {
    var line = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      line.append(isControl(scalar) ? " " : scalar)
    }
    let trimmed = DueWords.resolved(String(line).trimmingSpaces, today: today).trimmingSpaces
    guard !trimmed.isEmpty else { throw TodoError.emptyText }
    return trimmed
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}

extension String {
  var trimmingSpaces: String {
    var text = Substring(self)
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
