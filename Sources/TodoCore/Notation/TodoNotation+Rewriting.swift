/// Texts with another priority or another date. What else stands in them stays as it is, to the letter.
extension TodoNotation {
  /// The lowest priority the keys give; a person may write any letter down to `Z`.
  private static let lowest: Character = "C"

  /// The text with this priority, or without one. A character that is none from `A` to `Z` changes nothing.
  package static func settingPriority(_ priority: Character?, in text: String) -> String {
    let rest = PriorityLetter(text) == nil ? text[...] : Substring(text.unicodeScalars.dropFirst(4))
    guard let priority else { return String(rest) }
    guard ("A"..."Z").contains(priority), priority.isASCII else { return text }
    return PriorityLetter.opening + String(priority) + PriorityLetter.closing + rest
  }

  /// One letter higher. An item without a priority gets the lowest of the three that are in common use, C; A stays.
  package static func raisingPriority(in text: String) -> String {
    guard let priority = PriorityLetter(text)?.character else { return settingPriority(lowest, in: text) }
    return settingPriority(priority == "A" ? "A" : priority.neighbour(-1), in: text)
  }

  /// One letter lower. From C on, and below it, the priority goes.
  package static func loweringPriority(in text: String) -> String {
    guard let priority = PriorityLetter(text)?.character else { return text }
    return settingPriority(priority < lowest ? priority.neighbour(1) : nil, in: text)
  }

  /// The text with this date in place of the one that counts, at its end where there is none, or without any.
  package static func settingDue(_ day: CalendarDay?, in text: String) -> String {
    guard let word = DueWord(text) else {
      return day.map { text + (text.isEmpty ? "" : " ") + DueWord.mark + $0.text } ?? text
    }
    if let day {
      return String(text[..<word.range.lowerBound]) + DueWord.mark + day.text + text[word.range.upperBound...]
    }
    let rest = removing(word.range, from: text)
    // The next of several would count from now on.
    return TodoNotation(rest).due == nil ? rest : settingDue(nil, in: rest)
  }

  /// Takes one of the spaces beside the word along.
  static func removing(_ range: Range<String.Index>, from text: String) -> String {
    let (before, after) = (text.unicodeScalars[..<range.lowerBound], text.unicodeScalars[range.upperBound...])
    if before.last == " " { return String(before.dropLast()) + String(after) }
    return String(before) + String(after.first == " " ? after.dropFirst() : after)
  }
}

extension Character {
  fileprivate func neighbour(_ step: Int) -> Character {
    guard let code = asciiValue else { return self }
    return Character(UnicodeScalar(UInt8(Int(code) + step)))
  }
}
