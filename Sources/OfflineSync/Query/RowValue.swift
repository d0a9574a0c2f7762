package import TableProtocol

/// A text that is computed from a row, to sort by and to compare with. Every store computes the same text.
///
/// A text in a column ends at a NUL, as it does in a database.
package enum RowValue: Sendable, Hashable {
  /// The text of a column that every row has.
  case column(String)
  /// The text of a column. The case of the letters A to Z is ignored.
  case caseless(String)
  /// The text of a column that is null in some rows.
  case optional(String)
  /// A capital letter from A to Z between two texts at the very beginning of a column, such as `(` and `) `.
  case capital(String, between: String, and: String)
  /// The date `yyyy-MM-dd` in the first word of a column that begins with a given text, such as `due:`. Words are
  /// separated by spaces, and only those of the first line count. If that word does not hold a day of the calendar, the
  /// row has no value.
  case date(String, after: String)
  /// The first word of a column that begins with a given sign and goes on, such as `+home`. Words are separated by
  /// spaces, and only those of the first line count. A sign that stands alone is passed over.
  case word(String, beginning: String)
  /// The moment at which a boolean column became true, of a row in which it is true, as ``PastVersion/turn(of:in:)``
  /// finds it. It is in no column, so the rows of an order by it are named by their ids.
  case turnedTrue(String)

  /// The text for a missing value of most kinds. It sorts after all others.
  package static let absent = "~"

  /// The text of a row without such a value; nil if every row has one. A missing moment sorts before all others, so
  /// that the newest come first and it comes last.
  package var missing: String? {
    switch self {
    case .column, .caseless: nil
    case .optional, .capital, .date, .word: Self.absent
    case .turnedTrue: ""
    }
  }

  /// Returns the value, or `missing` if the row has none. Of `turnedTrue` the store knows it from the past versions; a
  /// record that only names a place in an order has the moment as a text in the column.
  package func text(of record: Record) -> String {
    switch self {
    case .column(let name), .caseless(let name): Self.stored(name, record) ?? ""
    case .optional(let name): Self.stored(name, record) ?? Self.absent
    case .capital(let name, let before, let after):
      Self.capital(in: Self.stored(name, record) ?? "", before, after) ?? Self.absent
    case .date(let name, let mark): Self.date(in: Self.stored(name, record) ?? "", after: mark) ?? Self.absent
    case .word(let name, let sign): Self.word(in: Self.stored(name, record) ?? "", sign) ?? Self.absent
    case .turnedTrue(let name): record.values[name]?.text ?? ""
    }
  }

  private static func stored(_ name: String, _ record: Record) -> String? {
    switch name {
    case SystemColumn.id: record.id.text
    case SystemColumn.createdAt: record.system.createdAt?.text
    case SystemColumn.updatedAt: record.system.updatedAt?.text
    case SystemColumn.version: record.system.version?.text
    default: record.values[name]?.text
    }
  }

  private static func capital(in text: String, _ before: String, _ after: String) -> String? {
    guard text.utf8.starts(with: before.utf8) else { return nil }
    let rest = text.utf8.dropFirst(before.utf8.count)
    guard let letter = rest.first, (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(letter),
      rest.dropFirst().starts(with: after.utf8)
    else { return nil }
    return String(UnicodeScalar(letter))
  }

  private static func date(in text: String, after mark: String) -> String? {
    let words = text.utf8.prefix { $0 != 0 && $0 != UInt8(ascii: "\n") }.split(separator: UInt8(ascii: " "))
    guard let word = words.first(where: { $0.starts(with: mark.utf8) }) else { return nil }
    let value = String(decoding: word.dropFirst(mark.utf8.count), as: UTF8.self)
    return CivilDate(value) == nil ? nil : value
  }

  private static func word(in text: String, _ sign: String) -> String? {
    let line = text.utf8.prefix { $0 != 0 && $0 != UInt8(ascii: "\n") }
    let found = line.split(separator: UInt8(ascii: " ")).first {
      $0.starts(with: sign.utf8) && $0.count > sign.utf8.count
    }
    return found.map { String(decoding: $0, as: UTF8.self) }
  }
}
