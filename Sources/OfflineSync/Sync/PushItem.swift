import TableProtocol

/// A row with its change marked as sent, and what is put to the server for it.
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
    guard let want = attempt.want else { return .delete(table: table, id: row.id, base: version) }
    let record = Record(
      id: row.id, values: want, system: SystemProperties(createdAt: row.createdAt, version: version))
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
