import GRDB
import OfflineSync

extension RowValue {
  /// The value in SQL, never null. Only functions that every SQLite has, and no `?`: an index is made of it, and a
  /// table with an index on a function of ours could not be written to by any other tool.
  var sql: String {
    switch self {
    case .column(let name): name.quotedDatabaseIdentifier
    case .caseless(let name): "\(name.quotedDatabaseIdentifier) COLLATE NOCASE"
    case .optional(let name): "coalesce(\(name.quotedDatabaseIdentifier), \(Self.absent.quoted))"
    case .capital(let name, let before, let after): Self.capital(name.quotedDatabaseIdentifier, before, after)
    case .date(let name, let mark): Self.date(name.quotedDatabaseIdentifier, mark)
    }
  }

  private static func capital(_ column: String, _ before: String, _ after: String) -> String {
    "CASE WHEN \(column) GLOB \((before.glob + "[A-Z]" + after.glob + "*").quoted) "
      + "THEN substr(\(column), \(before.unicodeScalars.count + 1), 1) ELSE \(absent.quoted) END"
  }

  /// What looks like a date is one when `date` gives it back as it is, made to reckon by a step of no days. That is
  /// asked last, since `date` of some other words is the time now, which an index must not hold.
  private static func date(_ column: String, _ mark: String) -> String {
    let place = "instr(' ' || \(column), \((" " + mark).quoted))"
    let value = "substr(\(column), \(place) + \(mark.unicodeScalars.count), 10)"
    let next = "substr(\(column), \(place) + \(mark.unicodeScalars.count + 10), 1)"
    let form = "'[0-9][0-9][0-9][0-9]-[0-1][0-9]-[0-3][0-9]'"
    return "CASE WHEN instr(\(column), \(mark.quoted)) = 0 THEN \(absent.quoted) "
      + "WHEN \(place) = 0 THEN \(absent.quoted) WHEN \(next) NOT IN ('', ' ') THEN \(absent.quoted) "
      + "WHEN \(value) NOT GLOB \(form) THEN \(absent.quoted) "
      + "WHEN date(\(value), '+0 days') IS \(value) THEN \(value) ELSE \(absent.quoted) END"
  }
}

extension String {
  fileprivate var quoted: String { "'" + replacing("'", with: "''") + "'" }

  /// The text as a pattern that only it matches.
  fileprivate var glob: String {
    String(flatMap { "*?[".contains($0) ? "[\($0)]" : "\($0)" })
  }
}
