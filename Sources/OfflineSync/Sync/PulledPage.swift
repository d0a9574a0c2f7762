package import TableProtocol

/// The changes that one page of server rows makes to the rows here.
package struct PulledPage {
  private let table: String
  private var updates: [RowUpdate] = []
  /// True if an older copy came of a row that is at rest here. A server that promises order has gone back then.
  private(set) var hasOlder = false
  /// How many rows wait to be sent to the server again.
  private(set) var sentBack = 0
  /// The time of the oldest copy that waits for the request of a change: see ``TrackedRow/passesOver(_:isOrdered:)``.
  private(set) var passedOver: Timestamp?

  /// `comparesColumns` says that a known version is no proof: an answer or a row may have been damaged under it.
  init(
    _ records: [Record], in table: String, isOrdered: Bool, comparesColumns: Bool = false, _ store: any StoreReader
  ) throws {
    self.table = table
    let ids = records.map(\.id)
    let pending = Set(try store.operations(ofItems: ids, in: table).map(\.itemID))
    let versions = try store.versions(of: ids, in: table)
    let isKnown = { (record: Record) in
      let id = record.id
      if pending.contains(id) { return false }
      guard let stored = versions[id] else { return record.system.deleted }
      return !record.system.deleted && record.system.version != nil && stored == record.system.version
    }
    let news = records.filter { !isKnown($0) }
    if comparesColumns {
      let changed = Set(news.map { $0.id })
      try mend(records.filter { isKnown($0) && !$0.system.deleted && !changed.contains($0.id) }, store)
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
      if isOrdered, place == nil, row.isAhead(of: record) { hasOlder = true }
      if changed.passesOver(record, isOrdered: isOrdered) {
        passedOver = [passedOver, record.system.updatedAt].compactMap(\.self).min()
      }
      changed.receive(page: record, isOrdered: isOrdered)
      if let place {
        after[place] = RowUpdate(after[place].before, changed)
      } else {
        places[row.id] = after.count
        after.append(RowUpdate(row, changed))
      }
    }
    updates += after.filter { $0.before != $0.after }
  }

  /// Takes the copies of rows whose version is known and whose columns are others here. None has a pending change.
  private mutating func mend(_ known: [Record], _ store: any StoreReader) throws {
    let rows = Dictionary(
      try store.records(known.map(\.id), in: table).map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    let others = Dictionary(
      known.compactMap { copy in
        rows[copy.id].flatMap { $0.holdsTheSame(as: copy) ? nil : (copy.id, copy) }
      }, uniquingKeysWith: { $1 })
    guard !others.isEmpty else { return }
    for row in try store.trackedRows(others.keys.sorted(), rows: rows, in: table) {
      guard let copy = others[row.id] else { continue }
      var mended = row
      mended.doubtVersions()
      mended.receive(page: copy, isOrdered: false)
      if mended.local != row.local { updates.append(RowUpdate(row, mended)) }
    }
  }

  /// The changes by copies of rows with a pending change that were set aside, as earlier versions of the program did.
  /// Copies of other rows say nothing new.
  package init(setAside copies: [Record], in table: String, _ store: any StoreReader) throws {
    let pending = Set(try store.operations(ofItems: copies.map(\.id), in: table).map { $0.itemID })
    try self.init(copies.filter { pending.contains($0.id) }, in: table, isOrdered: false, store)
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

  /// The same page for a person who wants what the server would take away to be there again (W7).
  func sendingRemovalsBack() -> PulledPage {
    var page = self
    page.updates = updates.map { update in
      guard update.before.isAtRest, update.before.local != nil, update.after.local == nil else { return update }
      var row = update.before
      row.sendBack(over: update.after.server)
      page.sentBack += 1
      return RowUpdate(update.before, row)
    }
    return page
  }

  var hasNews: Bool { !updates.isEmpty }

  /// Saves the news and returns how many rows changed, without those that are sent back.
  @discardableResult
  package func save(in store: any StoreWriter, _ cause: ChangeCause, _ environment: Environment) throws -> Int {
    try RowStorage(table, in: store, environment).save(updates, cause)
    return updates.count - sentBack
  }
}
