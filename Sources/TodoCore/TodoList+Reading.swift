import OfflineSync
package import TableProtocol

extension TodoList {
  /// At most `count` items next to the anchor, in the order of the query.
  ///
  /// Costs the same wherever in the list the anchor is, once the order is prepared.
  package func items(_ query: TodoQuery, _ anchor: TodoAnchor, count: Int) throws -> [TodoItem] {
    let rows = try query.rows(anchor, limit: count, today: today())
    return try context.store.read { store in
      let records = try store.records(rows)
      let items = try withStates(rows.isBackward ? records.reversed() : records, store)
      return query.order == .finished ? try withCompletions(items, store) : items
    }
  }

  /// All items the query finds, in order, in runs of at most `size`, as the store is at one moment. With `completions`
  /// also when complete ones became so. An error of `body` ends it.
  package func forEachRun(
    of query: TodoQuery, size: Int, completions: Bool = false, _ body: ([TodoItem]) throws -> Void
  ) throws {
    try forEachRun(of: query, size: size) { records, store in
      let items = try withStates(records, store)
      try body(completions ? withCompletions(items, store) : items)
    }
  }

  /// The same as records, with the store that they were read from. The last run may be empty.
  func forEachRun(of query: TodoQuery, size: Int, _ body: ([Record], any StoreReader) throws -> Void) throws {
    let rows = try query.rows(today: today())
    try context.store.read { store in
      var run: [Record] = []
      try store.forEach(rows) { record in
        run.append(record)
        guard run.count == size else { return }
        try body(run, store)
        run.removeAll(keepingCapacity: true)
      }
      try body(run, store)
    }
  }

  /// Calls `body` with the line of each item of the query, in order, of one state of the store. An error that `body`
  /// throws ends it.
  package func forEachLine(of query: TodoQuery, _ body: (TodoLine) throws -> Void) throws {
    let rows = try query.rows(today: today())
    try context.store.read { store in
      var changed: Set<RecordID> = []
      try store.forEach(RowQuery(table: Self.table, condition: .isPending, order: []), columns: []) { id, _ in
        changed.insert(id)
      }
      let states = changed.isEmpty ? [:] : try store.openQuestions(in: Self.table).mapValues(ItemState.init)
      try store.forEach(rows, columns: [TodoColumn.complete, TodoColumn.text]) { id, values in
        let isChanged = !changed.isEmpty && changed.contains(id)
        try body(
          TodoLine(
            id: id, text: values[1].text ?? "", complete: values[0].bool ?? false,
            state: isChanged ? states[id] ?? .waiting : .synced))
      }
    }
  }

  /// Makes reading in an order cost the same at any place of the list, from now on; without it, it works and is slower.
  /// The first time, looks at all items and writes: not for the main thread. Later it costs nothing.
  package func prepare(_ order: TodoOrder, view: TodoView = .open) throws {
    guard let index = order.index(for: view),
      try !context.store.read({ try $0.isPrepared(index) })
    else { return }
    try context.store.write { try $0.prepare(index) }
  }

  /// The view that shows most when the list is opened: the agenda once an open item has a date. Reading by date must be
  /// fast for that, in an order that is prepared or in a short list.
  package func firstView() throws -> TodoView {
    let agenda = TodoQuery(view: .agenda, order: .due)
    guard let index = agenda.order.index(for: agenda.view) else { return .open }
    let isFast = try context.store.read { store in try store.isPrepared(index) || isShort(store) }
    guard isFast, let first = try items(agenda, .first, count: 1).first else { return .open }
    return TodoNotation(first.text).due == nil ? .open : .agenda
  }

  private func isShort(_ store: any StoreReader) throws -> Bool {
    var count = 0
    try store.forEach(TodoQuery().rows(limit: Self.shortList, today: today()), columns: []) { _, _ in count += 1 }
    return count < Self.shortList
  }

  /// So many rows are sorted without an index in no time.
  private static let shortList = 512

  package func item(_ id: RecordID) throws -> TodoItem? {
    try context.store.read { store in
      guard let record = try store.record(id, in: Self.table) else { return nil }
      return try withStates([record], store).first
    }
  }

  /// How many items the query finds. Looks at all of them: not for the main thread. Throws `FilterProblem` for a filter
  /// that is not understood.
  package func count(_ query: TodoQuery) throws -> Int {
    let rows = try query.rows(today: today())
    return try context.store.read { try $0.count(rows) }
  }

  /// Those of these items that the query finds, and whether each is done. Looks at all it finds: not for the main
  /// thread.
  package func found(by query: TodoQuery, among ids: Set<RecordID>) throws -> [RecordID: Bool] {
    var rows = try query.rows(today: today())
    rows.order = []
    var found: [RecordID: Bool] = [:]
    try context.store.read { store in
      try store.forEach(rows, columns: [TodoColumn.complete]) { id, values in
        if ids.contains(id) { found[id] = values[0].bool ?? false }
      }
    }
    return found
  }

