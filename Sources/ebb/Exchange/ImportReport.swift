import Exchange
import FoundationEssentials
import TableProtocol
import TodoCore
import Words

/// The result of an import or of a dry run, in words.
struct ImportReport {
  private let result: ImportResult
  private let plan: ImportPlan
  private let words = ErrorMessages.catalogue

  /// In characters; more of a value is not repeated.
  private static let longestValue = 60
  /// Items, and places, that are named at most.
  private static let mostNamed = 20

  init(_ result: ImportResult, _ plan: ImportPlan) {
    self.result = result
    self.plan = plan
  }

  /// How many items are new.
  var count: Int { plan.count }

  /// There is no item in it that could be added or be here.
  var hasNothing: Bool {
    plan.verdicts.allSatisfy { verdict in
      switch verdict {
      case .noText, .nullCharacter: true
      case .add, .isHere, .differs: false
      }
    }
  }

  /// The items that would be added: the first of them, or all.
  func preview(isWhole: Bool = false) -> [String] {
    let lines = plan.added.prefix(isWhole ? plan.count : Self.mostNamed).map { item in
      ItemLines.line(TodoItem(id: "", text: item.text, complete: item.complete), handle: "+", hasServer: false)
    }
    return lines + (isWhole ? [] : more(plan.count))
  }

  /// The items that were added, the first of them, with their handles.
  func lines(of ids: [RecordID], in list: TodoList, hasServer: Bool) throws -> [String] {
    let items = try ids.prefix(Self.mostNamed).compactMap { try list.item($0) }
    let lines = try items.map { item in
      ItemLines.line(item, handle: try list.handle(of: item.id), hasServer: hasServer)
    }
    return lines + more(ids.count)
  }

  /// `{added, here, differs, leftOut, items: [{handle, id, text, complete}], others: [{line, file, reason, id}]}` with
  /// all new items, and with those that differ or are left out. A dry run has no handles and ids of new items.
  func json(_ ids: [RecordID]?, _ handles: Handles?) -> [UInt8] {
    // Items with an id that can't be one were passed over.
    let items = plan.added.filter { $0.id?.isValid != false }
    var writer = JSONWriter(isForTerminal: true)
    writer.raw("{")
    writer.members([
      "added": FieldValue(items.count), "here": FieldValue(count(.isHere)), "differs": FieldValue(count(.differs)),
      "leftOut": FieldValue(result.leftOut.count + count(.noText) + count(.nullCharacter)),
    ])
    writer.member("items")
    writer.raw("[")
    for (index, item) in items.enumerated() {
      let id = ids.flatMap { index < $0.count ? $0[index] : nil }
      if index > 0 { writer.raw(",\n ") }
      writer.raw("{")
      writer.members([
        "handle": FieldValue(id.flatMap { handles?.handle(of: $0) }), "id": FieldValue(id?.text),
        "text": .text(item.text), "complete": .bool(item.complete),
      ])
      writer.raw("}")
    }
    writer.raw("]")
    writeOthers(&writer)
    writer.raw("}\n")
    return writer.bytes
  }

  private func writeOthers(_ writer: inout JSONWriter) {
    writer.member("others")
    writer.raw("[")
    let others =
      differing.map { (line: $0.line, file: $0.file, reason: "differs", id: $0.id.text as String?) }
      + (result.leftOut + unusable).map { (line: $0.line, file: $0.file, reason: $0.reason.name, id: nil) }
    for (index, other) in others.enumerated() {
      writer.raw(index > 0 ? ",\n {" : "{")
      writer.members([
        "line": FieldValue(other.line), "file": FieldValue(other.file), "reason": .text(other.reason),
        "id": FieldValue(other.id),
      ])
      writer.raw("}")
    }
    writer.raw("]")
  }

  /// The items that are here with another text or state.
  private var differing: [(line: Int, file: String?, id: RecordID)] {
    zip(result.items, zip(plan.items, plan.verdicts)).compactMap { item, planned in
      guard planned.1 == .differs, let id = planned.0.id ?? planned.0.otherID else { return nil }
      return (item.line, item.file, id)
    }
  }

  private func count(_ verdict: ImportPlan.Verdict) -> Int { plan.verdicts.count { $0 == verdict } }

  private func more(_ count: Int) -> [String] {
    count > Self.mostNamed ? [words.text(.pasteMore, count: count - Self.mostNamed)] : []
  }

