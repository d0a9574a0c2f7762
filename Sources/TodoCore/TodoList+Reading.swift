import OfflineSync
import TableProtocol

extension TodoList {
  /// At most `count` items next to the anchor, in the order of the list: oldest first.
  /// Costs the same wherever in the list the anchor is.
  package func items(_ query: TodoQuery, _ anchor: TodoAnchor, count: Int) throws -> [TodoItem] {
    try context.store.read { try items(query, anchor, count: count, $0) }
  }

  private func items(
    _ query: TodoQuery, _ anchor: TodoAnchor, count: Int, _ store: any StoreReader
  ) throws -> [TodoItem] {
    let records = try store.records(rows(query, anchor, count: count)).records
    return try withStates(anchor.isBackward ? records.reversed() : records, store)
  }

  /// The rows next to the anchor, the nearest first.
  func rows(_ query: TodoQuery, _ anchor: TodoAnchor, count: Int) -> TableQuery {
    let ascending = !anchor.isBackward
    return TableQuery(
      table: Self.table, filter: .all([query.condition, anchor.condition].compactMap(\.self)),
      order: [
        SortKey(SystemColumn.createdAt, ascending: ascending), SortKey(SystemColumn.id, ascending: ascending),
      ],
      limit: count)
  }

  /// All items the query finds, in order, in runs of at most `size`, as the store is at one moment. What
  /// `body` throws ends it.
  package func forEachRun(of query: TodoQuery, size: Int, _ body: ([TodoItem]) throws -> Void) throws {
    try context.store.read { store in
      var anchor = TodoAnchor.first
      while true {
        let run = try items(query, anchor, count: size, store)
        try body(run)
        guard run.count == size, let last = run.last else { return }
        anchor = .after(last)
      }
    }
  }

  package func item(_ id: String) throws -> TodoItem? {
    try context.store.read { store in
      guard let record = try store.record(id, in: Self.table) else { return nil }
      return try withStates([record], store).first
    }
  }

  /// How many items the query finds. Looks at all of them: not for the main thread.
  package func count(_ query: TodoQuery) throws -> Int {
    try context.store.read { try $0.count(TableQuery(table: Self.table, filter: query.condition)) }
  }

  /// How many items of the query come before this one. Looks at all of them: not for the main thread.
  package func position(of item: TodoItem, in query: TodoQuery) throws -> Int {
    let before = Filter.all([query.condition, TodoAnchor.before(item).condition].compactMap(\.self))
    return try context.store.read { try $0.count(TableQuery(table: Self.table, filter: before)) }
  }

  func withStates(_ records: [Record], _ store: any StoreReader) throws -> [TodoItem] {
    let arrived = Set(try store.arrivals(ofItems: records.map(\.id), in: Self.table).map(\.itemID))
    guard !arrived.isEmpty else { return try withSyncStates(records, store) }
    return try withSyncStates(records, store).map { item in
      var item = item
      item.hasArrived = arrived.contains(item.id)
      return item
    }
  }

  private func withSyncStates(_ records: [Record], _ store: any StoreReader) throws -> [TodoItem] {
    let ids = records.map(\.id)
    let operations = Dictionary(grouping: try store.operations(ofItems: ids, in: Self.table), by: \.itemID)
    guard !operations.isEmpty else { return records.map { TodoItem($0, state: .synced) } }
    let errors = Dictionary(
      try store.operationErrors(ofItems: ids, in: Self.table).map { ($0.itemID, $0) }, uniquingKeysWith: { $1 })
    return records.map { record in
      let pending = operations[record.id] ?? []
      return TodoItem(
        record, state: ItemState(operations: pending, error: errors[record.id]), pending: PendingChange(pending))
    }
  }
}
