import OfflineSync
package import TableProtocol

/// Items to other programs.
extension TodoList {
  /// All items the query finds, in order, in runs of at most `size`, as the store is at one moment. An error of `body`
  /// ends it.
  package func forEachPortable(of query: TodoQuery, size: Int, _ body: ([PortableItem]) throws -> Void) throws {
    try forEachRun(of: query, size: size) { records, store in
      if !records.isEmpty { try body(Self.portable(records, store)) }
    }
  }

  private static func portable(_ records: [Record], _ store: any StoreReader) throws -> [PortableItem] {
    let moments = try completions(of: records.filter { TodoCopy($0).complete }.map(\.id), store)
    return records.map { record in
      var item = PortableItem(record)
      item.completed = moments[record.id].map(PortableTime.moment)
      return item
    }
  }
}

extension PortableItem {
  fileprivate init(_ record: Record) {
    let copy = TodoCopy(record)
    self.init(
      copy.text, complete: copy.complete, id: record.id, created: record.system.createdAt.map(PortableTime.moment))
  }
}

/// The verdict of an import on each item.
package struct ImportPlan: Sendable {
  package enum Verdict: Sendable, Hashable {
    case add
    /// The same item is here.
    case isHere
    /// An item with this id is here, with another text or state, which stays.
    case differs
    /// It has no word, or a character that no store keeps (U+0000).
    case noText, nullCharacter
  }

  package let items: [PortableItem]
  /// One for each item.
  package let verdicts: [Verdict]
  /// The day of the import.
  fileprivate let today: CalendarDay
  /// How many places of today earlier imports have taken.
  fileprivate let taken: Int64

  /// The plan for a list that is not there yet.
  package init(forNewList items: [PortableItem], exact: Bool, today: CalendarDay) {
    let items = items.contains { $0.handle != nil } ? items.map { $0.naming([]) } : items
    var known = KnownItems(items)
    self.init(items, exact: exact, &known, today: today, taken: 0)
  }

  fileprivate init(
    _ items: [PortableItem], exact: Bool, _ known: inout KnownItems, today: CalendarDay, taken: Int64
  ) {
    // One copy, changed in place: a file may have a hundred thousand items.
    var kept = items
    verdicts = items.indices.map { index in
      let cleaned = kept[index].cleaned(exact: exact)
      guard let item = cleaned.item else { return cleaned.problem }
      kept[index] = item
      return known.verdict(on: &kept[index])
    }
    self.items = kept
    self.today = today
    self.taken = taken
  }

  fileprivate var rows: [ImportedRow] {
    var times = CreationTimes(self)
    return zip(items, verdicts).compactMap { item, verdict in
      let created = times.next(item.created, isAdded: verdict == .add)
      return verdict == .add ? ImportedRow(item, createdAt: created) : nil
    }
  }

  package var count: Int { verdicts.count { $0 == .add } }
  package var added: [PortableItem] { zip(items, verdicts).compactMap { $1 == .add ? $0 : nil } }
}

/// Items from other programs.
extension TodoList {
  /// Compares items with the list. Nothing is changed.
  ///
  /// An item with an id is here if one with that id is, or with its other id. Any other is here if one with its handle
  /// is, or else one with the same text and state. Of two alike in a file, both are here only if the list has two: so a
  /// file that is imported again adds nothing, and alike items are not lost. `exact` keeps the texts to the letter;
  /// else they are cleaned as those of other programs.
  package func plan(_ items: [PortableItem], exact: Bool) throws -> ImportPlan {
    let today = today()
    return try context.store.read { try Self.plan(items, exact: exact, today, in: $0) }
  }

  private static func plan(
    _ items: [PortableItem], exact: Bool, _ today: CalendarDay, in store: any StoreReader
  ) throws -> ImportPlan {
    let hasHandles = items.contains { $0.handle != nil }
    let here = hasHandles ? try items.map { try $0.resolvingHandle(in: store) } : items
    var known = KnownItems(here)
    try known.count(in: store)
    return ImportPlan(here, exact: exact, &known, today: today, taken: try taken(on: today, in: store))
  }

  /// The places of this day that earlier imports have taken.
  private static func taken(on day: CalendarDay, in store: any StoreReader) throws -> Int64 {
    let start = CreationDay.beginning(of: day, today: day)
    let created = RowValue.column(SystemColumn.createdAt)
    let last = RowQuery(
      table: table,
      condition: .all([
        .not(.compare(created, .less, start.text)),
        .compare(created, .less, start.advanced(byMilliseconds: CreationDay.span).text),
      ]), order: TodoOrder.created.keys, start: .last, limit: 1)
    let moment = try store.records(last).first?.system.createdAt
    return moment.map { ($0.milliseconds - start.milliseconds) / 2 + 1 } ?? 0
  }

