import TableProtocol
import TodoCore

/// The list as it is shown: which items, in which order, the rows of it in memory, and what was looked at.
///
/// Actions on its items are in `ItemList+Acting.swift`.
struct ItemList: Equatable, Sendable {
  private(set) var query = TodoQuery()
  private(set) var window: ListWindow
  /// The search that runs; until it is done the rows in the window are older than the query. Nil if none runs.
  private var search: RowSearch?
  /// How many searches there were.
  private var searches = 0
  /// Items in the list as it is filtered now, and in the same view without a filter. Nil while not counted yet.
  private(set) var matching: Int?
  private(set) var overall: Int?
  /// Items in each group of the list; empty while not counted yet.
  private(set) var groupCounts: [TodoGroup: Int] = [:]
  /// Items in each view without a filter; empty while not counted yet.
  private(set) var viewCounts: [TodoView: Int] = [:]
  /// The order that was chosen; a view may have one of its own.
  private(set) var order = TodoOrder.created
  private var firstView = FirstView()
  var saved: SavedFilters
  var marks = Marks()
  var lastChange = LastChange()
  var lostRow = LostRow()
  /// The rows that are read next follow a change that was not made here.
  private var followsOthers = false
  /// The rows that are read next follow this change, which a key made and which may take the chosen row away.
  var removal: ChangeNotice?
  private var added = AddedItem()
  /// Rows that were looked at and still count as arrived in the store, and when the last was added to them.
  private var seen: [RecordID] = []
  private var seenSince = 0
  /// Nothing is counted, and no row read that is not in sight, before the first frame is on the screen.
  private var isPainted = false

  init(height: Int, savedFilters: [Int: String]) {
    window = ListWindow(height: height)
    saved = SavedFilters(configured: savedFilters)
  }

  mutating func resize(height: Int) -> [Effect] {
    window.resize(height: height)
    return readMissing()
  }

  mutating func begin() -> [Effect] {
    isPainted = true
    return readMissing() + count() + [.read(.prepare(.due, .agenda))]
  }
}

extension ItemState {
  /// Somebody has to look at it.
  var needsDecision: Bool {
    switch self {
    case .conflict, .refused: true
    case .synced, .waiting, .inFlight: false
    }
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

  /// Goes to the first item of the next group; upwards to the first of this one, then of the one before.
  mutating func moveToGroup(forward: Bool, at now: Now) -> [Effect] {
    guard let groups = window.groups else { return [] }
    switch window.stepToGroup(forward: forward) {
    case .row(let index): return move(by: index - window.selected, at: now)
    case .start(let group): return go(to: group.start(today: groups.today))
    case .end(let group): return go(to: group.end(today: groups.today))
    case nil: return []
    }
  }

  /// Shows an item, or what stands where it was; where it is out of sight the place of `orElse`.
  func go(to item: TodoItem, orElse: TodoItem? = nil) -> [Effect] {
    read(.around(item, orElse: orElse, count: window.page))
  }

  /// Shows an item of which it is only known whether it is done: it has to be in sight to be gone to.
  mutating func reveal(_ item: TodoItem) -> [Effect] {
    if !isInSight(item) {
      firstView.choose()
      setView(.all)
    }
    query.filter = ""
    forgetCounts()
    return go(to: item, orElse: window.selectedItem)
  }

  func findArrival(backward: Bool) -> [Effect] {
    [.read(.arrival(query, from: window.selectedItem, backward: backward))]
  }

  mutating func go(toArrival item: TodoItem?, _ screen: inout Screen) -> [Effect] {
    if let old = window.selectedItem, old.hasArrived, old.id != item?.id { noteSeen(old.id, at: screen.now) }
    guard let item else { return screen.say(.rows(.nothingArrived)) }
    return go(to: item)
  }

  private mutating func noteSeen(_ id: RecordID, at now: Now) {
    seen.append(id)
    seenSince = now.uptime
    window.markSeen(id)
  }

  /// The uptime at which the rows that were looked at must be noted, all together.
  var seenDue: Int? { seen.isEmpty ? nil : seenSince + 300 }

  mutating func flushSeen(at now: Now) -> [Effect] {
    guard let seenDue, seenDue <= now.uptime else { return [] }
    defer { seen = [] }
    return lastEffects
  }

  /// Effects that must run before the program ends.
  var lastEffects: [Effect] { seen.isEmpty ? [] : [.note(.seen(seen))] }
}

// MARK: Views, orders and filters

extension ItemList {
  mutating func showView(_ step: Int) -> [Effect] {
    let views = TodoView.allCases
    let next = (views.firstIndex(of: query.view) ?? 0) + step
    return show(views[(next + views.count) % views.count])
  }

