import TableProtocol

/// Deletions that a server lost when it was put back, or never heard of because it had lost the rows: another device
/// has sent the rows again since (sync-rules W4). The comparison right after the restore can't show them, so the
/// question about that restore did not include them.
struct UndoneDeletions {
  /// The server's time: what was later is lost. The earliest moment if that is not known.
  let since: Timestamp
  /// The rows as they are here.
  let tombstones: [RecordID: ServerSide]
}

extension StoreWriter {
  /// Notes the moment that the server of a table went back to, and this device's time when it found that out. If the
  /// moment is not known, what was noted of an earlier restore stays.
  func noteRestoration(of table: String, since: Timestamp?, foundAt: Timestamp) throws {
    let fact = SyncFact.restoration(of: table)
    if let since {
      try setFact(fact, "\(since.text) \(foundAt.text)")
    } else if try self.fact(fact) == nil {
      try setFact(fact, foundAt.text)
    }
  }
}

extension StoreReader {
  /// Returns those of the rows that the person here deleted without any server keeping that; nil if the server never
  /// went back. No given row may be here or have a pending change.
  ///
  /// Either the server had got the row after the moment that it went back to, and the person deleted it before this
  /// device found that out; or the server had lost the row when it was deleted, however late that was.
  func undoneDeletions(among records: [Record], in table: String) throws -> UndoneDeletions? {
    guard !records.isEmpty, let fact = try fact(SyncFact.restoration(of: table)) else { return nil }
    let moments = fact.split(separator: " ").compactMap { Timestamp($0) }
    guard let foundAt = moments.last else { return nil }
    let since = moments.count > 1 ? moments.first : nil
    let tombstones = try tombstones(among: records, in: table) { _, version, before in
      guard version.origin == .here else { return false }
      if before.wasDeletedWhileLost { return true }
      let isEarlier = version.changedAt.map { $0 <= foundAt } ?? false
      return isEarlier && since.map(before.isLater) ?? false
    }
    return UndoneDeletions(since: since ?? .epoch, tombstones: tombstones)
  }

  /// Returns the tombstones of rows that are live on the server and were deleted here, if the server lost the deletion.
  /// That is so if the deleted state is this copy or a later one. It is also so if it is later than `since`, the moment
  /// that the server went back to: then the copy is from somebody who did not know of the deletion. The tombstone of a row
  /// that is here means nothing.
  func tombstones(
    among records: [Record], in table: String, since: Timestamp? = nil
  ) throws -> [RecordID: ServerSide] {
    try tombstones(among: records, in: table) { record, _, before in
      since.map(before.isLater) ?? false || record.isNotLater(than: before)
    }
  }

  private func tombstones(
    among records: [Record], in table: String, where isUndone: (Record, PastVersion, _ before: Record) -> Bool
  ) throws -> [RecordID: ServerSide] {
    var tombstones: [RecordID: ServerSide] = [:]
    for (record, version) in try lastVersions(of: records, in: table) {
      guard let before = version.before, isUndone(record, version, before) else { continue }
      tombstones[record.id] = .tombstone(
        Record(id: record.id, values: before.values, system: SystemProperties(deleted: true)))
    }
    return tombstones
  }

  /// The last remembered change of those of the rows that are live on the server.
  private func lastVersions(of records: [Record], in table: String) throws -> [(Record, PastVersion)] {
    let live = records.filter { !$0.system.deleted }
    guard !live.isEmpty else { return [] }
    let versions = try pastVersions(ofItems: live.map(\.id), in: table)
    return live.compactMap { record in versions[record.id]?.last.map { (record, $0) } }
  }

  /// Returns the rows that the person here deleted, and that are live on the server in the state before that. No given
  /// row may be here or have a pending change.
  func lostDeletions(among records: [Record], _ table: String) throws -> [OlderCopy] {
    try lastVersions(of: records, in: table).compactMap { record, version in
      guard version.origin == .here, let before = version.before, let time = before.system.updatedAt else { return nil }
      return OlderCopy(record: record, known: time, hasKnownVersion: record.isSameState(as: before))
    }
  }
}

extension Record {
  /// True if the server stored it after this moment of its own.
  fileprivate func isLater(than moment: Timestamp) -> Bool { system.updatedAt.map { $0 > moment } ?? false }

  /// True if this is the state in which the row was deleted here. If the list had moved to another address before that,
  /// the version was not believed, and time and columns decide (W2).
  fileprivate func isSameState(as deleted: Record) -> Bool {
    guard let version = deleted.system.version else { return false }
    guard version == TrackedRow.voidVersion else { return version == system.version }
    return system.updatedAt == deleted.system.updatedAt && values.agrees(with: deleted.values)
  }

  /// Compares by the server's versions and times. This device's clock has no part in it.
  fileprivate func isNotLater(than deleted: Record) -> Bool {
    if let version = system.version, version == deleted.system.version { return true }
    guard let time = system.updatedAt, let last = deleted.system.updatedAt else { return false }
    return time <= last
  }
}
