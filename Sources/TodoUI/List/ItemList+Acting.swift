import TableProtocol
import TodoCore

/// Actions on the items: on the chosen one, or on all that are marked.
extension ItemList {
  /// The result of an item command.
  enum Action: Equatable, Sendable {
    case effects([Effect])
    /// First the date has to be typed; in place of this one.
    case askDue(String, of: [RecordID])
    /// A command that changes no item: the item is here already.
    case use(ItemCommand, TodoItem)
  }

  mutating func mark(at now: Now) -> [Effect] {
    guard let item = window.selectedItem else { return [] }
    marks.toggle(item)
    return move(by: 1, at: now)
  }

  /// A range is drawn from where it was begun to the chosen row; a second time keeps it.
  mutating func markRange() -> [Effect] {
    if marks.anchor != nil { return readRange(then: nil) }
    beginRange()
    return []
  }

  func markAll() -> [Effect] {
    [.read(.marks(query, .all, then: nil))]
  }

  /// A range first has to become marks: it may reach over rows that are not in memory.
  mutating func act(_ command: ItemCommand) -> Action {
    if marks.anchor != nil { return .effects(readRange(then: command)) }
    if !marks.isEmpty {
      if command.changesItems, command != .setDue { marks.act() }
      return act(command, on: marks.ids, complete: !marks.areComplete)
    }
    guard let item = window.selectedItem else { return .effects([]) }
    return command.changesItems ? act(command, on: [item.id], complete: !item.complete) : .use(command, item)
  }

  /// In the order of the list, as far as it is in memory; behind them the others, by age.
  func inOrder(_ items: [TodoItem]) -> [TodoItem] {
    let places = Dictionary(window.rows.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    return items.sorted { first, second in
      let (one, other) = (places[first.id] ?? Int.max, places[second.id] ?? Int.max)
      return one == other ? (first.createdAt?.text ?? "") < (second.createdAt?.text ?? "") : one < other
    }
  }

  /// The chosen item alone, whatever is marked.
  mutating func toggleSelected() -> Action {
    guard let item = window.selectedItem else { return .effects([]) }
    return act(.toggle, on: [item.id], complete: !item.complete)
  }

  /// The items of a range, or all. The command that waited for them follows.
  mutating func accept(_ marked: [Marked]?, then command: ItemCommand?, _ screen: inout Screen) -> Action {
    let wasRange = marks.anchor != nil
    endRange()
    guard let marked else { return .effects(screen.say(.rows(.rangeLost))) }
    marks.add(marked, isRange: wasRange)
    return command.map { act($0) } ?? .effects([])
  }

  /// True if nothing is left of the item's text without its date.
  func isOnlyDate(_ id: RecordID) -> Bool {
    guard let item = window.rows.first(where: { $0.id == id }) else { return false }
    return ItemRewrite.due(nil).apply(to: item.text).allSatisfy(\.isWhitespace)
  }

  /// Nil takes the date away.
  mutating func setDue(_ day: CalendarDay?, of ids: [RecordID]) -> [Effect] {
    marks.act()
    return rewrite(ids, .due(day))
  }

  /// A change of this program is in the store; `rest` items were left when it was stopped.
  mutating func confirmChange(of count: Int, rest: Int = 0, _ screen: inout Screen) {
    let change = lastChange.end(changing: count)
    let kind = change?.kind
    if rest > 0 {
      clearMarks()
      screen.say(.change(.stopped(kind ?? .edited, count, rest: rest)))
      return
    }
    let before = screen.notice
    if count == 0, !marks.isActing {
      // Nothing is there to be undone: `u` would take back another change.
      if let reason = change?.obstacle { screen.say(.change(reason)) }
    } else if let said = kind?.notice {
      screen.say(.change(said))
    } else if let kind, let words = change?.texts.first, count == 1, !marks.isActing {
      screen.say(.change(.did(kind, kind.isEdit ? ItemText(words).line : RowPieces.words(of: words))))
    }
    if marks.isActing {
      let several = ChangeNotice.changedSeveral(kind ?? .edited, count, unchanged: max(0, marks.count - count))
      clearMarks()
      screen.say(.change(count == 0 ? .nothingChanged : several))
    }
    if case .change(let said) = screen.notice, said.mayRemoveRows, count > 0 || screen.notice != before {
      removal = said
    }
  }

  /// The change that was requested ended a conflict for the other side; its item is nil if that deleted it.
  mutating func letGo(_ item: TodoItem?) {
    lastChange.turnOut(.decided(item == nil ? .deletion : .theirs), leaving: item.map { [$0.text] })
    if marks.isActing { clearMarks() }
  }

  private func readRange(then command: ItemCommand?) -> [Effect] {
    guard let from = marks.anchor, let to = window.selectedItem else { return [] }
    return [.read(.marks(query, .range(from, to), then: command))]
  }

  private mutating func act(_ command: ItemCommand, on ids: [RecordID], complete: Bool) -> Action {
    switch command {
    case .toggle:
      lastChange.request(complete ? .completed : .reopened, texts(of: ids))
      return .effects([.change(.setComplete(ids: ids, complete))])
    case .delete:
      lastChange.request(.deleted, texts(of: ids))
      return .effects([.change(.delete(ids: ids))])
    case .raisePriority: return .effects(rewrite(ids, .raisePriority))
    case .lowerPriority: return .effects(rewrite(ids, .lowerPriority))
    case .setDue:
      let item = ids.count == 1 ? window.rows.first { $0.id == ids[0] } : nil
      return .askDue(item.flatMap { TodoNotation($0.text).due?.text } ?? "", of: ids)
    // A thousand of them are more than can be copied.
    case .copy, .openLink: return .effects([.read(.items(Array(ids.prefix(10_000)), for: command))])
    }
  }

  private mutating func rewrite(_ ids: [RecordID], _ change: ItemRewrite) -> [Effect] {
    let texts = texts(of: ids)
    let changesNothing = texts.allSatisfy { change.apply(to: $0) == $0 }
    lastChange.request(change.kind, texts.map(change.apply), obstacle: changesNothing ? change.obstacle : nil)
    return [.change(.rewrite(ids: ids, change))]
  }

  /// Of those that are in memory.
  private func texts(of ids: [RecordID]) -> [String] {
    let ids = Set(ids)
    return window.rows.filter { ids.contains($0.id) }.map(\.text)
  }
}

extension ItemCommand {
  /// It is a change: the marks go with it, and the row may leave the list.
  var changesItems: Bool {
    switch self {
    case .toggle, .delete, .raisePriority, .lowerPriority, .setDue: true
    case .copy, .openLink: false
    }
  }
}

extension LocalChange.Kind {
  /// It is the text that changed.
  fileprivate var isEdit: Bool { self == .edited }

