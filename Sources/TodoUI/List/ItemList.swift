import TableProtocol
import TodoCore

/// The list as it is shown: which items, in which order, the rows of it in memory, and what was looked at.
///
/// What is done to its items is in `ItemList+Acting.swift`.
struct ItemList: Equatable, Sendable {
  private(set) var query = TodoQuery()
  private(set) var window: ListWindow
  /// What is being looked for; until it is found the rows in the window are older than the query. Nil when they are not.
  private var search: RowSearch?
  /// How many searches there were.
  private var searches = 0
  /// Items in the list as it is filtered now, and in the same view without a filter. Nil while not counted yet.
  private(set) var matching: Int?
  private(set) var overall: Int?
  private(set) var savedFilters: [Int: String]
  var marks = Marks()
  var lastChange = LastChange()
  /// The item that was added last, until it was looked for in the list.
  private var added: RecordID?
  /// Rows that were looked at and still count as arrived in the store, and when the last was added to them.
  private var seen: [RecordID] = []
  private var seenSince = 0
  /// Nothing is counted before the first frame is on the screen.
  private var isPainted = false

  init(height: Int, savedFilters: [Int: String]) {
    window = ListWindow(height: height)
    self.savedFilters = savedFilters
  }

  mutating func resize(height: Int) -> [Effect] {
    window.resize(height: height)
    return readMissing()
  }

  mutating func begin() -> [Effect] {
    isPainted = true
    return count()
  }
}

// MARK: Moving

extension ItemList {
  /// Going on upwards from here pulls.
  var isAtFirst: Bool { window.selected == 0 && window.startsAtFirst }

  /// A row that had arrived and is left was looked at.
  mutating func move(by rows: Int, at now: Now) -> [Effect] {
    let before = window.selectedItem
    window.move(by: rows)
    if let before, before.hasArrived, before.id != window.selectedItem?.id { noteSeen(before.id, at: now) }
    return readMissing()
  }

  mutating func moveToFirst() -> [Effect] { jump(.first(count: window.page), anchorBelow: true) }
  mutating func moveToLast() -> [Effect] { jump(.last(count: window.page), anchorBelow: false) }

  private mutating func jump(_ request: RowRequest, anchorBelow: Bool) -> [Effect] {
    if marks.anchor != nil { window.anchorIsFar(below: anchorBelow) }
    return read(request)
  }

  /// Shows an item, or what stands where it was; where it is out of sight the place of `orElse`.
  func go(to item: TodoItem, orElse: TodoItem? = nil) -> [Effect] {
    read(.around(item, orElse: orElse, count: window.page))
  }

  /// Shows an item of which it is only known whether it is done: it has to be in sight to be gone to.
  mutating func reveal(_ item: TodoItem) -> [Effect] {
    if query.view != .all && item.complete != (query.view == .done) { query.view = .all }
    query.filter = ""
    (matching, overall) = (nil, nil)
    return go(to: item, orElse: window.selectedItem)
  }

  func findArrival(backward: Bool) -> [Effect] {
    [.read(.arrival(query, from: window.selectedItem, backward: backward))]
  }

  mutating func go(toArrival item: TodoItem?, _ screen: inout Screen) -> [Effect] {
    if let old = window.selectedItem, old.hasArrived, old.id != item?.id { noteSeen(old.id, at: screen.now) }
    guard let item else { return screen.say(.nothingArrived) }
    return go(to: item)
  }

  private mutating func noteSeen(_ id: RecordID, at now: Now) {
    seen.append(id)
    seenSince = now.uptime
    window.markSeen(id)
  }

  /// The uptime at which rows that were looked at are to be noted, together.
  var seenDue: Int? { seen.isEmpty ? nil : seenSince + 300 }

  mutating func flushSeen(at now: Now) -> [Effect] {
    guard let seenDue, seenDue <= now.uptime else { return [] }
    defer { seen = [] }
    return lastEffects
  }

  /// What is to be kept before the program ends.
  var lastEffects: [Effect] { seen.isEmpty ? [] : [.note(.seen(seen))] }
}

// MARK: Views, orders and filters

extension ItemList {
  mutating func showView(_ step: Int) -> [Effect] {
    let views = TodoView.allCases
    let next = (views.firstIndex(of: query.view) ?? 0) + step
    endRange()
    query.view = views[(next + views.count) % views.count]
    (matching, overall) = (nil, nil)
    return reload() + (query.order == .created ? [] : [.read(.prepare(query.order, query.view))])
  }

  mutating func sort(_ order: TodoOrder) -> [Effect] {
    endRange()
    query.order = order
    return reload() + [.read(.prepare(order, query.view)), .note(.memory(.order, order.rawValue))]
  }

  /// What the list remembers of itself comes after the first paint.
  mutating func recall(_ memory: Memory) -> [Effect] {
    for (name, value) in memory.values {
      if case .savedFilter(let number) = name { savedFilters[number] = value }
    }
    guard let order = memory.values[.order].flatMap(TodoOrder.init(rawValue:)), order != query.order else { return [] }
    query.order = order
    return read(.first(count: window.page)) + [.read(.prepare(order, query.view))]
  }

