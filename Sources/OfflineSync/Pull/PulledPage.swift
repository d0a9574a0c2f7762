import TableProtocol

/// What one page of server rows means for the rows that are here: which are news, which must wait
/// behind a pending change, which are already known.
struct PulledPage {
  private var fresh: [Record] = []
  /// Those of them that are here in another version.
  private var known: [String] = []
  private var tombstones: [Record] = []
  /// Rows with a pending change: kept aside, since a server does not offer them again (offline-sync P13).
  private var shadows: [Record] = []
  private let table: String

  init(_ records: [Record], in table: String, _ store: any StoreReader) throws {
    self.table = table
    let pending = Dictionary(
      grouping: try store.operations(ofItems: records.map(\.id), in: table), by: \.itemID)
    let versions = try store.versions(of: records.map(\.id), in: table)
    for record in records {
      if let operations = pending[record.id] {
        let isBase = operations.contains { $0.base?.system.version == record.system.version }
        if try !isBase && store.shadow(of: record.id, in: table)?.system.version != record.system.version {
          shadows.append(record)
        }
        continue
      }
      let stored = versions[record.id]
      if record.system.deleted {
        if stored != nil { tombstones.append(record) }
      } else if record.system.version == nil || stored != .some(record.system.version) {
        if stored != nil { known.append(record.id) }
        fresh.append(try record.withLocalCreationTime(ifNotIn: table, store))
      }
    }
  }

  /// The rows it takes away.
  var removals: [String] { tombstones.map(\.id) }

  var hasNews: Bool {
    !(fresh.isEmpty && tombstones.isEmpty && shadows.isEmpty)
  }

  /// Stores the news and returns how many rows changed.
  func store(_ store: any StoreWriter, on occasion: Occasion) throws -> Int {
    if !tombstones.isEmpty {
      let times = tombstones.reduce(into: [:]) { $0[$1.id] = $1.system.updatedAt }
      try store.take(tombstones.map(\.id), from: table, on: occasion, at: times)
    }
    let before = try known.isEmpty ? [] : store.records(known, in: table)
    try store.put(
      fresh, in: table, on: occasion, knowing: Dictionary(before.map { ($0.id, $0) }, uniquingKeysWith: { $1 }))
    for shadow in shadows {
      try store.setShadow(shadow, in: table)
    }
    return fresh.count + tombstones.count
  }
}

extension Record {
  /// Protocol 3.0.0 says nothing of when a row was made. Then the first change of it that this
  /// device saw stands in, so that lists have an order that stays.
  func withLocalCreationTime(ifNotIn table: String, _ store: any StoreReader) throws -> Record {
    guard system.createdAt == nil, try store.record(id, in: table)?.system.createdAt == nil else { return self }
    var copy = self
    copy.system.createdAt = system.updatedAt
    return copy
  }
}
