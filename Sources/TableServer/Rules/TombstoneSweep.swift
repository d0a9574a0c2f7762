import TableProtocol
import TableStorage

/// Takes the texts from old tombstones, and removes those that are older still, a few rows at a time.
///
/// Neither moves `updatedAt` or `version`, and the digest is one of live rows: who has read a tombstone need not read
/// it again. Each list says what was removed (``ZumoHeader/tombstones``), by the moments of the rows
/// themselves: a clock that was wrong costs a client a comparison, never a deletion that it does not hear of.
struct TombstoneSweep: Sendable {
  /// How long deleted rows keep what was in their columns.
  static let daysOfTexts = 30
  /// How long deleted rows stay.
  static let daysOfRows = 180
  /// Rows that one step looks at: so few that nobody notices that they wait for it.
  static let rowsTogether = 250

  private static let day: Int64 = 86_400_000

  /// Up to where it has come.
  private var textsTo = Timestamp.epoch
  private var rowsTo = Timestamp.epoch

  /// Does one step. True if there is more to do.
  mutating func step(in list: any EditableList, now: Timestamp) throws -> Bool {
    let lastRow = now.advanced(byMilliseconds: -Int64(Self.daysOfRows) * Self.day)
    if rowsTo < lastRow {
      let part = try list.tombstones(after: rowsTo, upTo: lastRow, among: Self.rowsTogether)
      if !part.ids.isEmpty { try list.removeTombstones(part) }
      rowsTo = part.reached
      return true
    }
    let lastText = now.advanced(byMilliseconds: -Int64(Self.daysOfTexts) * Self.day)
    textsTo = max(textsTo, rowsTo)
    guard textsTo < lastText else { return false }
    let part = try list.tombstones(after: textsTo, upTo: lastText, among: Self.rowsTogether)
    for id in part.ids { try Self.empty(id, in: list) }
    textsTo = part.reached
    return true
  }

  /// A damaged row stays as it is: the check has to find it.
  private static func empty(_ id: RecordID, in list: any EditableList) throws {
    do {
      guard var row = try list.row(id), row.system.deleted, row.values.contains(where: { $0.value != .null })
      else { return }
      row.values = row.values.mapValues { _ in .null }
      try list.update(row)
    } catch StorageError.damagedRow {}
  }
}