  mutating func show(_ view: TodoView) -> [Effect] {
    endRange()
    firstView.choose()
    window.startAtTop()
    setView(view)
    return (isInSight(window.selectedItem) ? reload() : read(.first(count: window.page))) + prepare
  }

  private func isInSight(_ item: TodoItem?) -> Bool {
    query.view == .all || item?.complete == (query.view == .done)
  }

  private mutating func setView(_ view: TodoView) {
    query.view = view
    query.order = order(in: view)
    forgetCounts()
  }

  /// The agenda is always by date, and done items stand by the day they were done unless another order was chosen.
  private func order(in view: TodoView) -> TodoOrder {
    switch view {
    case .agenda: .due
    case .done where order == .created: .finished
    case .open, .all, .done: order
    }
  }

  /// In another order than by date the agenda is the list of open items.
  mutating func sort(_ order: TodoOrder) -> [Effect] {
    endRange()
    firstView.choose()
    self.order = order
    if query.view == .agenda && order != .due { query.view = .open }
    query.order = self.order(in: query.view)
    groupCounts = [:]
    return reload() + prepare + [.note(.memory(.order, order.rawValue))]
  }

  private var prepare: [Effect] {
    query.order == .created ? [] : [.read(.prepare(query.order, query.view))]
  }

  private mutating func forgetCounts() {
    (matching, overall, groupCounts) = (nil, nil, [:])
  }

  /// Applies the memory of the list, which comes after the first paint.
  mutating func recall(_ memory: Memory) -> [Effect] {
    saved.recall(memory)
    guard let order = memory.values[.order].flatMap(TodoOrder.init(rawValue:)), order != self.order else { return [] }
    self.order = order
    let shown = self.order(in: query.view)
    guard shown != query.order else { return [] }
    query.order = shown
    return read(.first(count: window.page)) + prepare
  }

  mutating func show(filter: String) -> [Effect] {
    setFilter(filter)
    return read(.first(count: window.page))
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
    (matching, groupCounts) = (nil, [:])
    return reload()
  }

  /// The typed filter is given up.
  mutating func restore(filter: String) -> [Effect] {
    if filter.isEmpty { return clearFilter() }
    return filter == query.filter ? settleSearch() : show(filter: filter)
  }

  /// The filter is typed, and the next key is meant for the rows it leaves.
  func settleSearch() -> [Effect] {
    search.map { [.read(.rows($0.query, $0.request))] } ?? []
  }

