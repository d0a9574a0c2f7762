import Terminal
import TodoCore

@testable import TodoUI

/// A person at the list: presses keys, reads the screen. The items are an array; surveys are answered when asked for.
struct Desk {
  var items: [TodoItem]
  var model: Model
  /// The effects that leave the model, reads left out, in order.
  var effects: [Effect] = []
  var failure: String?
  var conflicts: [TodoConflict] = []
  /// What the next undo or redo comes to.
  var reversal: TodoReversal?
  var sync = SyncStatus(server: "http://server.example")
  private var added = 0
  /// Where each item was when rows were read last: an item that went away still has its place in the order.
  private var lastPlaces: [String: Int] = [:]

  init(_ texts: [String], columns: Int = 80, rows: Int = 24, charset: Charset = .utf8) {
    self.init(items: texts.map { TodoItem(id: $0, text: $0) }, columns: columns, rows: rows, charset: charset)
  }

  init(items: [TodoItem], columns: Int = 80, rows: Int = 24, charset: Charset = .utf8) {
    self.items = items
    model = Model(size: Size(columns: columns, rows: rows), charset: charset)
    perform(firstEffects(model))
    tell(.painted)
    effects = []
  }

  var screen: String { view(model, text: .english).text }
  var frame: Frame { view(model, text: .english) }
  func row(_ number: Int) -> String {
    screen.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)[number]
  }
  var status: String { row(model.size.rows - 2) }
  var bottom: String { row(model.size.rows - 1) }
  var selected: String? { model.window.selectedItem?.text }
  /// The texts on the rows of the screen.
  var visible: [String] {
    Array(model.window.rows.dropFirst(model.window.top).prefix(model.window.height).map(\.text))
  }

  mutating func press(_ keys: Key...) {
    for key in keys { tell(.key(key)) }
  }

  mutating func type(_ text: String) {
    for scalar in text.unicodeScalars { press(.character(Character(scalar))) }
  }

  mutating func tell(_ message: Message) {
    perform(update(&model, message))
  }

  /// Answers the survey that the program would make now.
  mutating func survey(
    now: LocalMoment = LocalMoment(year: 2026, month: 11, day: 21, hour: 9, minute: 30), last: LocalMoment? = nil
  ) {
    let matching = shown(model.query)
    let item = model.window.selectedItem
    tell(
      .surveyed(
        Survey(
          query: model.query, matching: matching.count,
          overall: shown(TodoQuery(view: model.query.view)).count, located: item,
          position: item.flatMap { item in matching.firstIndex { $0.id == item.id } },
          status: StatusReport(sync: sync, lastSync: last, now: now))))
  }

  private mutating func perform(_ effects: [Effect]) {
    for effect in effects {
      if case .read(let query, let request) = effect {
        tell(.rowsRead(request, read(request, of: query)))
        continue
      }
      self.effects.append(effect)
      if let answer = answer(effect) { tell(answer) }
    }
  }

  private mutating func answer(_ effect: Effect) -> Message? {
    switch effect {
    case .add, .edit, .setComplete, .delete, .undo, .redo, .resolve: if let failure { return .failed(failure) }
    default: break
    }
    switch effect {
    case .add(let text):
      added += 1
      let item = TodoItem(id: "added \(added)", text: text, state: .waiting)
      items.append(item)
      return .added(item)
    case .edit(let id, let text, _): change(id) { $0.text = text }
    case .setComplete(let id, let complete): change(id) { $0.complete = complete }
    case .delete(let id): items.removeAll { $0.id == id }
    case .undo: return .reversed(.undo, reversal, items.first { $0.id == reversal?.itemID })
    case .redo: return .reversed(.redo, reversal, items.first { $0.id == reversal?.itemID })
    case .readConflicts: return .conflictsRead(conflicts)
    case .resolve(let id, _):
      conflicts.removeAll { $0.id == id }
      change(id) { _ in }
      return .resolved
    default: return nil
    }
    return .changed
  }

  private mutating func change(_ id: String, _ change: (inout TodoItem) -> Void) {
    for index in items.indices where items[index].id == id {
      change(&items[index])
      items[index].state = .waiting
    }
  }

  private func shown(_ query: TodoQuery) -> [TodoItem] {
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
    let place = { (item: TodoItem) -> Double in
      places[item.id].map { Double($0) } ?? Double(gone[item.id] ?? 0) - 0.5
    }
    let reader = RowReader(
      items: { _, anchor, count in
        switch anchor {
        case .first: Array(shown.prefix(count))
        case .last: Array(shown.suffix(count))
        case .after(let item): Array(shown.drop { place($0) <= place(item) }.prefix(count))
        case .before(let item): Array(shown.prefix { place($0) < place(item) }.suffix(count))
        }
      },
      item: { id in items.first { $0.id == id } })
    return (try? reader.read(request, of: query)) ?? RowPage(rows: [], startsAtFirst: true, endsAtLast: true)
  }
}

extension Desk {
  /// Items named `item 0`, `item 1` and so on.
  static func long(_ count: Int, columns: Int = 80, rows: Int = 24) -> Desk {
    Desk((0..<count).map { "item \($0)" }, columns: columns, rows: rows)
  }
}
