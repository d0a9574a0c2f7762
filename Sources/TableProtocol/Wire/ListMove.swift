/// What one write did to a table (``ZumoHeader/moved``): the moments between which its rows lie, and how many they are.
///
/// A device that has read the table up to `from`, and has stored `rows` rows that this write answered, has read it up
/// to `to`: nobody else wrote in between. So it need not ask for its own rows again (sync-rules 8.6).
package struct ListMove: Sendable, Hashable {
  /// The last moment that any row was given before the write; the epoch if none was.
  package let from: Timestamp
  /// The last moment that the write gave.
  package let to: Timestamp
  /// How many writes of a row it made and kept.
  package let rows: Int

  package init(from: Timestamp, to: Timestamp, rows: Int) {
    self.from = from
    self.to = to
    self.rows = rows
  }

  /// As in the header: `from=2026-11-21T02:00:00.000Z;to=2026-11-21T02:00:00.001Z;rows=1`.
  package var text: String { "from=\(from.text);to=\(to.text);rows=\(rows)" }

  /// Reads ``text``. Passes over parameters that it does not know. Nil if one that it knows is missing or can't be read,
  /// if `to` is not later than `from`, and if there is no row.
  package init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ";", omittingEmptySubsequences: false)
    let value = { (name: String) in parts.first { $0.hasPrefix(name) }.map { String($0.dropFirst(name.count)) } }
    guard let from = value("from=").flatMap({ Timestamp($0) }), let to = value("to=").flatMap({ Timestamp($0) }),
      let digits = value("rows="), (1...9).contains(digits.utf8.count),
      digits.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains), let rows = Int(digits), rows > 0,
      from < to
    else { return nil }
    self.init(from: from, to: to, rows: rows)
  }
}
