import TableProtocol

/// The next changes of the journal that can be sent together: changes of different rows.
///
/// Making a batch marks nothing. Each change is marked just before its request, so that a change that was never sent
/// can be undone without a trace, also after a crash (Q10).
struct PushBatch: Sendable {
  /// The largest number of its changes. Between two batches the line is empty, so that a large number is faster; with
  /// 10,000 a push takes some 60 MiB at the most.
  private static let most = 10_000

  private(set) var items: [PushItem] = []
  /// The last place of the journal that was read.
  private(set) var reached: Int64
  /// Rows whose change has nothing to send any more.
  private var idle: [PushedRow] = []

  /// Makes the batch of the journal after a place. Leaves out the places of `passedOver`, and rows that a person has to
  /// decide about.
  init(
    after place: Int64, passingOver passedOver: Set<Int64>, in store: any StoreReader, _ environment: Environment
  ) throws {
    let next = Self.first(of: try store.operations(after: place, limit: Self.most))
    reached = next.last?.id ?? place
    let wanted = passedOver.isEmpty ? next : next.filter { !passedOver.contains($0.id) }[...]
    for (table, operations) in Dictionary(grouping: wanted, by: \.table) {
      try add(operations, of: table, isFirst: place == 0, store)
    }
    items.sort { $0.place < $1.place }
    refusedLast(environment)
  }

  /// The changes up to the second one of a row: that one waits for the outcome of the first.
  private static func first(of operations: [TableOperation]) -> ArraySlice<TableOperation> {
    var seen: Set<PushedRow> = Set(minimumCapacity: operations.count)
    return operations.prefix { seen.insert(PushedRow($0)).inserted }
  }

  private mutating func add(
    _ operations: [TableOperation], of table: String, isFirst: Bool, _ store: any StoreReader
  ) throws {
    let places = Dictionary(
      operations.map { ($0.itemID, $0.id) }, uniquingKeysWith: { first, _ in first })
    let meetsOtherDatabase = try store.meetsOtherDatabase(table)
    // A change that was never sent is the only one of its row, unless it waits behind one that was: that one may lie
    // before this part of the journal.
    let isAlone = { (operation: TableOperation) in isFirst && !operation.isMarked }
    let chained = operations.filter { !isAlone($0) }.map(\.itemID)
    let all =
      try chained.isEmpty
      ? operations : operations.filter(isAlone) + store.operations(ofItems: chained, in: table)
    for row in try store.trackedRows(operations.map(\.itemID), operations: all, in: table) {
      // The chain of a row stops at its first change (Q14).
      guard row.places.underWay ?? row.places.waiting == places[row.id] else { continue }
      let marked = row.marked
      if let item = PushItem(marked, in: table, meetsOtherDatabase: meetsOtherDatabase) {
        items.append(item)
      } else if marked != row {
        idle.append(PushedRow(table: table, id: row.id))
      }
    }
  }

  /// Puts refused changes at the end, in a different order each time: many refusals must not keep the other changes
  /// from being sent (Q2).
  private mutating func refusedLast(_ environment: Environment) {
    let refused = items.filter(\.row.isRefused)
    guard !refused.isEmpty else { return }
    let start = Int(environment.chance() * Double(refused.count)) % refused.count
    items = items.filter { !$0.row.isRefused } + refused[start...] + refused[..<start]
  }

  /// Removes changes from the journal that have nothing to send.
  func dropIdle(in store: any LocalStore, _ environment: Environment) throws {
    guard !idle.isEmpty else { return }
    try store.write { store in
      for (table, rows) in Dictionary(grouping: idle, by: \.table) {
        let updates = try store.trackedRows(rows.map(\.id), in: table).map { RowUpdate($0, $0.marked) }
        try RowStorage(table, in: store, environment).save(
          updates.filter { $0.after.underWay == nil && $0.before != $0.after }, .sync(environment.now()))
      }
    }
  }

