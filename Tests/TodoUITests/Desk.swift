import FoundationEssentials
import OfflineSync
import TableProtocol
import Terminal
import Testing

@testable import TodoCore
@testable import TodoUI
@testable import Words

/// A person at the list: presses keys, reads the screen. The items are an array; surveys are answered when asked for.
struct Desk {
  var items: [TodoItem]
  var model: Model
  /// The effects that leave the model, reads left out, in order.
  var effects: [Effect] = []
  var failure: String?
  var conflicts: [TodoConflict] = []
  /// Those that are gone as soon as they are changed: they are deleted elsewhere, and the change takes back that of here.
  var gone: Set<RecordID> = []
  /// What is stored of an edit, where others changed the item too.
  var stored: [RecordID: String] = [:]
  /// Those whose change lets this text from elsewhere stand.
  var overruled: [RecordID: String] = [:]
  /// A change that is dropped waits no more, and a version that is restored is the present one.
  var changesNothing = false
  /// What the next undo or redo comes to.
  var reversal: UndoResult?
  var sync = SyncStatus(server: "http://server.example")
  var outbox: [WaitingChange] = []
  var arrivals: [Arrival] = []
  var versions: [ItemVersion] = []
  var requests: [RequestRecord] = []
  var memory = Memory()
  var completions: [String] = []
  /// How far the list was read from the server.
  var position = ListPosition(token: nil, database: nil, epoch: nil)
  /// Rows are read only when `readHeld` is called, as by a disk that is slow.
  var holdsReads = false
  private(set) var held: [Effect] = []
  /// What time it is; moves when `wait` is told to.
  private(set) var now = Desk.morning
  private var added = 0
  /// The list opens with the agenda if an item has a date.
  private let opensAgenda: Bool
  /// While searches are slow they are answered by `find`.
  var searchesAreSlow = false
  private(set) var search: RowSearch?
  private let drawn = DrawnRows()

  /// A Saturday, at half past nine in UTC.
  static let morning = Now(uptime: 1_000_000, date: Date(timeIntervalSince1970: 1_795_253_400))
  /// Where each item was when rows were read last: an item that went away still has its place in the order.
  private var lastPlaces: [RecordID: Int] = [:]

  init(
    _ texts: [String], columns: Int = 80, rows: Int = 24, charset: Charset = .utf8,
    preferences: Preferences = Preferences()
  ) {
    self.init(
      items: texts.map { TodoItem(id: RecordID($0), text: $0) }, columns: columns, rows: rows, charset: charset,
      preferences: preferences)
  }

  init(
    items: [TodoItem], columns: Int = 80, rows: Int = 24, charset: Charset = .utf8,
    preferences: Preferences = Preferences(), memory: Memory = Memory(), opensAgenda: Bool = true
  ) {
    self.items = items
    self.opensAgenda = opensAgenda
    self.memory = memory
    model = Model(
      size: Size(columns: columns, rows: rows), charset: charset, preferences: preferences, now: Desk.morning)
    perform(firstEffects(model))
    tell(.painted)
    effects = []
  }