  /// Puts a saved filter in place of what is shown now.
  mutating func useFilter(_ number: Int, _ screen: inout Screen) -> [Effect] {
    guard let filter = savedFilters[number] else { return screen.say(.noFilterSaved(number)) }
    if let problem = TodoFilter.problem(in: filter, today: CalendarDay(screen.now.date)) {
      return screen.say(.filterProblem(problem))
    }
    screen.clearNotice()
    setFilter(filter)
    return read(.first(count: window.page))
  }

  /// Keeps the filter under a number; an empty one takes away what was kept there.
  mutating func saveFilter(_ number: Int, _ screen: inout Screen) -> [Effect] {
    let filter = query.filter.isEmpty ? nil : query.filter
    let old = savedFilters[number]
    savedFilters[number] = filter
    guard filter != nil || old != nil else { return screen.say(.noFilterSaved(number)) }
    screen.say(filter == nil ? .filterRemoved(number, old ?? "") : .filterSaved(number))
    return [.note(.memory(.savedFilter(number), filter))]
  }

  /// Shows the list through another filter while it is being typed. The counts of the old one are no longer of use.
  mutating func search(filter: String) -> [Effect] {
    guard filter != query.filter else { return [] }
    setFilter(filter)
    return search(.first(count: window.page))
  }

  mutating func clearFilter() -> [Effect] {
    guard !query.filter.isEmpty else { return settleSearch() }
    query.filter = ""
    matching = nil
    return reload()
  }

  /// The filter is typed, and the next key is meant for the rows it leaves.
  func settleSearch() -> [Effect] {
    search.map { [.read(.rows($0.query, $0.request))] } ?? []
  }

  private mutating func setFilter(_ filter: String) {
    endRange()
    query.filter = filter
    matching = nil
  }

  private mutating func search(_ request: RowRequest) -> [Effect] {
    searches += 1
    let search = RowSearch(number: searches, query: query, request: request)
    self.search = search
    return [.read(.search(search))]
  }
}

// MARK: Rows

extension ItemList {
  func readFirst() -> [Effect] { read(.first(count: window.page)) }

  /// The rows round the chosen one anew. At once after a change that was made here, since the next key is meant for what
  /// it left; what came from elsewhere may take its time.
  mutating func reload(atOnce: Bool = true) -> [Effect] {
    atOnce || query.filter.isEmpty ? read(rowsAroundSelected) : searchAgain()
  }

  mutating func accept(_ page: RowPage, for request: RowRequest, _ screen: inout Screen) -> [Effect] {
    search = nil
    if case .around(let item, _, _) = request, item.id == added {
      added = nil
      if !page.rows.contains(where: { $0.id == item.id }) { screen.say(.addedOutOfSight) }
    }
    window.accept(page, for: request, anchor: marks.anchor?.id)
    for id in seen { window.markSeen(id) }
    switch request {
    case .above, .below: return readMissing()
    case .first, .last, .around: return readMissing() + count()
    }
  }

  /// The rows as they were when the search was made. Whatever was read or asked for since is newer.
  mutating func accept(_ page: RowPage, for search: RowSearch, _ screen: inout Screen) -> [Effect] {
    guard search == self.search else { return [] }
    if case .around(let item, _, _) = search.request, item.id != window.selectedItem?.id { return searchAgain() }
    return accept(page, for: search.request, &screen)
  }

  mutating func accept(_ counts: ListCounts) {
    guard counts.query == query else { return }
    matching = counts.matching
    overall = counts.overall
    if let item = counts.located, let position = counts.position { window.locate(item.id, at: position) }
  }

  /// Goes to items that were added here. It is said when they are out of sight.
  mutating func show(added items: [TodoItem]) -> [Effect] {
    guard let last = items.last else { return [] }
    added = last.id
    return go(to: last, orElse: window.selectedItem ?? last)
  }

  /// Something changed elsewhere: the rows are looked for anew.
  private mutating func searchAgain() -> [Effect] {
    if case .first = search?.request { return search(.first(count: window.page)) }
    return search(rowsAroundSelected)
  }

  private var rowsAroundSelected: RowRequest {
    window.selectedItem.map { .around($0, orElse: nil, count: window.page) } ?? .first(count: window.page)
  }

  private func read(_ request: RowRequest) -> [Effect] { [.read(.rows(query, request))] }

  /// Nothing while a search is on: the rows in the window may be of another filter.
  private func readMissing() -> [Effect] {
    guard search == nil else { return [] }
    return window.missing.map(read) ?? []
  }

  /// The place of the chosen row is asked for, not known: rows may have come or gone before it.
  private func count() -> [Effect] {
    isPainted ? [.read(.counts(query, locate: window.selectedItem))] : []
  }
}

// MARK: Ranges of marks

extension ItemList {
  /// A range is of the list as it was shown: in another view, filter or order other rows would lie between.
  mutating func endRange() {
    marks.endRange()
    window.anchor = nil
  }

  mutating func beginRange() {
    marks.beginRange(at: window.selectedItem)
    window.anchor = marks.anchor == nil ? nil : window.selected
  }

  mutating func clearMarks() {
    marks.clear()
    window.anchor = nil
  }
}