  /// How many items came in, or would, and how many were here.
  func summary(_ key: PluralKey, _ count: Int) -> String {
    var sentences = [words.text(key, count: count)]
    for (verdict, key) in [(ImportPlan.Verdict.isHere, PluralKey.importHere), (.differs, .importDiffers)] {
      let count = self.count(verdict)
      if count > 0 { sentences.append(words.text(key, count: count)) }
    }
    return sentences.joined(separator: words.text(.sentenceSeparator))
  }

  /// The parts that do not come in, each kind as a sentence.
  var remarks: [String] {
    var remarks = leftOut + differences
    if !droppedFields.isEmpty { remarks.append(words.text(.droppedFields, ["fields": joined(droppedFields)])) }
    if !result.repeatedColumns.isEmpty {
      let fields = Self.sorted(result.repeatedColumns).map { field($0.key, $0.value) }
      remarks.append(words.text(.repeatedColumns, ["fields": joined(fields)]))
    }
    remarks += strangeValues
    let dates = datesInWords
    if !dates.isEmpty { remarks.append(words.text(.datesInWords, ["values": bounded(dates.map(strangeValue))])) }
    if !result.halfCharacters.isEmpty {
      remarks.append(words.text(.halfCharacters, ["places": place(result.halfCharacters)]))
    }
    if result.timesOfDay > 0 { remarks.append(words.text(.importTimes, count: result.timesOfDay)) }
    if !spaced.isEmpty { remarks.append(words.text(.controlCharacters, ["places": places(spaced)])) }
    if !rewritten.isEmpty { remarks.append(words.text(.rewritten, ["places": place(rewritten)])) }
    return remarks.map(\.printable)
  }
}

/// The parts that are left out, with their places.
extension ImportReport {
  /// By their names, then the columns without one by their numbers.
  private var droppedFields: [String] {
    let names = Self.sorted(result.dropped).map { field($0.key, $0.value) }
    let columns = Self.sorted(result.unnamedColumns).map { number, count in
      field(words.text(.tableColumn, ["number": String(number)]), count)
    }
    return names + columns
  }

  /// With the number of items that have it.
  private func field(_ name: String, _ count: Int) -> String { "\(name) (\(words.number(count)))" }

  private static func sorted<Name: Comparable>(_ counts: [Name: Int]) -> [(key: Name, value: Int)] {
    counts.sorted { $0.key < $1.key }
  }

  /// The values that mean nothing, and the dates that could mean two days.
  private var strangeValues: [String] {
    let unclear = result.notUnderstood.filter { !$0.couldBe.isEmpty }
    let unknown = result.notUnderstood.filter(\.couldBe.isEmpty)
    return (unknown.isEmpty ? [] : [words.text(.notUnderstood, ["values": bounded(unknown.map(strangeValue))])])
      + (unclear.isEmpty ? [] : [words.text(.ambiguousDates, ["values": bounded(unclear.map(ambiguousDate))])])
  }

  /// The dates in words of open items that are new. In a file nobody knows from which day they count.
  private var datesInWords: [StrangeValue] {
    if result.isExact { return [] }
    let today = CalendarDay(Date())
    return zip(result.items, zip(plan.items, plan.verdicts)).compactMap { item, planned in
      guard planned.1 == .add, !planned.0.complete, let words = Self.dateInWords(planned.0.text, today) else {
        return nil
      }
      return StrangeValue("due", words, line: item.line, file: item.file)
    }
  }

  /// The words behind the key of a date, if they mean a day when they are typed, and none in a text.
  private static func dateInWords(_ text: String, _ today: CalendarDay) -> String? {
    // Most texts have no colon, and none of East Asian keyboards.
    guard text.utf8.contains(where: { $0 == UInt8(ascii: ":") || $0 == 0xEF }),
      let typed = TypedDue(text, today: today), case .day? = typed.meaning, TodoNotation(text).due == nil
    else { return nil }
    return typed.words
  }

  /// The lines of new items that an export writes in another form.
  private var rewritten: [Int] {
    zip(result.items, plan.verdicts).compactMap { item, verdict in
      verdict == .add && result.rewritten.contains(item.line) ? item.line : nil
    }
  }

  /// The new items in whose texts control characters became spaces.
  private var spaced: [Place] {
    zip(result.items, zip(plan.items, plan.verdicts)).compactMap { item, planned in
      let (text, kept) = (item.item.text, planned.0.text)
      let isSpaced = planned.1 == .add && text != kept && text.controlCharacters > kept.controlCharacters
      return isSpaced ? (line: item.line, file: item.file) : nil
    }
  }

  private func strangeValue(_ value: StrangeValue) -> String {
    let shown = String(value.value.printable.prefix(Self.longestValue))
    return words.text(
      .strangeValue, ["field": value.field, "value": shown, "place": value.file ?? place([value.line])])
  }

