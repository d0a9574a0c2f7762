import OfflineSync
package import TableProtocol

/// What items were.
extension TodoList {
  /// The versions of an item that this device has seen, newest first: the first of them is what it is now. The newest
  /// 50 that are past are kept. Empty for an item that nothing is known of.
  package func story(of id: RecordID) throws -> [ItemVersion] {
    try context.store.read { store in
      ItemVersion.story(
        now: try store.record(id, in: Self.table), changes: try store.pastVersions(of: id, in: Self.table))
    }
  }

  /// Makes an item again what it was in one of its versions, also when it was deleted: a new change, which can be
  /// undone. Throws `TodoError.notFound` when that version is not remembered, or the item was deleted then.
  package func restore(_ id: RecordID, to number: Int64) throws {
    do {
      try items.restore(id, toVersion: number)
    } catch SyncTableError.notFound {
      throw TodoError.notFound
    }
  }
}

extension ItemVersion {
  /// Newest first.
  static func story(now row: Record?, changes: [PastVersion]) -> [ItemVersion] {
    var story: [ItemVersion] = []
    var record = row
    for change in changes.reversed() {
      story.append(
        ItemVersion(
          number: change.number, copy: record.map(TodoCopy.init), madeAt: change.changedAt?.date,
          origin: change.origin))
      record = change.before
    }
    if let record {
      let isOwn = record.system.version == nil
      let time = isOwn ? record.system.createdAt : record.system.updatedAt
      story.append(
        ItemVersion(
          number: (changes.first?.number ?? 1) - 1, copy: TodoCopy(record), madeAt: time?.date,
          origin: isOwn ? .here : .server))
    }
    return story
  }
}
