import OfflineSync
import TableProtocol

/// What changes say of the database that they are meant for (`x-ebb-epoch` and `x-ebb-newest`).
struct Meant {
  let epoch: DatabaseEpoch?
  /// The newest moment that their sender has read.
  let reached: Timestamp?
}

/// What a server of each family makes of a change (wire 7, 8, 16).
extension SimulatedServer {
  /// True if it runs changes that are meant for this; those that name no epoch are meant for any.
  func takes(_ meant: Meant) -> Bool {
    guard manners.family == .ebb, let wanted = meant.epoch else { return true }
    return wanted == epoch && !(meant.reached.map(isBehind) ?? false)
  }

  func apply(_ change: RemoteChange, meant: Meant, at clock: Int64, by party: Party) -> RemoteAnswer {
    if refused.contains(change.id) { return Self.refusal }
    if forbidden.contains(change.id) { return Self.prohibition }
    if let code { return run(change, code, meant, clock, party) }
    return switch change {
    case .insert(_, let record): insert(record, clock, party)
    case .update(_, let whole, let changed, let base): update(whole, changed, base, clock, party)
    case .delete(_, let id, let base): delete(id, base, clock, party)
    case .undelete(_, let whole, let changed, let base): undelete(whole, changed, base, clock, party)
    }
  }

  /// What it says to a change it will not have.
  static let refusal = RemoteAnswer.refused(status: 400, message: "not today")

  /// What it says of a row that is not the user's to write.
  static let prohibition = RemoteAnswer.refused(status: 403, message: "not yours")

  private func insert(_ new: Record, _ clock: Int64, _ party: Party) -> RemoteAnswer {
    if let row = rows[new.id] {
      return .conflict(status: 409, manners.family == .node ? nil : record(row))
    }
    let stamp = stamp(clock)
    let row = ServerRow(id: new.id, values: new.values, created: stamp, updated: stamp)
    return .accepted(record(store(row, by: party)))
  }

  private func update(
    _ whole: Record, _ changed: [String: FieldValue], _ base: RecordVersion?, _ clock: Int64, _ party: Party
  ) -> RemoteAnswer {
    guard var row = rows[whole.id] else { return .gone(status: 404) }
    if let refusal = refusal(row, base, isDelete: false) { return refusal }
    switch manners.version {
    case .v2: row.values.merge(changed) { $1 }
    // Whoever puts a whole row reads its other columns before that: client and server together keep them.
    case .v3: row.values.merge(whole.values) { $1 }
    }
    row.updated = stamp(clock)
    return .accepted(record(store(row, by: party)))
  }

  private func delete(
    _ id: RecordID, _ base: RecordVersion?, _ clock: Int64, _ party: Party
  ) -> RemoteAnswer {
    guard var row = rows[id] else { return .gone(status: 404) }
    if let refusal = refusal(row, base, isDelete: true) { return refusal }
    row.deleted = true
    row.updated = stamp(clock)
    let stored = store(row, by: party)
    return .accepted(manners.version == .v2 ? record(stored) : nil)
  }

  private func undelete(
    _ whole: Record, _ changed: [String: FieldValue], _ base: RecordVersion?, _ clock: Int64, _ party: Party
  ) -> RemoteAnswer {
    guard var row = rows[whole.id] else { return .gone(status: 404) }
    if let base, base != row.version.version { return .conflict(status: 412, record(row)) }
    row.deleted = false
    switch manners.version {
    case .v2: row.values.merge(changed) { $1 }
    // Whoever puts a whole row reads its other columns before that: client and server together keep them.
    case .v3: row.values.merge(whole.values) { $1 }
    }
    row.updated = stamp(clock)
    return .accepted(record(store(row, by: party)))
  }

  /// Why a change of this row is not made; nil when it may be.
  private func refusal(_ row: ServerRow, _ base: RecordVersion?, isDelete: Bool) -> RemoteAnswer? {
    let isStale = base.map { $0 != row.version.version } ?? false
    guard row.deleted else { return isStale ? .conflict(status: 412, record(row)) : nil }
    switch (manners.family, manners.version, isDelete) {
    case (.node, _, true): return .conflict(status: base == nil ? 409 : 412, record(row))
    case (.node, _, false): return isStale ? .conflict(status: 412, record(row)) : nil
    case (_, .v3, _): return .gone(status: 410)
    case (_, .v2, true): return .accepted(record(row))
    case (_, .v2, false): return .conflict(status: base == nil ? 409 : 412, record(row))
    }
  }
}
