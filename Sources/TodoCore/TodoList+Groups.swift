package import OfflineSync
package import TableProtocol

/// Changes of several items that are one step of undo and redo. Items that are gone by now are passed over. `progress`
/// is called on the way, within the transaction: it must not use the list. If it answers `.stop`, the rest stays
/// unchanged.
extension TodoList {
  /// Adds an item for each text, in this order; texts of nothing but white space are passed over. Throws
  /// `TodoError.emptyText` when nothing is left.
  @discardableResult
  package func add(_ texts: [String]) throws -> [TodoItem] {
    let today = today()
    let lines = texts.compactMap { try? TodoText.checked($0, today: today) }
    guard !lines.isEmpty else { throw TodoError.emptyText }
    let records = try items.insert(lines.map(TodoColumn.newItem)) {
      try drafts.savedNew(in: $0)
    }
    return records.map { TodoItem($0, .waiting(.insert)) }
  }

  /// Returns how many items were changed: not those that were so already.
  @discardableResult
  package func setComplete(
    _ ids: [RecordID], _ complete: Bool, progress: (BulkProgress) -> BulkProgress.Answer = { _ in .goOn }
  ) throws -> Int {
    try items.update(ids, progress: progress) { _ in [TodoColumn.complete: .bool(complete)] }
  }

  /// Returns how many items were deleted.
  @discardableResult
  package func delete(_ ids: [RecordID], progress: (BulkProgress) -> BulkProgress.Answer = { _ in .goOn }) throws -> Int
  {
    try items.delete(ids, progress: progress)
  }

  /// Gives items the texts that were typed for them. An item stays as it is if its text has changed since it was seen, or
  /// if the typed one is empty. Returns why texts were not saved.
  package func edit(_ edits: [RecordID: TypedText]) throws -> [RecordID: EditObstacle] {
    let today = today()
    var obstacles = edits.mapValues { _ in EditObstacle.gone }
    try items.update(Array(edits.keys)) { row in
      obstacles[row.id] = nil
      guard let edit = edits[row.id], let line = try? TodoText.checked(edit.text, today: today) else { return [:] }
      let now = row.values[TodoColumn.text]?.text ?? ""
      guard now == edit.seen else {
        obstacles[row.id] = .overtaken(text: now)
        return [:]
      }
      return [TodoColumn.text: .text(line)]
    }
    return obstacles
  }

  /// Gives each item the text that `text` makes of its own. One of which nothing would be left stays as it is.
  /// Returns how many items were changed.
  @discardableResult
  package func rewrite(
    _ ids: [RecordID], progress: (BulkProgress) -> BulkProgress.Answer = { _ in .goOn }, _ text: (String) -> String
  ) throws -> Int {
    let today = today()
    return try items.update(ids, progress: progress) { row in
      let old = row.values[TodoColumn.text]?.text ?? ""
      let new = text(old)
      guard new != old, let line = try? TodoText.checked(new, today: today) else { return [:] }
      return [TodoColumn.text: .text(line)]
    }
  }
}

/// Why a text that was typed for an item was not saved.
package enum EditObstacle: Sendable, Hashable {
  /// A sync or another program gave the item another text, which it has now.
  case overtaken(text: String)
  /// The item was deleted.
  case gone
}

/// A text that was typed for an item, and the one it had then.
package struct TypedText: Sendable, Hashable {
  package let text: String
  package let seen: String

  package init(text: String, seen: String) {
    self.text = text
    self.seen = seen
  }
}
