import TableProtocol

/// `Retry-After`: in seconds, or as the moment from which the server may be asked again (RFC 9110 10.2.3).
enum RetryAfter {
  /// A moment is counted from the answer's own `Date`, so that it does not matter if our clock is wrong; from
  /// `now` (UTC) where the answer has none. Nil when it says nothing that can be read. Names in lower case.
  static func seconds(in headers: [String: String], now: Timestamp?) -> Int? {
    guard let field = headers["retry-after"] else { return nil }
    if !field.isEmpty, field.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) {
      return min(Int(field) ?? longest, longest)
    }
    guard let moment = Timestamp(httpDate: field),
      let start = headers["date"].flatMap({ Timestamp(httpDate: $0) }) ?? now
    else { return nil }
    return min(Int(max(0, moment.milliseconds - start.milliseconds + 999) / 1_000), longest)
  }

  /// Thirty days: a server that asks for more is not taken at its word.
  private static let longest = 30 * 86_400
}