  /// Adds the items that are not here, as one step of undo. Returns the plan and the ids of the new items. The
  /// transaction that adds them also decides which are new: another program may have added some a moment ago.
  package func add(_ items: [PortableItem], exact: Bool) throws -> (plan: ImportPlan, ids: [RecordID]) {
    let today = today()
    return try self.items.add { store in
      let plan = try Self.plan(items, exact: exact, today, in: store)
      return (plan, plan.rows)
    }
  }
}

extension PortableItem {
  /// With the id of the one item that the handle names, as one more that it may have here.
  fileprivate func resolvingHandle(in store: any StoreReader) throws -> PortableItem {
    guard let handle else { return self }
    return naming(try store.ids(beginning: handle.name, in: TodoList.table))
  }

  /// The item if its handle begins these ids. If it names no item it is a word.
  fileprivate func naming(_ ids: [RecordID]) -> PortableItem {
    guard let handle else { return self }
    var item = self
    item.handle = nil
    if ids.count == 1 { item.otherID = ids[0] } else { item.text = handle.text }
    return item
  }

  /// The item with the text as it is kept, or why it can't be.
  fileprivate func cleaned(exact: Bool) -> (item: PortableItem?, problem: ImportPlan.Verdict) {
    if text.utf8.contains(0) { return (nil, .nullCharacter) }
    guard let clean = TodoText.imported(text) else { return (nil, .noText) }
    var item = self
    if !exact { item.text = clean }
    return (item, .add)
  }

  /// The text and state that items are compared by: white space at the ends says nothing.
  fileprivate var likeness: Likeness {
    Likeness(text: (TodoText.imported(text) ?? "").trimmingWhiteSpace, complete: complete)
  }
}

private struct Likeness: Hashable {
  let text: String
  let complete: Bool
}

/// The items of a file that the list has.
private struct KnownItems {
  private var byID: [RecordID: Likeness] = [:]
  /// How many items of the list are like one of the file, and have not been found for one yet.
  private var counts: [Likeness: Int] = [:]
  private let ids: Set<RecordID>
  /// Those of `byID` that come with the file.
  private var added: Set<RecordID> = []

  init(_ items: [PortableItem]) {
    for item in items { counts[item.likeness] = 0 }
    ids = Set(items.flatMap { [$0.id, $0.otherID].compactMap(\.self) })
  }

  /// Goes over the list once.
  mutating func count(in store: any StoreReader) throws {
    let all = RowQuery(table: TodoList.table, order: [])
    try store.forEach(all, columns: [TodoColumn.complete, TodoColumn.text]) { id, values in
      let item = PortableItem(values[1].text ?? "", complete: values[0].bool ?? false)
      let likeness = item.likeness
      if ids.contains(id) { byID[id] = likeness }
      if let count = counts[likeness] { counts[likeness] = count + 1 }
    }
  }

  /// Of two different items of a file with one id, the second loses it: an id names one item.
  mutating func verdict(on item: inout PortableItem) -> ImportPlan.Verdict {
    let likeness = item.likeness
    for case let id? in [item.id, item.otherID] {
      guard let here = byID[id] else { continue }
      if here != likeness, added.contains(id) {
        (item.id, item.otherID) = (nil, nil)
        break
      }
      if here == likeness { use(likeness) }
      return here == likeness ? .isHere : .differs
    }
    guard let id = item.id else { return use(likeness) ? .isHere : .add }
    // The next one with this id is here then.
    byID[id] = likeness
    added.insert(id)
    return .add
  }

  /// True if an item of the list was left that is like it.
  @discardableResult
  private mutating func use(_ likeness: Likeness) -> Bool {
    guard let count = counts[likeness], count > 0 else { return false }
    counts[likeness] = count - 1
    return true
  }
}

/// When the items of an import count as made. Where their times are alike, their order is that of the file. An item
/// without a time comes right after the one before it in the file.
private struct CreationTimes {
  private let today: CalendarDay
  /// The known times of the file, ascending.
  private let known: [Timestamp]
  /// The day that an item without a time counts with, unless the one before it has a more exact time.
  private var day: CalendarDay
  /// The time of the item before, if that is more exact than a day.
  private var previous: Timestamp?
  private var places: [CalendarDay: Int64]
  /// The first millisecond of a second that is free.
  private var seconds: [Timestamp: Int64] = [:]
  /// How many items of a second are still to come.
  private var coming: [Timestamp: Int] = [:]