  /// The notice for a change that is not one of an item.
  fileprivate var notice: ChangeNotice? {
    switch self {
    case .dropped: .dropped
    case .restored: .restored
    case .added, .edited, .dated, .completed, .reopened, .deleted, .decided: nil
    }
  }
}

extension ItemRewrite {
  fileprivate var kind: LocalChange.Kind {
    switch self {
    case .raisePriority, .lowerPriority: .edited
    case .due(let day): .dated(day)
    }
  }

  /// Why an item stays as it is; nil if there is nothing to say.
  fileprivate var obstacle: ChangeNotice? {
    switch self {
    case .raisePriority: .highestPriority
    case .lowerPriority: .noPriority
    // The field showed the date that stays.
    case .due: nil
    }
  }
}

extension ChangeNotice {
  /// The rows of the items may have left the list.
  fileprivate var mayRemoveRows: Bool {
    switch self {
    case .did(let kind, _), .changedSeveral(let kind, _, _): kind.mayRemoveRows
    case .added, .addedSeveral, .stopped, .nothingChanged, .highestPriority, .noPriority, .reversed, .nothingToReverse,
      .dropped, .restored:
      false
    }
  }
}

extension LocalChange.Kind {
  fileprivate var mayRemoveRows: Bool {
    switch self {
    // With another text the item may not pass the filter any more.
    case .completed, .reopened, .deleted, .edited, .dated: true
    case .added, .dropped, .restored, .decided: false
    }
  }
}

/// The items the next command is to act on, when that is not the chosen one.
struct Marks: Equatable, Sendable {
  /// By id.
  private var items: [RecordID: Mark] = [:]
  private var last = 0
  /// Where a range that is being drawn begins; it ends at the chosen item.
  private(set) var anchor: TodoItem?
  /// Those that the view and the filter do not show. A command acts on them too, so they are told.
  private(set) var hidden: Set<RecordID> = []
  /// A change of all of them was asked for.
  private(set) var isActing = false

