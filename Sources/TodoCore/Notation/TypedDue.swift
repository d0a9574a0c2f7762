/// The date of an item as it was typed: the first word that begins with a key for it, in any language of the interface,
/// and as many of the words behind it as make a date: `due:fri`, `vence:vie`, `due:dec 24`.
///
/// Words behind `overdue:` stay text unless they are a day before today. A date that follows them is then that of the
/// item.
package struct TypedDue: Sendable, Hashable {
  /// From the key to the end of the date, or of the words that are written as one.
  package let range: Range<String.Index>
  /// The text after the key, as typed.
  package let words: String
  /// Nil if the words mean no date.
  package let meaning: DueWords.Meaning?
  /// The mark of a sentence behind the date, which is part of the range.
  let mark: Character?
  /// The first words that are written as the date and are none, with their key: these, or such behind an `overdue:`
  /// before them. Nil if there are none.
  package let noDate: Range<String.Index>?

  /// Returns nil if no word of the first line begins so.
  package init?(_ text: String, today: CalendarDay) {
    let line = text.unicodeScalars[..<TodoNotation.endOfFirstLine(text)]
    let words = line.split { WideSigns.isSpace($0) }.map { Substring($0) }
    var first: Candidate?
    for (place, word) in words.enumerated() {
      guard let (key, value) = DueKey.split(word) else { continue }
      let found = Self.found(behind: key, value, words.dropFirst(place + 1), in: Substring(line), today)
      // A list shows `overdue:3 days ago` of an item. What looks like no date behind that key is text.
      if key == .overdue, found == nil { continue }
      let candidate = Candidate(value: value, range: word.startIndex..<(found?.end ?? word.endIndex), found: found)
      if candidate.isDate {
        self.init(candidate, noDate: first?.range, in: text)
        return
      }
      first = first ?? candidate
      // Every program takes the first `due:` for the date, so a later one does not count.
      if key == .due { break }
    }
    guard let first else { return nil }
    self.init(first, noDate: first.range, in: text)
  }

  private init(_ candidate: Candidate, noDate: Range<String.Index>?, in text: String) {
    range = candidate.range
    words = String(text[candidate.value.startIndex..<candidate.range.upperBound])
    meaning = candidate.found?.meaning
    mark = candidate.found?.mark
    self.noDate = noDate
  }

  /// A word with a key and the words behind it that are read with it.
  private struct Candidate {
    let value: Substring
    let range: Range<String.Index>
    let found: Found?

    var isDate: Bool { found?.meaning != nil }
  }

  /// A date as it was read behind a key.
  private struct Found {
    let meaning: DueWords.Meaning?
    let mark: Character?
    let end: String.Index
  }

  private static func found(
    behind key: DueKey, _ value: Substring, _ more: ArraySlice<Substring>, in line: Substring, _ today: CalendarDay
  ) -> Found? {
    func read(_ key: DueKey) -> Found? {
      quoted(value, behind: key, in: line, today) ?? unquoted(value, more, behind: key, today)
    }
    let found = read(key)
    guard key == .overdue, let due = read(.due), due.meaning != nil else { return found }
    // A day to come can't be overdue, though `fri` alone of `fri next week` has a last one.
    if let found, found.meaning != nil, found.end >= due.end { return found }
    return Found(meaning: nil, mark: nil, end: due.end)
  }

  /// `due:"20 days ago"`, as a filter can have it. Nil for no date in the quotes, or a letter right behind them.
  private static func quoted(
    _ value: Substring, behind key: DueKey, in line: Substring, _ today: CalendarDay
  ) -> Found? {
    guard value.first == "\"" else { return nil }
    let rest = line[line.index(after: value.startIndex)...]
    guard let quote = rest.firstIndex(of: "\""), let meaning = key.meaning(of: rest[..<quote], today: today) else {
      return nil
    }
    let end = line.index(after: quote)
    guard end == line.endIndex || line[end].isWhitespace else { return nil }
    return Found(meaning: meaning, mark: nil, end: end)
  }

  private static func unquoted(
    _ value: Substring, _ more: ArraySlice<Substring>, behind key: DueKey, _ today: CalendarDay
  ) -> Found? {
    guard !value.isEmpty else { return nil }
    let words = [value] + more
    var mark: Character?
    let found = DueWords.longest(in: words, today: today) { text in
      if let meaning = key.meaning(of: text, today: today) { return meaning }
      // Behind `due:2026-12-24` the mark of a sentence would make that none.
      guard let last = text.last, ",;.!?".contains(last) else { return nil }
      mark = last
      return key.meaning(of: text.dropLast(), today: today)
    }
    guard let found else { return nil }
    let last = words[found.count - 1]
    let isMarked = found.meaning != nil && last.last == mark
    return Found(meaning: found.meaning, mark: isMarked ? mark : nil, end: last.endIndex)
  }
}

