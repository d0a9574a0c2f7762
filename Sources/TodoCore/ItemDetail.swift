import OfflineSync
package import TableProtocol

/// Everything known about an item.
package struct ItemDetail: Equatable, Sendable {
  package var item: TodoItem
  package var handle: String
  /// The change of it that waits.
  package var change: WaitingChange?
  /// How many versions of it this device has seen.
  package var versions: Int

  package init(item: TodoItem, handle: String, change: WaitingChange? = nil, versions: Int = 1) {
    self.item = item
    self.handle = handle
    self.change = change
    self.versions = versions
  }
}

extension TodoList {
  /// Nil for an item that is gone. Throws `StoreError`.
  package func detail(of id: RecordID) throws -> ItemDetail? {
    guard let found = try item(id) else { return nil }
    let item = try context.store.read { try withCompletions([found], $0) }.first ?? found
    return ItemDetail(
      item: item, handle: try handle(of: id), change: try waitingChange(of: id), versions: try story(of: id).count)
  }
}