  private struct Mark: Equatable, Sendable {
    /// Those that were marked together are in the order of the list.
    let place: Int
    /// Whether the item was done when it was marked.
    let isComplete: Bool
  }

  var isEmpty: Bool { items.isEmpty && anchor == nil }
  var count: Int { items.count }
  /// In the order in which they were marked.
  var ids: [RecordID] { items.sorted { $0.value.place < $1.value.place }.map(\.key) }

  func contains(_ id: RecordID) -> Bool { items[id] != nil }

  /// Of those that were asked for only these are left, as they are now.
  mutating func keep(_ left: [Marked], of asked: [RecordID]) {
    let states = Dictionary(left.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    for id in asked {
      if let mark = items[id] {
        items[id] = states[id].map { Mark(place: mark.place, isComplete: $0.complete) }
      }
    }
    hidden = Set(left.filter { !$0.isShown && items[$0.id] != nil }.map(\.id))
  }

  /// True when each is done already.
  var areComplete: Bool { !items.isEmpty && items.values.allSatisfy(\.isComplete) }

  mutating func toggle(_ item: TodoItem) {
    hidden.remove(item.id)
    if items.removeValue(forKey: item.id) == nil { add(item.id, item.complete) }
  }

  private mutating func add(_ id: RecordID, _ isComplete: Bool) {
    last += 1
    items[id] = Mark(place: items[id]?.place ?? last, isComplete: isComplete)
  }

  /// To mark all when all are marked takes the marks away.
  mutating func add(_ marked: [Marked], isRange: Bool) {
    if !isRange && marked.allSatisfy({ contains($0.id) }) {
      for item in marked { items[item.id] = nil }
      return
    }
    for item in marked { add(item.id, item.complete) }
    hidden.subtract(marked.lazy.map(\.id))
  }

  mutating func act() { isActing = !items.isEmpty }

  mutating func beginRange(at item: TodoItem?) { anchor = item }
  mutating func endRange() { anchor = nil }

  mutating func clear() {
    isActing = false
    items = [:]
    last = 0
    hidden = []
    anchor = nil
  }
}

/// A change this program made, for those who say what was done.
struct LocalChange: Equatable, Sendable {
  enum Kind: Equatable, Sendable {
    case added, edited, completed, reopened, deleted
    /// The text got this date; nil took it away.
    case dated(CalendarDay?)
    /// A change that waited was given up, or a version made present again.
    case dropped, restored
    case decided(Decided)
  }

  /// The outcome of a decision about a conflict, by which it is told.
  enum Decided: Equatable, Sendable {
    case mine, theirs, both, merged
    /// The item was deleted on the side that was kept.
    case deletion
  }

  let kind: Kind
  /// The texts of the items after the change; of deleted items before it.
  let texts: [String]
  /// Said if the change finds nothing to do.
  var obstacle: ChangeNotice?
}

/// The last change that is in the store, and the one that was requested and is not there yet.
struct LastChange: Equatable, Sendable {
  private(set) var confirmed: LocalChange?
  /// The number of confirmed changes: two equal changes in turn count as two.
  private(set) var count = 0
  private var requested: LocalChange?

  mutating func request(_ kind: LocalChange.Kind, _ texts: [String], obstacle: ChangeNotice? = nil) {
    requested = LocalChange(kind: kind, texts: texts, obstacle: obstacle)
  }

  /// Corrects the requested change by what came of it. Nil keeps what was requested.
  mutating func turnOut(_ kind: LocalChange.Kind? = nil, leaving texts: [String]?) {
    requested = requested.map { LocalChange(kind: kind ?? $0.kind, texts: texts ?? $0.texts) }
  }

  /// The requested change is in the store.
  mutating func confirm() {
    guard let requested else { return }
    confirmed = requested
    count += 1
    self.requested = nil
  }

  /// The requested change is done, and changed so many items. Returns which it was; nil if none was requested.
  mutating func end(changing items: Int) -> LocalChange? {
    let change = requested
    if items > 0 { confirm() } else { fail() }
    return change
  }

  mutating func fail() {
    requested = nil
  }
}
