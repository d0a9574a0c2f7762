package import TableProtocol
import TodoCore

/// The items the next command is to act on, when that is not the chosen one.
struct Marks: Equatable, Sendable {
  /// By id, whether each was done when it was marked.
  private(set) var items: [RecordID: Bool] = [:]
  /// Where a range that is being drawn begins; it ends at the chosen item.
  var anchor: TodoItem?
  /// A change of all of them was asked for.
  private(set) var isActing = false

  var isEmpty: Bool { items.isEmpty && anchor == nil }
  var ids: [RecordID] { items.keys.sorted() }

  func contains(_ id: RecordID) -> Bool { items[id] != nil }

  /// True when each is done already.
  var areComplete: Bool { !items.isEmpty && items.values.allSatisfy(\.self) }

  mutating func toggle(_ item: TodoItem) {
    if items.removeValue(forKey: item.id) == nil { items[item.id] = item.complete }
  }

  mutating func add(_ marked: [Marked]) {
    for item in marked { items[item.id] = item.complete }
  }

  mutating func act() { isActing = true }

  mutating func clear() {
    isActing = false
    items = [:]
    anchor = nil
  }
}

/// An item as a mark knows it.
package struct Marked: Equatable, Sendable {
  package let id: RecordID
  package let complete: Bool

  package init(id: RecordID, complete: Bool) {
    self.id = id
    self.complete = complete
  }
}
