/// Why a `$filter` or `$orderby` could not be read, and where.
package struct FilterSyntaxError: Error, Hashable, Sendable {
  package enum Reason: Hashable, Sendable {
    case unexpectedEnd
    /// The text found where something else was due.
    case unexpected(String)
    case unterminatedString
    /// A number, date or byte string that is none.
    case invalidLiteral(String)
    case unknownFunction(String)
    case wrongArgumentCount(FilterFunction)
    /// `replace` inside `replace`, or with a replacement that is not a short constant: a short
    /// expression must not make a huge string (table-protocol 6.2).
    case unsafeReplace
    case tooDeep
    case tooLong
  }

  package let reason: Reason
  /// Bytes of UTF-8 before the place, in the decoded text.
  package let position: Int

  package init(_ reason: Reason, at position: Int) {
    self.reason = reason
    self.position = position
  }
}
