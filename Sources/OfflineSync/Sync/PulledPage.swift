import TableProtocol

/// The changes that one page of server rows makes to the rows here.
struct PulledPage {
  private let table: String
  private var updates: [RowUpdate] = []

  init(_ records: [Record], in table: String, isOrdered: Bool, _ store: any StoreReader) throws {
    self.table = table
    let ids = records.map(\.id)
    let pending = Set(try store.operations(ofItems: ids, in: table).map(\.itemID))
    let versions = try store.versions(of: ids, in: table)
    let news = records.filter { record in
      let id = record.id
      if pending.contains(id) { return true }
      guard let stored = versions[id] else { return !record.system.deleted }
      return record.system.deleted || record.system.version == nil || stored != record.system.version
    }
    guard !news.isEmpty else { return }
    try judge(news, known: Set(versions.keys), isOrdered, store)
  }

  private mutating func judge(
    _ news: [Record], known: Set<RecordID>, _ isOrdered: Bool, _ store: any StoreReader
  ) throws {
    let here = news.map(\.id).filter { known.contains($0) }
    let rows = Dictionary(
      try here.isEmpty ? [] : store.records(here, in: table).map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    let before = try store.trackedRows(news.map(\.id), rows: rows, in: table)
    // A row that changes while the server makes the page may be in it twice.
    var places: [RecordID: Int] = [:]
    var after: [RowUpdate] = []
    after.reserveCapacity(news.count)
    for (row, record) in zip(before, news) {
      let place = places[row.id]
      var changed = place.map { after[$0].after } ?? row
      changed.receive(page: record, isOrdered: isOrdered)
      if let place {
        after[place] = RowUpdate(after[place].before, changed)
      } else {
        places[row.id] = after.count
        after.append(RowUpdate(row, changed))
      }
    }
    updates = after.filter { $0.before != $0.after }
  }

  /// The changes for rows that a complete comparison did not find on the server.
  init(absent ids: [RecordID], from table: String, _ store: any StoreReader) throws {
    self.table = table
    updates = try store.trackedRows(ids, in: table).compactMap { row in
      var changed = row
      changed.receiveAbsence()
      return changed == row ? nil : RowUpdate(row, changed)
    }
  }

  /// The ids of the rows that leave the list.
  var removals: [RecordID] { updates.filter { $0.before.local != nil && $0.after.local == nil }.map(\.before.id) }

  var hasNews: Bool { !updates.isEmpty }

  /// Saves the news and returns how many rows changed.
  func save(in store: any StoreWriter, _ cause: ChangeCause, _ environment: Environment) throws -> Int {
    try RowStorage(table, in: store, environment).save(updates, cause)
    return updates.count
  }
}