  /// How many items of the query stand in each group. Looks at all of them: not for the main thread.
  package func counts(_ query: TodoQuery, by grouping: TodoGrouping) throws -> [TodoGroup: Int] {
    let today = today()
    return try context.store.read { store in
      try store.counts(query.rows(today: today), by: grouping.value).reduce(into: [:]) { counts, value in
        counts[grouping.group(ofValue: value.key, today: today), default: 0] += value.value
      }
    }
  }

  /// How many items of the query come before this one. Looks at all of them: not for the main thread.
  package func position(of item: TodoItem, in query: TodoQuery) throws -> Int {
    try context.store.read { try $0.count(try query.rows(.before(item), today: today())) }
  }

  func withStates(_ records: [Record], _ store: any StoreReader) throws -> [TodoItem] {
    let arrived = Set(try store.arrivals(ofItems: records.map(\.id), in: Self.table).map(\.itemID))
    guard !arrived.isEmpty else { return try withSyncStates(records, store) }
    return try withSyncStates(records, store).map { item in
      var item = item
      item.hasArrived = arrived.contains(item.id)
      return item
    }
  }

  private func withSyncStates(_ records: [Record], _ store: any StoreReader) throws -> [TodoItem] {
    let statuses = try store.statuses(of: records, in: Self.table)
    return records.map { TodoItem($0, statuses[$0.id] ?? .synced) }
  }
}

/// A project or a context, with its sign, and the open items that have it.
package struct WordCount: Sendable, Hashable {
  package let word: String
  package let count: Int
  package let late: Int

  package init(word: String, count: Int = 0, late: Int = 0) {
    self.word = word
    self.count = count
    self.late = late
  }
}

/// Counts words. Those that a search takes for one another are one word, which is spelled as in most items.
private struct WordTally {
  private var forms: [String: String] = [:]
  /// Of each word, how many items spell it in which way, and how many of them are late.
  private var tallies: [String: (spellings: [String: Int], late: Int)] = [:]

  /// Counts the words of one item, each once.
  mutating func add(_ words: [String], isLate: Bool = false) {
    var counted: Set<String> = []
    for word in words {
      let form = form(of: word)
      guard counted.insert(form).inserted else { continue }
      tallies[form, default: ([:], 0)].spellings[word, default: 0] += 1
      if isLate { tallies[form]?.late += 1 }
    }
  }

  /// In no order.
  var counts: [WordCount] {
    tallies.values.map { tally in
      let most = tally.spellings.max { $0.value == $1.value ? $0.key > $1.key : $0.value < $1.value }
      return WordCount(word: most?.key ?? "", count: tally.spellings.values.reduce(0, +), late: tally.late)
    }
  }

  private mutating func form(of word: String) -> String {
    if let form = forms[word] { return form }
    let form = TextPattern.folded(word)
    forms[word] = form
    return form
  }
}

/// The words that are offered after a typed `+` or `@`. Both look at all open items: not for the main thread.
extension TodoList {
  private static let mostWords = 200

  /// The projects of the open items that begin so, without regard to case: with their `+`, most used first, at most
  /// 200.
  package func projects(beginning prefix: String = "") throws -> [String] {
    try words("+", prefix) { $0.projects }
  }

  /// The contexts of the open items that begin so, without regard to case: with their `@`, most used first, at most
  /// 200.
  package func contexts(beginning prefix: String = "") throws -> [String] {
    try words("@", prefix) { $0.contexts }
  }

  /// The projects of the open items by name, then their contexts, each with how often it stands and how many of those
  /// items are late. An item counts once for a word.
  package func wordCounts() throws -> [WordCount] {
    let today = today()
    var tally = WordTally()
    try context.store.read { store in
      try store.forEachText(of: TodoColumn.text, TodoQuery(view: .open).rows(today: today)) { text in
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "@") }) else { return }
        let notation = TodoNotation(text)
        let isLate = notation.due.map { $0 < today } ?? false
        tally.add(notation.projects + notation.contexts, isLate: isLate)
      }
    }
    return tally.counts.sorted { $0.word < $1.word }
  }

  private func words(
    _ sign: String, _ prefix: String, _ words: (TodoNotation) -> [String]
  ) throws -> [String] {
    let beginning = TextMatcher(TextPattern(sign + prefix, .wordBeginning))
    var rows = try TodoQuery(view: .open).rows(today: today())
    rows.condition = .all(
      [rows.condition, .fits(column: TodoColumn.text, TextPattern(sign + prefix, .wordBeginning))].compactMap(\.self))
    var uses = WordTally()
    try context.store.read { store in
      try store.forEachText(of: TodoColumn.text, rows) { text in
        uses.add(words(TodoNotation(text)).filter(beginning.matches))
      }
    }
    let sorted = uses.counts.sorted { $0.count == $1.count ? $0.word < $1.word : $0.count > $1.count }
    return sorted.prefix(Self.mostWords).map(\.word)
  }
}
