/// What may be the id of a record (table-protocol 1, the rule of protocol 2.0.0, which holds the
/// narrower one of 3.0.0).
package enum RecordID {
  /// True for 1–255 UTF-16 units that are not all white space, hold no control character and none
  /// of `" + ? \ / ` and back-tick, and are neither `.` nor `..`.
  package static func isValid(_ id: String) -> Bool {
    // A UUID, as nearly every id is.
    if (1...255).contains(id.utf8.count), id.utf8.allSatisfy({ $0.isIdentifierPart || $0 == UInt8(ascii: "-") }) {
      return true
    }
    guard (1...255).contains(id.utf16.count), id != ".", id != ".." else { return false }
    guard !id.allSatisfy(\.isWhitespace) else { return false }
    return id.unicodeScalars.allSatisfy { scalar in
      switch scalar {
      case "\"", "+", "?", "\\", "/", "`": false
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}": false
      default: true
      }
    }
  }
}