  private func ambiguousDate(_ value: StrangeValue) -> String {
    let today = CalendarDay(Date())
    let days = value.couldBe.map { words.weekdayAndDay($0, today: today) }
    return words.text(
      .ambiguousDate, ["date": strangeValue(value), "first": days.first ?? "", "second": days.last ?? ""])
  }

  private var unusable: [LeftOut] {
    zip(result.items, plan.verdicts).compactMap { item, verdict in
      switch verdict {
      case .noText: LeftOut(line: item.line, reason: .noText, file: item.file)
      case .nullCharacter: LeftOut(line: item.line, reason: .nullCharacter, file: item.file)
      case .add, .isHere, .differs: nil
      }
    }
  }

  /// The places of items that differ, with the beginnings of their ids, which name them.
  private var differences: [String] {
    if differing.isEmpty { return [] }
    let places = differing.map { item in
      let place = item.file ?? self.place([item.line])
      return "\(place) (\(item.id.text.prefix(8)))"
    }
    return [words.text(.leftOut, ["reason": words.text(.reasonDiffers), "places": bounded(places)])]
  }

  private var leftOut: [String] {
    var reasons: [LeftOut.Reason] = []
    var groups: [LeftOut.Reason: [LeftOut]] = [:]
    for part in result.leftOut + unusable {
      if groups[part.reason] == nil { reasons.append(part.reason) }
      groups[part.reason, default: []].append(part)
    }
    return reasons.map { reason in
      let parts = (groups[reason] ?? []).map { (line: $0.line, file: $0.file) }
      return words.text(.leftOut, ["reason": self.words(for: reason), "places": places(parts)])
    }
  }

  private func words(for reason: LeftOut.Reason) -> String {
    switch reason {
    case .noText: words.text(.reasonNoText)
    case .nullCharacter: words.text(.reasonNullCharacter)
    case .deleted: words.text(.reasonDeleted)
    case .repeating: words.text(.reasonRepeating)
    case .component(let name): words.text(.reasonComponent, ["name": name])
    case .notInCheckList: words.text(.reasonNotInCheckList)
    case .malformed: words.text(.reasonMalformed)
    case .outside: words.text(.reasonOutside)
    }
  }

  private typealias Place = (line: Int, file: String?)

  private func places(_ parts: [Place]) -> String {
    guard parts.contains(where: { $0.file != nil }) else { return place(Set(parts.map(\.line)).sorted()) }
    var files: [String] = []
    var counts: [String: Int] = [:]
    for file in parts.map({ $0.file ?? "" }) {
      if counts[file] == nil { files.append(file) }
      counts[file, default: 0] += 1
    }
    return bounded(files.map { counts[$0] == 1 ? $0 : field($0, counts[$0] ?? 0) })
  }

  private func place(_ lines: [Int]) -> String {
    let key: PluralKey = result.countsItems ? .importItems : .importLines
    return words.text(key, count: lines.count, ["lines": bounded(Self.ranges(lines))])
  }

  private func bounded(_ places: [String]) -> String {
    let rest = places.count - Self.mostNamed
    return joined(places.prefix(Self.mostNamed) + (rest > 0 ? [words.text(.pasteMore, count: rest)] : []))
  }

  private func joined(_ parts: some Sequence<String>) -> String {
    parts.joined(separator: words.text(.listSeparator))
  }

  /// `3`, or `3–5` for lines that follow one another.
  static func ranges(_ lines: [Int]) -> [String] {
    var ranges: [ClosedRange<Int>] = []
    for line in lines {
      if let last = ranges.last, line <= last.upperBound + 1 {
        ranges[ranges.count - 1] = last.lowerBound...max(line, last.upperBound)
      } else {
        ranges.append(line...line)
      }
    }
    return ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)–\($0.upperBound)" }
  }
}

extension LeftOut.Reason {
  /// For JSON.
  fileprivate var name: String {
    switch self {
    case .noText: "noText"
    case .nullCharacter: "nullCharacter"
    case .deleted: "deleted"
    case .repeating: "repeating"
    case .component: "component"
    case .notInCheckList: "notInCheckList"
    case .malformed: "malformed"
    case .outside: "outside"
    }
  }
}

extension String {
  /// How many control characters it has, other than line breaks.
  fileprivate var controlCharacters: Int {
    unicodeScalars.count { scalar in
      switch scalar.properties.generalCategory {
      case .control: !["\n", "\r", "\u{85}"].contains(scalar)
      case .lineSeparator, .paragraphSeparator: true
      case _: false
      }
    }
  }
}
