import TableProtocol

/// A row whose change is marked as sent, and what is put to the server for it.
struct PushItem: Sendable {
  let table: String
  /// The row as it was marked.
  let row: TrackedRow
  let attempt: Attempt
  /// The place of the change in the journal.
  let place: Int64

  /// Returns nil for a row with nothing under way.
  init?(_ row: TrackedRow, in table: String) {
    guard let attempt = row.underWay, let place = row.places.underWay else { return nil }
    self.table = table
    self.row = row
    self.attempt = attempt
    self.place = place
  }

  /// A row that is to live again is first sent as a new one if the version of its tombstone is not known: without it
  /// the revival could overwrite what others made of the row.
  var change: RemoteChange {
    let version = row.base.version
    guard let want = attempt.want else { return .delete(table: table, id: row.id.text, base: version) }
    let record = Record(
      id: row.id.text, values: want, system: SystemProperties(createdAt: row.createdAt, version: version))
    switch row.kind(to: want) {
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

/// The next changes of the journal that can be sent together: changes of different rows.
struct PushBatch {
  private(set) var items: [PushItem] = []
  /// The last place of the journal that was looked at.
  private(set) var reached: Int64

  /// Marks changes as sent, in the transaction it is given, before their requests leave (Q10). Those `settled` are
  /// passed over, and those that a person has to decide about.
  init(
    after place: Int64, atMost limit: Int, passingOver settled: Set<Int64>, in store: any StoreWriter,
    _ environment: Environment
  ) throws {
    reached = place
    var tables: [String: [TableOperation]] = [:]
    var order: [String] = []
    var seen: Set<PushedRow> = []
    for operation in try store.operations(after: place, limit: limit) {
      // The second change of a row waits for the outcome of the first.
      guard seen.insert(PushedRow(operation)).inserted else { break }
      reached = operation.id
      if settled.contains(operation.id) { continue }
      if tables[operation.table] == nil { order.append(operation.table) }
      tables[operation.table, default: []].append(operation)
    }
    for table in order {
      try mark(tables[table] ?? [], in: table, store, environment)
    }
    items.sort { $0.place < $1.place }
    refusedLast(environment)
  }

  private mutating func mark(
    _ operations: [TableOperation], in table: String, _ store: any StoreWriter, _ environment: Environment
  ) throws {
    let places = Dictionary(
      operations.map { (RecordID($0.itemID), $0.id) }, uniquingKeysWith: { first, _ in first })
    var updates: [RowUpdate] = []
    for row in try store.trackedRows(operations.map(\.itemID), in: table) {
      // The chain of a row stops at its first change (Q14).
      guard row.places.underWay ?? row.places.waiting == places[row.id] else { continue }
      var marked = row
      marked.mark()
      if marked.underWay == nil, marked.attention == nil { marked.judge() }
      if marked != row { updates.append(RowUpdate(row, marked)) }
      if let item = PushItem(marked, in: table) { items.append(item) }
    }
    try RowStorage(table, in: store, environment).save(updates, .sync(environment.now()))
  }

  /// What was refused before goes last, and not in the same order every time: many refusals in a row must not keep the
  /// rest from being sent (Q2).
  private mutating func refusedLast(_ environment: Environment) {
    let refused = items.filter(\.row.isRefused)
    guard !refused.isEmpty else { return }
    let start = Int(environment.chance() * Double(refused.count)) % refused.count
    items = items.filter { !$0.row.isRefused } + refused[start...] + refused[..<start]
  }
}

private struct PushedRow: Hashable {
  let table: String
  let id: RecordID

  init(_ operation: TableOperation) {
    table = operation.table
    id = RecordID(operation.itemID)
  }
}
