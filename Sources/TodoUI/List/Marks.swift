import TodoCore

/// The items the next command is to act on, when that is not the chosen one.
struct Marks: Equatable, Sendable {
  /// By id, whether each was done when it was marked.
  private(set) var items: [String: Bool] = [:]
  /// Where a range that is being drawn begins; it ends at the chosen item.
  private(set) var anchor: TodoItem?
  /// A change of all of them was asked for.
  private(set) var isActing = false

  var isEmpty: Bool { items.isEmpty && anchor == nil }
  var ids: [String] { items.keys.sorted() }

  func contains(_ id: String) -> Bool { items[id] != nil }

  /// True when each is done already.
  var areComplete: Bool { !items.isEmpty && items.values.allSatisfy(\.self) }

  mutating func toggle(_ item: TodoItem) {
    if items.removeValue(forKey: item.id) == nil { items[item.id] = item.complete }
  }

  /// To mark all when all are marked takes the marks away.
  mutating func add(_ marked: [Marked], isRange: Bool) {
    if !isRange && marked.allSatisfy({ contains($0.id) }) { return clear() }
    for item in marked { items[item.id] = item.complete }
  }

  mutating func act() { isActing = !items.isEmpty }

  mutating func beginRange(at item: TodoItem?) { anchor = item }
  mutating func endRange() { anchor = nil }

  mutating func clear() {
    isActing = false
    items = [:]
    anchor = nil
  }
}
