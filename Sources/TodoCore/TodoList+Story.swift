package import FoundationEssentials
package import OfflineSync
package import TableProtocol

/// The past versions of items.
extension TodoList {
  /// Returns the versions of an item that this device has seen, newest first: the first one is the present. The newest
  /// 50 past versions are kept. Returns none for an unknown item.
  package func story(of id: RecordID) throws -> [ItemVersion] {
    try context.store.read { store in
      ItemVersion.story(
        now: try store.record(id, in: Self.table), changes: try store.pastVersions(of: id, in: Self.table))
    }
  }

  /// Restores an item to one of its versions, also if it was deleted since. This is a new change, which can be undone.
  /// Throws `TodoError.notFound` if that version is not kept, or the item was deleted then. Returns false if it is the
  /// present one.
  @discardableResult
  package func restore(_ id: RecordID, to number: Int64) throws -> Bool {
    do {
      return try items.restore(id, toVersion: number)
    } catch SyncTableError.notFound {
      throw TodoError.notFound
    }
  }
}

extension TodoList {
  func withCompletions(_ items: [TodoItem], _ store: any StoreReader) throws -> [TodoItem] {
    let moments = try Self.completions(of: items.filter(\.complete).map(\.id), store)
    guard !moments.isEmpty else { return items }
    return items.map { item in
      var item = item
      item.completedAt = moments[item.id]
      return item
    }
  }

  /// When these items, which are complete, became so, by their ids.
  static func completions(of complete: [RecordID], _ store: any StoreReader) throws -> [RecordID: Timestamp] {
    guard !complete.isEmpty else { return [:] }
    return try store.pastVersions(ofItems: complete, in: table).compactMapValues {
      PastVersion.turn(of: TodoColumn.complete, in: $0)
    }
  }
}

/// One version of an item that this device has seen.
package struct ItemVersion: Sendable, Hashable {
  /// Grows with time. Names the version within its item.
  package let number: Int64
  /// Nil if the item was deleted then.
  package let copy: TodoCopy?
  /// When the change was made: by this device's clock if it was made here, else by the server's. Nil if not known.
  package let madeAt: Date?
  /// Where the change came from.
  package let origin: RowOrigin

  package init(number: Int64, copy: TodoCopy?, madeAt: Date?, origin: RowOrigin) {
    self.number = number
    self.copy = copy
    self.madeAt = madeAt
    self.origin = origin
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
