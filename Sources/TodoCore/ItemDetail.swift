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
    guard var item = try item(id) else { return nil }
    let versions = try context.store.read { store in
      let changes = try store.pastVersions(of: id, in: Self.table)
      item.completedAt = item.complete ? PastVersion.turn(of: TodoColumn.complete, in: changes) : nil
      return ItemVersion.story(now: try store.record(id, in: Self.table), changes: changes).count
    }
    return ItemDetail(item: item, handle: try handle(of: id), change: try waitingChange(of: id), versions: versions)
  }
}