/// The beginning of a word that says when an item is due. The text of an item has only `due:`, which every program of
/// the todo.txt family knows; the others are what the lists of the four languages show.
enum DueKey: Sendable, Hashable {
  case due, overdue

  static let dueNames = ["due", "vence", "期限", "到期", "到期日"]
  static let overdueNames = ["overdue", "vencida", "期限切れ", "逾期"]

  /// The key and what follows its colon, which may be the wide one of East Asian keyboards.
  static func split(_ word: Substring) -> (key: DueKey, value: Substring)? {
    guard let colon = word.firstIndex(where: \.isColon) else { return nil }
    let (name, value) = (word[..<colon].lowercased(), word[word.index(after: colon)...])
    if dueNames.contains(name) { return (.due, value) }
    return overdueNames.contains(name) ? (.overdue, value) : nil
  }

  /// The meaning of words behind the key in an item. What is overdue was due before today: there `20 oct` is the last
  /// such day, as in a filter.
  func meaning(of words: some StringProtocol, today: CalendarDay) -> DueWords.Meaning? {
    switch self {
    case .due: return DueWords.meaning(of: words, today: today)
    case .overdue:
      let meaning = DueWords.overdueMeaning(of: words, today: today)
      if case .day(let day)? = meaning, day >= today { return nil }
      return meaning
    }
  }
}

extension Character {
  /// The sign between a key and its value; one of them is that of East Asian keyboards.
  var isColon: Bool { self == ":" || self == "：" }
}

extension DueWords {
  /// The text with its date as `due:2026-12-24`, so that every program reads the same day from it. `due:none` goes; a
  /// word that says nothing known stays as it is. Wide spaces and signs become those of tags.
  package static func resolved(_ text: String, today: CalendarDay) -> String {
    let text = WideSigns.narrowed(text)
    guard let typed = TypedDue(text, today: today) else { return text }
    var after = text[typed.range.upperBound...]
    // The last word of a date can have a wide space behind it still, as `fri` in `due:next fri`.
    if after.unicodeScalars.first == WideSigns.space {
      after = Substring(" " + String(after.unicodeScalars.dropFirst()))
    }
    let before = typed.marked(text[..<typed.range.lowerBound], goesOn: after.first == " ")
    switch typed.meaning {
    case .day(let day): return before + DueWord.mark + day.text + after
    case .never: return TodoNotation.joined(before, after)
    case nil: return text
    }
  }
}

extension TypedDue {
  /// The part before the date. If the sentence goes on behind it, the mark between both parts goes to the end of the
  /// first: `call due:fri, then write` becomes `call, due:2026-11-27 then write`.
  fileprivate func marked(_ before: Substring, goesOn: Bool) -> String {
    guard goesOn, let mark, let last = before.lastIndex(where: { $0 != " " }), !before[last].isPunctuation else {
      return String(before)
    }
    return before[...last] + String(mark) + before[before.index(after: last)...]
  }
}
