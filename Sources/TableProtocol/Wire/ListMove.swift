/// The effect of one write on a table (``ZumoHeader/moved``): the moments between which its rows lie, and their number.
///
/// No other write lies between these moments. So a device that has read the table up to `from`, and has stored `rows`
/// rows that this write answered, has read it up to `to`. It need not ask for its own rows again (sync-rules 8.6).
package struct ListMove: Sendable, Hashable {
  /// The last moment that any row was given before the write; the epoch if none was.
  package let from: Timestamp
  /// The last moment that the write gave.
  package let to: Timestamp
  /// How many writes of a row it made and kept.
  package let rows: Int
  /// The digest of the whole table after the write; nil if the server did not say.
  package let digest: TableDigest?

  package init(from: Timestamp, to: Timestamp, rows: Int, digest: TableDigest? = nil) {
    self.from = from
    self.to = to
    self.rows = rows
    self.digest = digest
  }

  /// As in the header: `from=2026-11-21T02:00:00.000Z;to=2026-11-21T02:00:00.001Z;rows=1`, and with a digest
  /// `;count=12;checksum=00000000075bcd15`.
  package var text: String {
    "from=\(from.text);to=\(to.text);rows=\(rows)"
      + (digest.map { ";count=\($0.count);checksum=\($0.checksumText)" } ?? "")
  }

  /// Reads ``text``, and ignores other parameters. Nil if one of the first three is missing or can't be read, if `to`
  /// is not later than `from`, or if there is no row. A digest that can't be read is none.
  package init?(_ text: some StringProtocol) {
    let parameters = HeaderParameters(text)
    guard let from = parameters.value("from").flatMap({ Timestamp($0) }),
      let to = parameters.value("to").flatMap({ Timestamp($0) }),
      let rows = parameters.value("rows").flatMap({ Int(digits: $0) }), rows > 0, from < to
    else { return nil }
    let digest = parameters.value("count").flatMap { count in
      parameters.value("checksum").flatMap { TableDigest(count: count, checksum: $0) }
    }
    self.init(from: from, to: to, rows: rows, digest: digest)
  }
}