  private mutating func setFilter(_ filter: String) {
    endRange()
    query.filter = filter
    (matching, groupCounts) = (nil, [:])
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
  /// As many rows as the screen has. The rows for turning the page are read after the first paint.
  func readFirst() -> [Effect] { [.read(.opening(count: window.height))] }

  /// The list opens with the view that shows most. If it has rows already, items with a date were added to it.
  mutating func open(_ view: TodoView, _ page: RowPage, _ screen: inout Screen) -> [Effect] {
    guard window.selectedItem == nil else {
      return firstView.becomesAgenda(from: query.view, opening: view, with: page.rows) ? show(.agenda) : []
    }
    setView(view)
    return accept(page, for: .first(count: window.height), &screen)
  }

  /// Another day has begun: what was due today is overdue.
  mutating func beginDay(_ today: CalendarDay) -> [Effect] {
    window.regroup(groups(on: today))
    return reload(atOnce: false)
  }

  private func groups(on today: CalendarDay) -> ListWindow.Groups? {
    TodoGrouping(query).map { ListWindow.Groups(grouping: $0, today: today) }
  }

  /// Reads the rows round the chosen one again; of a list that was empty those of the view that it would open with. At
  /// once after a change that was made here, since the next key is meant for the rows as they are then; rows that
  /// changed elsewhere may come later.
  mutating func reload(atOnce: Bool = true) -> [Effect] {
    followsOthers = !atOnce
    let isFirstContent = window.selectedItem == nil && query.filter.isEmpty && order == .created
    if isFirstContent, firstView.isOpen(query.view) { return readFirst() }
    return atOnce || query.filter.isEmpty ? read(rowsAroundSelected) : searchAgain()
  }

  mutating func accept(_ page: RowPage, for request: RowRequest, _ screen: inout Screen) -> [Effect] {
    search = nil
    if added.isHidden(in: page, for: request), let hider = ChangeNotice.Hider(query),
      let said = screen.notice?.hidden(by: hider)
    {
      screen.say(said)
    }
    noteLostRow(page, request, at: screen.now)
    window.accept(page, for: request, in: groups(on: screen.today), anchor: marks.anchor?.id)
    for id in seen { window.markSeen(id) }
    switch request {
    case .above, .below: return readMissing()
    case .first, .last, .around: return readMissing() + count()
    }
  }

  /// Notes it if the chosen row is not among those that were read for it.
  private mutating func noteLostRow(_ page: RowPage, _ request: RowRequest, at now: Now) {
    guard case .around(let item, _, _) = request else { return }
    defer { (followsOthers, removal) = (false, nil) }
    guard item.id == window.selectedItem?.id, !page.rows.contains(where: { $0.id == item.id }) else { return }
    if followsOthers {
      lostRow.note(at: now)
    } else if let removal, page.rows.indices.contains(page.focus) {
      lostRow.note(removal, neighbour: page.rows[page.focus].id, at: now)
    }
  }

  /// The rows as they were when the search was made. Rows that were read or asked for since are newer.
  mutating func accept(_ page: RowPage, for search: RowSearch, _ screen: inout Screen) -> [Effect] {
    guard search == self.search else { return [] }
    if case .around(let item, _, _) = search.request, item.id != window.selectedItem?.id { return searchAgain() }
    return accept(page, for: search.request, &screen)
  }

  mutating func accept(_ counts: ListCounts) {
    viewCounts = counts.views
    guard counts.query == query else { return }
    matching = counts.matches.count
    overall = counts.overall
    groupCounts = counts.matches.groups
    if let item = counts.located, let position = counts.position { window.locate(item.id, at: position) }
  }

  /// Goes to items that were added here. It is said when they are out of sight. `isLast` is whether the typing of new
  /// items has ended with them.
  mutating func show(added items: [TodoItem], isLast: Bool) -> [Effect] {
    guard let last = items.last else { return [] }
    added.note(last.id)
    firstView.note(added: items)
    return go(to: last, orElse: window.selectedItem ?? last) + (isLast ? endAdding() : [])
  }

  /// The typing of new items has ended.
  func endAdding() -> [Effect] { firstView.mayBecomeAgenda(from: query.view) ? readFirst() : [] }

  /// Searches for the rows again, after a change that was made elsewhere.
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
    guard isPainted, search == nil else { return [] }
    return window.missing.map(read) ?? []
  }

  /// The place of the chosen row is asked for where rows may have come or gone before it, out of sight.
  private func count() -> [Effect] {
    guard isPainted else { return [] }
    let item = window.startsAtFirst ? nil : window.selectedItem
    let counts = Effect.read(.counts(query, locate: item, known: window.all))
    return marks.count == 0 ? [counts] : [counts, .read(.marked(marks.ids, in: query))]
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