  var screen: String { frame.text }
  /// As the program draws it. The rows kept from the frame before must not show.
  var frame: Frame {
    let frame = view(model, drawn)
    if frame != view(model) { Issue.record("A row of an earlier frame was taken for this one:\n\(frame.text)") }
    return frame
  }
  func row(_ number: Int) -> String {
    screen.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)[number]
  }
  /// The row above the hints: what is said, and at its right the place of what is chosen.
  var status: String { row(model.screen.size.rows - 2) }
  /// What is said there.
  var said: String {
    let words = status.trimmingPrefix(" ")
    return words.firstRange(of: "   ").map { String(words[..<$0.lowerBound]) } ?? String(words)
  }
  /// The state of the sync, at the right of the title.
  var syncState: String {
    StatusView(sync: model.sync, size: model.screen.size, hasServer: model.hasServer, brush: Brush(model.screen))
      .forms.first { row(0).hasSuffix($0.text) }?.text ?? ""
  }
  /// The name of what is shown, in the title.
  var tab: String {
    frame.lines[0].spans.filter { $0.style.underline }.map(\.text).joined().split(separator: " ").joined(separator: " ")
  }
  /// How many refreshes the list asked for.
  var refreshCount: Int { effects.count { if case .sync(.refresh) = $0 { true } else { false } } }
  var bottom: String { String(row(model.screen.size.rows - 1).trimmingPrefix(" ")) }
  var selected: String? { model.list.window.selectedItem?.text }
  /// The texts on the rows of the screen.
  var visible: [String] {
    Array(model.list.window.rows.dropFirst(model.list.window.top).prefix(model.list.window.height).map(\.text))
  }

  mutating func press(_ keys: Key...) {
    for key in keys { tell(.key(key)) }
  }

  mutating func type(_ text: String) {
    for scalar in text.unicodeScalars { press(.character(Character(scalar))) }
  }

  mutating func tell(_ message: Message) {
    perform(update(&model, message, at: now))
  }

  /// Lets time pass, waking the model whenever it asks for it.
  mutating func wait(milliseconds: Int) {
    let end = now.uptime + milliseconds
    while let due = model.nextWake, due <= end {
      advance(to: max(due, now.uptime + 1))
      tell(.tick)
    }
    advance(to: max(end, now.uptime))
  }

  /// Answers one of the reads that were held back.
  mutating func readHeld(_ index: Int) {
    guard case .read(.rows(let query, let request)) = held.remove(at: index) else { return }
    tell(.read(.rows(request, read(request, of: query))))
  }

  private mutating func advance(to uptime: Int) {
    now.date += Double(uptime - now.uptime) / 1_000
    now.uptime = uptime
  }

  /// Answers the survey that the program would make now.
  mutating func survey(
    now: LocalMoment = LocalMoment(year: 2026, month: 11, day: 21, hour: 9, minute: 30), last: LocalMoment? = nil
  ) {
    let matching = shown(model.list.query)
    let item = model.list.window.selectedItem
    let counts = ListCounts(
      query: model.list.query, matches: Matches(count: matching.count, groups: groups(of: matching)),
      overall: shown(TodoQuery(view: model.list.query.view)).count,
      views: Dictionary(uniqueKeysWithValues: TodoView.allCases.map { ($0, shown(TodoQuery(view: $0)).count) }),
      located: item, position: item.flatMap { item in matching.firstIndex { $0.id == item.id } },
      status: ListStatus(
        sync: sync, lastSync: last, now: now, arrivals: arrivals.reduce(into: [:]) { $0[$1.kind, default: 0] += 1 }))
    tell(.read(.counts(counts)))
  }

  private func groups(of items: [TodoItem]) -> [TodoGroup: Int] {
    guard let grouping = TodoGrouping(model.list.query) else { return [:] }
    return items.reduce(into: [:]) { $0[grouping.group(of: $1, today: model.screen.today), default: 0] += 1 }
  }

  /// The last search comes to its end.
  mutating func find() {
    guard let search else { return }
    tell(.read(.search(search, read(search.request, of: search.query))))
  }

  private mutating func perform(_ effects: [Effect]) {
    for effect in effects {
      if case .read(.rows(let query, let request)) = effect {
        if holdsReads { held.append(effect) } else { tell(.read(.rows(request, read(request, of: query)))) }
        continue
      }
      if case .read(.opening(let count)) = effect {
        let view = firstView
        let query = TodoQuery(view: view, order: view == .agenda ? .due : .created)
        tell(.read(.opening(view, read(.first(count: count), of: query))))
        continue
      }
      if case .read(.search(let search)) = effect {
        self.search = search
        if !searchesAreSlow { find() }
        continue
      }
      self.effects.append(effect)
      if effect == .note(.refuseDraft) { memory.draft = nil }
      if let answer = answer(effect) { tell(answer) }
    }
  }

  private mutating func answer(_ effect: Effect) -> Message? {
    switch effect {
    case .read(let reading): answer(reading).map(Message.read)
    case .change(let change): failure.map(Message.failed) ?? .done(outcome(of: change))
    case .note, .sync, .screen: nil
    }
  }

  private mutating func outcome(of change: Change) -> Outcome {
    switch change {
    case .add(let texts):
      return .added(texts.map { add(DueWords.resolved($0, today: model.screen.typedOn)) })
    case .edit(let id, let text, _):
      let text = stored[id] ?? text
      let saved = try? TodoText.checked(text, today: model.screen.typedOn)
      if saved != nil, saved == items.first(where: { $0.id == id })?.text { return .changed(0) }
      let outcome = self.change([id]) { $0.text = text }
      guard case .changed = outcome, let item = items.first(where: { $0.id == id }) else { return outcome }
      return .edited(item)
    case .setComplete(let ids, let complete): return self.change(ids) { $0.complete = complete }
    case .rewrite(let ids, let rewrite):
      let texts = items.map(\.text)
      let outcome = self.change(ids) { $0.text = rewrite.apply(to: $0.text) }
      guard case .changed = outcome else { return outcome }
      return .changed(zip(texts, items).count { $0 != $1.text })
    case .delete(let ids):
      items.removeAll { ids.contains($0.id) }
      return .changed(ids.count)
    case .undo: return .reversed(.undo, reversal, items.first { $0.id == reversal?.itemID })
    case .redo: return .reversed(.redo, reversal, items.first { $0.id == reversal?.itemID })
    case .resolve(let shown, _):
      let waiting = shown.filter { shown in conflicts.contains { $0.id == shown.id } }
      let ids = waiting.filter { conflicts.contains($0) }.map(\.id)
      conflicts.removeAll { ids.contains($0.id) }
      _ = self.change(ids) { _ in }
      return .resolved(ids.count, changed: waiting.count - ids.count)
    case .drop where changesNothing, .restore where changesNothing: return .changed(0)
    case .drop(let id):
      outbox.removeAll { $0.id == id }
      return .changed(1)
    case .restore: return .changed(1)
    case .takeOverDraft:
      defer { memory.draft = nil }
      return .tookOver(memory.draft)
    }
  }

  private func answer(_ reading: Reading) -> ReadResult? {
    switch reading {
    case .conflicts: .conflicts(conflicts)
    case .item(let id): .item(id: id, items.first { $0.id == id })
    case .marks(let query, let request, let command): .marks(marks(request, of: query), then: command)
    case .arrival(let query, let item, let backward):
      .arrival(arrival(from: item, in: query, backward: backward))
    case .pane(let request): .pane(content(of: request))
    case .memory: .memory(memory)
    case .draft: .draft(memory.draft)
    case .completions(let prefix):
      .completions(of: prefix, completions.filter { $0.hasPrefix(prefix) && $0 != prefix })
    case .items(let ids, let command): .items(items.filter { ids.contains($0.id) }.reversed(), for: command)
    case .panel(let filters): .panel(panelContents(filters))
    case .side(let id):
      items.first { $0.id == id }.map {
        .side(
          SideContents(
            detail: ItemDetail(item: $0, handle: String(id.text.prefix(4)), versions: max(1, versions.count)),
            versions: versions))
      }
    case .marked(let ids, let query):
      .marked(
        items.filter { ids.contains($0.id) }.map { item in
          Marked(item, isShown: matching(query).contains { $0.id == item.id })
        }, of: ids)
    case .position(let level): .position(position, for: level)
    case .opening, .rows, .search, .counts, .prepare: nil
    }
  }

  private func panelContents(_ filters: [String]) -> PanelContents {
    let agenda = TodoQuery(view: .agenda, order: .due)
    let today = model.screen.today
    var contents = PanelContents()
    var words: [String: (count: Int, late: Int)] = [:]
    for item in shown(agenda) {
      contents.groups[TodoGrouping.date.group(of: item, today: today), default: 0] += 1
      let notation = TodoNotation(item.text)
      for word in notation.projects + notation.contexts {
        words[word, default: (0, 0)].count += 1
        if notation.due.map({ $0 < today }) == true { words[word, default: (0, 0)].late += 1 }
      }
    }
    contents.words = words.sorted { $0.key < $1.key }.map { WordCount(word: $0, count: $1.count, late: $1.late) }
    for filter in filters where TodoFilter.problem(in: filter, today: today) == nil {
      contents.filters[filter] = shown(TodoQuery(filter: filter)).count
    }
    return contents
  }

  private mutating func add(_ text: String) -> TodoItem {
    added += 1
    let item = TodoItem(id: "added \(added)", text: text, state: .waiting)
    items.append(item)
    return item
  }

  private func marks(_ request: MarkRequest, of query: TodoQuery) -> [Marked] {
    let shown = shown(query)
    guard case .range(let from, let to) = request, let first = shown.firstIndex(where: { $0.id == from.id }),
      let last = shown.firstIndex(where: { $0.id == to.id })
    else { return shown.map { Marked(id: $0.id, complete: $0.complete) } }
    return shown[min(first, last)...max(first, last)].map { Marked(id: $0.id, complete: $0.complete) }
  }

  private func arrival(from item: TodoItem?, in query: TodoQuery, backward: Bool) -> TodoItem? {
    let shown = shown(query)
    let place = shown.firstIndex { $0.id == item?.id } ?? 0
    let rest = backward ? Array(shown[..<place].reversed()) : Array(shown.dropFirst(place + 1))
    return rest.first { item in arrivals.contains { $0.id == item.id } }
  }

  private func content(of request: PaneRequest) -> PaneContent {
    switch request {
    case .outbox: return .outbox(outbox, total: outbox.count)
    case .digest: return .digest(arrivals)
    case .log: return .log(requests)
    case .story(let id): return items.first { $0.id == id }.map { .story($0, versions) } ?? .gone
    case .detail(let id):
      return items.first { $0.id == id }.map {
        .detail(ItemDetail(item: $0, handle: String(id.text.prefix(4)), versions: max(1, versions.count)))
      } ?? .gone
    }
  }

  private mutating func change(_ ids: [RecordID], _ change: (inout TodoItem) -> Void) -> Outcome {
    if ids.count == 1, gone.contains(ids[0]) {
      items.removeAll { $0.id == ids[0] }
      conflicts.removeAll { $0.id == ids[0] }
      return .letGo(nil)
    }
    if ids.count == 1, let text = overruled[ids[0]], let index = items.firstIndex(where: { $0.id == ids[0] }) {
      items[index].text = text
      return .letGo(items[index])
    }
    for index in items.indices where ids.contains(items[index].id) {
      change(&items[index])
      items[index].state = .waiting
    }
    return .changed(ids.count)
  }

  private var firstView: TodoView {
    opensAgenda && items.contains { !$0.complete && TodoNotation($0.text).due != nil } ? .agenda : .open
  }

  /// In the order of the query; what is alike in it stands as in `items`.
  private func shown(_ query: TodoQuery) -> [TodoItem] {
    matching(query).enumerated().map { (Place($1, query.order, Double($0)), $1) }.sorted { $0.0 < $1.0 }.map(\.1)
  }

  private func matching(_ query: TodoQuery) -> [TodoItem] {
    items.filter { item in
      (query.view == .all || item.complete == (query.view == .done))
        && query.filter.split(separator: " ").allSatisfy { item.text.lowercased().contains($0.lowercased()) }
    }
  }

  private mutating func read(_ request: RowRequest, of query: TodoQuery) -> RowPage {
    let items = items
    let shown = shown(query)
    let gone = lastPlaces
    let places = Dictionary(items.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    lastPlaces.merge(places) { $1 }
    let place = { @Sendable (item: TodoItem) -> Place in
      let number = places[item.id].map { Double($0) } ?? Double(gone[item.id] ?? 0) - 0.5
      return Place(item, query.order, item.id == "\u{10FFFF}" ? .infinity : number)
    }
    let reader = PageReader(
      items: { _, anchor, count in
        switch anchor {
        case .first: Array(shown.prefix(count))
        case .last: Array(shown.suffix(count))
        case .after(let item): Array(shown.drop { !(place(item) < place($0)) }.prefix(count))
        case .before(let item): Array(shown.prefix { place($0) < place(item) }.suffix(count))
        }
      },
      item: { id in items.first { $0.id == id } })
    return (try? reader.read(request, of: query)) ?? RowPage(rows: [], startsAtFirst: true, endsAtLast: true)
  }
}

/// Where an item stands in an order: by the values it is sorted by, then by its number.
private struct Place: Comparable {
  let values: [(text: String, ascending: Bool)]
  let number: Double

  init(_ item: TodoItem, _ order: TodoOrder, _ number: Double) {
    values = order.keys.dropLast(2).map { key in
      let text = key.value.text(of: Record(item))
      if case .caseless = key.value { return (text.lowercased(), key.ascending) }
      return (text, key.ascending)
    }
    self.number = number
  }

  static func < (left: Place, right: Place) -> Bool {
    for (first, second) in zip(left.values, right.values) where first.text != second.text {
      return (first.text < second.text) == first.ascending
    }
    return left.number < right.number
  }

  static func == (left: Place, right: Place) -> Bool { !(left < right) && !(right < left) }
}

extension Desk {
  /// Items named `item 0`, `item 1` and so on.
  static func long(_ count: Int, columns: Int = 80, rows: Int = 24) -> Desk {
    Desk((0..<count).map { "item \($0)" }, columns: columns, rows: rows)
  }
}
