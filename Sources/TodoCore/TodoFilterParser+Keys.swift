import OfflineSync
import TableProtocol

/// Words with a key: `due:fri`, `project:shop`.
extension TodoFilterParser {
  /// True for the name of a key, in any case.
  static func isKey(_ name: String) -> Bool { Key(name.lowercased()) != nil }

  private enum Key {
    case due, overdue, created, done, note, priority, project, context

    init?(_ name: String) {
      switch name {
      case _ where DueKey.dueNames.contains(name): self = .due
      case _ where DueKey.overdueNames.contains(name): self = .overdue
      case "created", "creada", "creado", "作成", "建立": self = .created
      case "done", "hecha", "hecho", "完了", "完成": self = .done
      case "note", "nota", "メモ", "備註", "备注": self = .note
      case "pri", "priority", "prioridad", "優先度", "優先順序": self = .priority
      case "project", "proj", "proyecto", "プロジェクト", "專案": self = .project
      case "context", "contexto", "コンテキスト", "情境": self = .context
      default: return nil
      }
    }
  }

  /// Where the dates behind this key look from today. Nil if no dates stand behind it.
  func direction(behind key: ArraySlice<Character>) -> DayInterval.Direction? {
    switch Key(String(key).lowercased()) {
    case .due: .ahead
    case .overdue: .backFromYesterday
    case .created, .done: .back
    case .note, .priority, .project, .context, nil: nil
    }
  }

  /// True for a project, a context or a key behind a hyphen: `-+work`, `-due:fri`. Hardly a text has that: it is meant
  /// to leave items out.
  func isLeftOutByHyphen(_ range: Range<Int>) -> Bool {
    let rest = text[range].dropFirst()
    guard text[range].first == "-", let sign = rest.first else { return false }
    if sign == "+" || sign == "@" { return rest.count > 1 }
    return rest.firstIndex(where: \.isColon).map { Key(String(rest[..<$0]).lowercased()) != nil } ?? false
  }

  /// Nil for a word without a key.
  mutating func keyed(_ range: Range<Int>) throws(FilterProblem) -> RowCondition? {
    let characters = text[range]
    guard let colon = characters.firstIndex(where: \.isColon),
      let key = Key(String(characters[..<colon]).lowercased())
    else { return nil }
    let written = Self.unquoted(characters[(colon + 1)...])
    let value = written.lowercased()
    switch key {
    case .priority: return try priority(DueWords.narrow(value), range)
    case .project, .context:
      let sign = key == .project ? "+" : "@"
      let narrow = WideSigns.narrowed(beginning: value)
      let name = narrow.hasPrefix(sign) ? String(narrow.dropFirst()) : narrow
      return Self.text(String((sign + name).prefix(Self.longestWord)), .wordBeginning)
    case .note:
      return value.isEmpty
        ? Self.text("\n", .contained) : Self.text(written.prefix(Self.longestWord), .belowFirstLine)
    case .due, .overdue:
      if value.isEmpty { return key == .due ? .has(.due) : .compare(.due, .less, today.text) }
      if DayInterval.overdueWords.contains(value) { return .compare(.due, .less, today.text) }
      if case .never? = DueWords.meaning(of: value, today: today) { return .not(.has(.due)) }
      // A date without a year of an overdue item is the last one.
      let direction: DayInterval.Direction = key == .overdue ? .backFromYesterday : .ahead
      let days = try interval(value, range, direction).condition { .compare(.due, $0, $1.text) }
      return key == .due ? days : .all([days, .compare(.due, .less, today.text)])
    case .created:
      let created = RowValue.column(SystemColumn.createdAt)
      if value.isEmpty { return .not(.compare(created, .less, "")) }
      return try condition(onDaysOf: created, value, range)
    case .done:
      namesDone = true
      let isDone = RowCondition.matches(.compare(TodoColumn.complete, .equal, .bool(true)))
      if value.isEmpty { return isDone }
      if case .never? = DueWords.meaning(of: value, today: today) { return .all([isDone, .not(.has(.completion))]) }
      return .all([isDone, try condition(onDaysOf: .completion, value, range)])
    }
  }

  /// `a`, `a..c`, `..b`, `c..`. Nothing is any priority.
  private func priority(_ value: String, _ range: Range<Int>) throws(FilterProblem) -> RowCondition {
    if value.isEmpty { return .has(.priority) }
    if case .never? = DueWords.meaning(of: value, today: today) { return .not(.has(.priority)) }
    guard let dots = value.firstRange(of: "..") else {
      return .compare(.priority, .equal, try letter(value[...], range))
    }
    let (from, to) = (value[..<dots.lowerBound], value[dots.upperBound...])
    if from.isEmpty && to.isEmpty { throw problem(.noPriority, range) }
    let first = from.isEmpty ? "A" : try letter(from, range)
    let last = to.isEmpty ? "Z" : try letter(to, range)
    if last < first { throw problem(.backwards, range) }
    return .all([
      .has(.priority), .not(.compare(.priority, .less, first)), .not(.compare(.priority, .greater, last)),
    ])
  }

  private func letter(_ word: Substring, _ range: Range<Int>) throws(FilterProblem) -> String {
    guard word.count == 1, let letter = word.first, letter.isASCII, letter.isLetter else {
      throw problem(.noPriority, range)
    }
    return word.uppercased()
  }

  /// The end of the word from `start` on whose value is in quotes: `note:"with oats"`. Nil for any other word. Without a
  /// closing quote it goes to the end of the filter.
  func endOfQuotedValue(from start: Int) -> Int? {
    let name = text[start...].prefix { !$0.isColon && !$0.isWhitespace }
    let value = name.endIndex + 1
    guard value < text.count, !text[name.endIndex].isWhitespace, text[value] == "\"",
      Key(String(name).lowercased()) != nil
    else { return nil }
    return text[(value + 1)...].firstIndex(of: "\"").map { $0 + 1 } ?? text.count
  }

  /// A value without its quotes. A `'` before it changes nothing: behind a key, letters stand as they are anyway.
  private static func unquoted(_ value: ArraySlice<Character>) -> String {
    guard let sign = value.first, sign == "\"" || sign == "'" else { return String(value) }
    let rest = value.dropFirst()
    return String(sign == "\"" && rest.last == "\"" ? rest.dropLast() : rest)
  }

  /// The moment lies on one of the days, in the time zone of the process.
  private mutating func condition(
    onDaysOf moment: RowValue, _ value: String, _ range: Range<Int>
  ) throws(FilterProblem) -> RowCondition {
    let days = try interval(value, range, .back)
    let from = days.first.map { day in
      RowCondition.compare(moment, .greater, day.start.advanced(byMilliseconds: -1).text)
    }
    let until = days.last.map { RowCondition.compare(moment, .less, $0.adding(days: 1).start.text) }
    return .all([from, until].compactMap(\.self))
  }

  private mutating func interval(
    _ value: String, _ range: Range<Int>, _ direction: DayInterval.Direction
  ) throws(FilterProblem) -> DayInterval {
    do throws(DayInterval.Flaw) {
      let days = try DayInterval(value, today: today, direction)
      dates.append(FilterDate(place: range, first: days.first, last: days.last))
      return days
    } catch {
      switch error {
      case .backwards: throw problem(.backwards, range)
      case .noDate(let mayBecomeOne):
        throw problem(.noDate, range, isUnfinished: range.upperBound == text.count && mayBecomeOne)
      }
    }
  }
}
