package import TableProtocol

/// A copy of a row that is older than the one that the server gave before.
struct OlderCopy: Sendable, Hashable {
  let record: Record
  /// `updatedAt` of the newer copy.
  let known: Timestamp
  /// True if the two are one copy. The server has lost that this device deleted it.
  let hasKnownVersion: Bool

  func isOlder(byMoreThan milliseconds: Int64) -> Bool {
    guard let time = record.system.updatedAt else { return false }
    return hasKnownVersion ? time <= known : time.advanced(byMilliseconds: milliseconds) < known
  }
}

/// How far the copies of a page are believed.
struct PageTrust {
  /// True while the server promises that rows become visible in the order of their `updatedAt`.
  var isOrdered = false
  /// True if the server says by an epoch when it was put back.
  var announcesEpoch = false
  /// True if rows with a known version are compared column by column too: an answer or a row may have been damaged
  /// under its version.
  var comparesColumns = false
  /// The moment up to which all rows were read before. Nil if that says nothing of what comes now.
  var token: Timestamp?
  /// True during a comparison of all rows.
  var seesAll = false
  /// True if the query has no filter: a row that is gone here was deleted then, and did not leave the query.
  var isUnfiltered = false

  /// True if a copy that is older than the one here is judged only when all rows were seen: the server could have gone
  /// back without a word.
  var setsOlderAside: Bool { seesAll && !isOrdered && !announcesEpoch }
}

/// The changes that one page of server rows makes to the rows here.
package struct PulledPage {
  private let table: String
  private var updates: [RowUpdate] = []
  /// True if an older copy came of a row that is at rest here, or one of a row that was deleted after it. A server that
  /// promises order has gone back then.
  private(set) var hasOlder = false
  /// The older copies that were not taken, because the server may have gone back.
  private(set) var older: [OlderCopy] = []
  /// How many rows wait to be sent to the server again.
  private(set) var sentBack = 0
  /// The earliest time of a copy that may be put right by a later one, and that the token must not pass: it is older
  /// than one that came before, or news from before the token. A cache or a replica may have answered, and an older
  /// copy under a waiting change is left to its request, which may never be made (P13).
  private(set) var earliestUncertain: Timestamp?

  init(_ records: [Record], of table: String, trust: PageTrust, in store: any StoreReader) throws {
    self.table = table
    let ids = records.map(\.id)
    let pending = try store.pendingIDs(among: ids, in: table)
    let versions = try store.versions(of: ids, in: table)
    let isKnown = { (record: Record) in
      let id = record.id
      if pending.contains(id) { return false }
      guard let stored = versions[id] else { return record.system.deleted }
      return !record.system.deleted && record.system.version != nil && stored == record.system.version
    }
    let news = records.filter { !isKnown($0) }
    if trust.comparesColumns {
      let changed = Set(news.map { $0.id })
      try mend(records.filter { isKnown($0) && !$0.system.deleted && !changed.contains($0.id) }, store)
    }
    guard !news.isEmpty else { return }
    let gone = news.filter { versions[$0.id] == nil && !pending.contains($0.id) }
    if trust.setsOlderAside {
      older = try store.lostDeletions(among: gone, table).filter { $0.isOlder(byMoreThan: 0) }
    }
    var lost = Set(older.map(\.record.id))
    if trust.seesAll, trust.announcesEpoch, trust.isUnfiltered {
      // The question comes before they are here again.
      lost.formUnion(try store.tombstones(among: gone, in: table).keys)
      hasOlder = !lost.isEmpty
    }
    let undone = try store.undoneDeletions(among: gone, in: table)
    try judge(news.filter { !lost.contains($0.id) }, known: Set(versions.keys), undone, trust, store)
  }

  private mutating func judge(
    _ news: [Record], known: Set<RecordID>, _ undone: UndoneDeletions?, _ trust: PageTrust, _ store: any StoreReader
  ) throws {
    let here = news.map(\.id).filter { known.contains($0) }
    let rows = Dictionary(
      try here.isEmpty ? [] : store.records(here, in: table).map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    let before = try store.trackedRows(news.map(\.id), rows: rows, in: table)
    // A row that changes while the server makes the page may be in it twice.
    var places: [RecordID: Int] = Dictionary(minimumCapacity: news.count)
    updates.reserveCapacity(updates.count + news.count)
    for (stored, record) in zip(before, news) {
      let row = try store.recalling(stored, meeting: record, in: table)
      let place = places[row.id]
      var changed = place.map { updates[$0].after } ?? row
      let copy = ServerSide(record)
      let isAhead = changed.isAhead(of: copy)
      if trust.isOrdered, place == nil, row.isAtRest, isAhead { hasOlder = true }
      if trust.setsOlderAside, isAhead, place == nil, row.isAtRest, let known = row.server.updatedAt {
        older.append(OlderCopy(record: record, known: known, hasKnownVersion: false))
        continue
      }
      let last = changed
      if place == nil, let undone, let tombstone = undone.tombstones[row.id] {
        changed.serverWentBack(to: record, since: undone.since, deleted: tombstone)
      } else {
        changed.receive(page: copy, isOrdered: trust.isOrdered)
      }
      // Another database has an earlier state of it (D31).
      if row.looksForAncestor, place == nil, row.isAtRest, changed.attention == nil, changed.waits { sentBack += 1 }
      if !trust.isOrdered, let time = record.system.updatedAt {
        let isLate = trust.token.map { time < $0 && changed != last } ?? false
        if isAhead || isLate { earliestUncertain = min(earliestUncertain ?? time, time) }
      }
      if let place {
        updates[place] = RowUpdate(updates[place].before, changed)
      } else {
        places[row.id] = updates.count
        updates.append(RowUpdate(row, changed))
      }
    }
    updates.removeAll { $0.before == $0.after }
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
      mended.voidVersions()
      mended.receive(page: copy, isOrdered: false)
      if mended.local != row.local { updates.append(RowUpdate(row, mended)) }
    }
  }

  /// The changes by copies of rows with a pending change that were set aside, as earlier versions of the program did.
  /// Copies of other rows say nothing new.
  package init(setAside copies: [Record], of table: String, in store: any StoreReader) throws {
    let pending = try store.pendingIDs(among: copies.map(\.id), in: table)
    try self.init(copies.filter { pending.contains($0.id) }, of: table, trust: PageTrust(), in: store)
  }

  /// The changes for rows that a complete comparison did not find on the server. The rows `elsewhere` are of another
  /// database, and this one never had them.
  init(
    absent ids: [RecordID], elsewhere: Set<RecordID> = [], of table: String, in store: any StoreReader
  ) throws {
    self.table = table
    updates = try store.trackedRows(ids, in: table).compactMap { row in
      var changed = row
      if elsewhere.contains(row.id) {
        changed.receiveAbsenceElsewhere()
        if row.isAtRest, changed.waits { sentBack += 1 }
      } else {
        changed.receiveAbsence()
      }
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

  /// How many rows wait to be sent because of this page: those that the server gets again, and those whose question it
  /// ends.
  var toSend: Int {
    sentBack + updates.count { $0.before.attention != nil && $0.after.attention == nil && $0.after.waits }
  }

  /// Saves the news and returns how many rows changed, without those that are sent back.
  @discardableResult
  package func save(in store: any StoreWriter, _ cause: ChangeCause, _ environment: Environment) throws -> Int {
    try RowStorage(table, in: store, environment).save(updates, cause)
    return updates.count - sentBack
  }
}
