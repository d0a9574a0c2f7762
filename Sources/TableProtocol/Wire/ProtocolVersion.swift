/// Which of the two living forms of the table protocol is spoken (wire 3).
package enum ProtocolVersion: String, Sendable, Hashable, CaseIterable, Codable {
  /// Azure Mobile Apps: PATCH merges, a list is an array, `Link` continues it.
  case v2 = "2.0.0"
  /// Datasync: PUT replaces, a list is an object with `items` and `nextLink`.
  case v3 = "3.0.0"

  /// Reads the value of `ZUMO-API-VERSION`: `2.0`, `2.0.N`, `3.0` or `3.0.N`. Nil for anything else.
  package init?(header: some StringProtocol) {
    let parts = header.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2 || parts.count == 3, parts[1] == "0",
      parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy { $0.isASCII && $0.isNumber } })
    else { return nil }
    switch parts[0] {
    case "2": self = .v2
    case "3": self = .v3
    default: return nil
    }
  }
}