  /// Marks the changes that are still those of this batch, and returns them by index. The others were edited, undone or
  /// decided about meanwhile. If `isUnchanged`, nobody else wrote to the store since the batch was made, and no row is
  /// loaded again.
  func mark(
    _ indices: [Int], in store: any StoreWriter, isUnchanged: Bool, _ environment: Environment
  ) throws -> [Int: PushItem] {
    var going: [Int: PushItem] = [:]
    if isUnchanged {
      for index in indices { going[index] = items[index] }
      try store.mark(going.values.filter { !$0.attempt.isRepeat }.map(\.place))
      return going
    }
    for (table, indices) in Dictionary(grouping: indices, by: { items[$0].table }) {
      var updates: [RowUpdate] = []
      let meetsOtherDatabase = try store.meetsOtherDatabase(table)
      for (index, row) in zip(indices, try store.trackedRows(indices.map { items[$0].row.id }, in: table)) {
        let marked = row.marked
        guard let item = PushItem(marked, in: table, meetsOtherDatabase: meetsOtherDatabase),
          item.sendsTheSame(as: items[index])
        else { continue }
        going[index] = item
        if marked != row { updates.append(RowUpdate(row, marked)) }
      }
      try RowStorage(table, in: store, environment).save(updates, .sync(environment.now()))
    }
    return going
  }
}

extension PushItem {
  fileprivate func sendsTheSame(as other: PushItem) -> Bool {
    place == other.place && (row == other.row || change == other.change)
  }
}

/// A row by its table and id: rows of two tables may have the same id.
struct PushedRow: Hashable {
  let table: String
  let id: RecordID

  init(table: String, id: RecordID) {
    self.table = table
    self.id = id
  }

  init(_ operation: TableOperation) {
    self.init(table: operation.table, id: operation.itemID)
  }

  init(_ item: PushItem) {
    self.init(table: item.table, id: item.row.id)
  }
}

/// A row with its change marked as sent, and the change that the server gets.
///
/// A class, because a copy of all columns and versions costs as much as reading the answer to the change.
final class PushItem: Sendable {
  let table: String
  /// The row as it was marked.
  let row: TrackedRow
  let attempt: Attempt
  /// The place of the change in the journal.
  let place: Int64
  let change: RemoteChange

  /// Returns nil for a row with nothing under way. `meetsOtherDatabase` is true if the table meets another database: a
  /// void version says nothing then, and the row may not be there at all.
  init?(_ row: TrackedRow, in table: String, meetsOtherDatabase: Bool = false) {
    guard let attempt = row.underWay, let place = row.places.underWay else { return nil }
    self.table = table
    self.row = row
    self.attempt = attempt
    self.place = place
    change = Self.change(of: row, to: attempt.want, in: table, meetsOtherDatabase: meetsOtherDatabase)
  }

  /// A row that is to live again is first sent as a new one if the version of its tombstone is not known: without it
  /// the revival could overwrite what others made of the row. `want` is nil for a deletion.
  private static func change(
    of row: TrackedRow, to want: Columns?, in table: String, meetsOtherDatabase: Bool
  ) -> RemoteChange {
    let version = row.base.version
    guard let want else { return .delete(table: table, id: row.id, base: version) }
    let record = Record(
      id: row.id, values: want, system: SystemProperties(createdAt: row.createdAt, version: version))
    switch row.kind(to: want) {
    // Sent as a new row. If the database has the row, the answer shows its copy, and both are merged. If it has not,
    // nobody deleted the row there.
    case .update where meetsOtherDatabase && version == TrackedRow.voidVersion:
      return .insert(
        table: table, Record(id: row.id, values: want, system: SystemProperties(createdAt: row.createdAt)))
    case .update:
      let known = row.base.live ?? [:]
      let changed = want.filter { name, value in known[name] != value }
      return .update(table: table, whole: record, changed: changed, base: version)
    case .revival where version != nil:
      return .undelete(table: table, whole: record, changed: want, base: version)
    case .insert, .revival, .delete:
      return .insert(table: table, record)
    }
  }
}