  init(_ plan: ImportPlan) {
    let today = plan.today
    self.today = today
    known = plan.items.compactMap { $0.created?.place(today: today) }.sorted()
    let first = plan.items.lazy.compactMap(\.created).first
    day = first.map { Self.leadingDay(before: $0, today: today) } ?? today
    places = [today: plan.taken]
    for case .second(let second)? in plan.items.map(\.created) { coming[second, default: 0] += 1 }
  }

  mutating func next(_ time: PortableTime?, isAdded: Bool) -> Timestamp {
    switch time {
    case .moment(let moment):
      previous = moment
      return moment
    case .second(let second):
      let moment = withinSecond(second)
      previous = moment
      return moment
    case .day(let day): (self.day, previous) = (day, nil)
    case nil: if let moment = afterPrevious() { return moment }
    }
    let index = places[day, default: 0]
    if isAdded { places[day] = index + 1 }
    return CreationDay.beginning(of: day, today: today)
      .advanced(byMilliseconds: CreationDay.place(index, isKnown: time != nil))
  }

  /// Later by as many milliseconds as the items before it need; even ones, as a known creation has.
  private mutating func withinSecond(_ second: Timestamp) -> Timestamp {
    let place = min(seconds[second, default: 0], 998)
    seconds[second] = place + 2
    coming[second, default: 0] -= 1
    return second.advanced(byMilliseconds: place)
  }

  /// The time of an item without one, after an item with an exact time. Nil if it gets a place of ``day``: that shows
  /// that its creation is not known, and most times of day can't.
  private mutating func afterPrevious() -> Timestamp? {
    guard let previous else { return nil }
    let moment = previous.advanced(byMilliseconds: previous.milliseconds % 2 == 0 ? 1 : 2)
    if CreationDay.isKnown(moment), let day = firstDay(after: previous) {
      (self.day, self.previous) = (day, nil)
      return nil
    }
    self.previous = moment
    let second = Self.second(of: moment)
    seconds[second] = max(seconds[second, default: 0], moment.milliseconds - second.milliseconds + 1)
    return moment
  }

  private static func second(of moment: Timestamp) -> Timestamp {
    moment.advanced(byMilliseconds: -moment.milliseconds.flooredDivision(by: 1_000).remainder)
  }

  /// The first day whose places lie after this time. Nil if that day has not come yet, or if another item of the file
  /// stands between.
  private func firstDay(after moment: Timestamp) -> CalendarDay? {
    var day = CalendarDay(moment.date)
    if CreationDay.beginning(of: day, today: today) <= moment { day = day.adding(days: 1) }
    guard day <= today, coming[Self.second(of: moment), default: 0] == 0 else { return nil }
    let end = CreationDay.beginning(of: day, today: today).advanced(byMilliseconds: CreationDay.span)
    return nextKnown(after: moment).map { end <= $0 } ?? true ? day : nil
  }

  /// The first known time of the file after this one.
  private func nextKnown(after moment: Timestamp) -> Timestamp? {
    var (low, high) = (0, known.count)
    while low < high {
      let middle = (low + high) / 2
      if known[middle] > moment { high = middle } else { low = middle + 1 }
    }
    return low < known.count ? known[low] : nil
  }

  /// The day of the items before the first one with a time.
  private static func leadingDay(before time: PortableTime, today: CalendarDay) -> CalendarDay {
    switch time {
    case .day(let day): return day
    case .moment(let moment), .second(let moment):
      let day = CalendarDay(moment.date)
      let end = CreationDay.beginning(of: day, today: today).advanced(byMilliseconds: CreationDay.span)
      return min(today, end <= moment ? day : day.adding(days: -1))
    }
  }
}

extension PortableTime {
  /// The place of an item with this creation. Of a day, the first of its places.
  fileprivate func place(today: CalendarDay) -> Timestamp {
    switch self {
    case .moment(let moment), .second(let moment): moment
    case .day(let day): CreationDay.beginning(of: day, today: today)
    }
  }
}

extension ImportedRow {
  fileprivate init(_ item: PortableItem, createdAt: Timestamp) {
    let values = { (complete: Bool) -> [String: FieldValue] in
      [TodoColumn.text: .text(item.text), TodoColumn.complete: .bool(complete)]
    }
    let completed = item.complete ? item.completed : nil
    self.init(
      id: item.id, values: values(item.complete), createdAt: createdAt,
      before: completed.map { Version(values: values(false), endedAt: $0.timestamp) },
      // A complete one was completed elsewhere and before.
      isNoted: !item.complete)
  }
}
