import GRDB
import GRDBSQLite
import OfflineSync

/// `ebb_fits(text, word, fit)`: whether a word fits a text, as `TextMatcher` says.
///
/// SQLite calls it for each row of a table while somebody types. So it is registered with SQLite directly: the library
/// between would copy every text. The word is prepared once for a statement, not for each row.
enum MatchFunction {
  static let name = "ebb_fits"

  static func register(in database: Database) {
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC
    sqlite3_create_function_v2(
      database.sqliteConnection, name, 3, flags, nil,
      { context, _, arguments in
        guard let context, let arguments else { return }
        sqlite3_result_int(context, MatchFunction.fits(context, arguments) ? 1 : 0)
      }, nil, nil, nil)
  }

  private static func fits(
    _ context: OpaquePointer, _ arguments: UnsafeMutablePointer<OpaquePointer?>
  ) -> Bool {
    // The bytes belong to SQLite and stay where they are until this call returns.
    guard let start = sqlite3_value_text(arguments[0]) else { return false }
    let text = UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(arguments[0])))
    if let kept = sqlite3_get_auxdata(context, 1) {
      return Unmanaged<Kept>.fromOpaque(kept)._withUnsafeGuaranteedRef { $0.matcher.matches(text) }
    }
    return keep(context, arguments).matcher.matches(text)
  }

  /// Makes the matcher of the word. SQLite keeps it until the statement ends, because the argument is constant.
  private static func keep(_ context: OpaquePointer, _ arguments: UnsafeMutablePointer<OpaquePointer?>) -> Kept {
    let word = sqlite3_value_text(arguments[1]).map { String(cString: $0) } ?? ""
    let fit = TextPattern.Fit(rawValue: Int(sqlite3_value_int(arguments[2]))) ?? .contained
    let kept = Kept(TextMatcher(TextPattern(word, fit)))
    sqlite3_set_auxdata(context, 1, Unmanaged.passRetained(kept).toOpaque()) { pointer in
      guard let pointer else { return }
      Unmanaged<Kept>.fromOpaque(pointer).release()
    }
    return kept
  }

  private final class Kept {
    let matcher: TextMatcher

    init(_ matcher: TextMatcher) { self.matcher = matcher }
  }
}
