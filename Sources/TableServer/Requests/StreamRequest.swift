import HTTPTypes
import TableProtocol

/// A request for the stream of a list (wire 19).
enum StreamRequest {
  /// True if the request reads and accepts the stream more than JSON. A client that accepts both alike gets the list.
  static func isMeant(by request: TableRequest) -> Bool {
    guard request.method == .get || request.method == .head, let field = request.headers[.accept] else { return false }
    guard field.utf8.count <= AcceptedTypes.longest, field.lowercased().contains(ListLevel.mediaType) else {
      return false
    }
    let accepted = AcceptedTypes(field)
    return accepted.quality(of: ListLevel.mediaType) > accepted.quality(of: "application/json")
  }
}

/// The media types that a request accepts (RFC 9110, 12.5.1).
struct AcceptedTypes: Hashable, Sendable {
  /// Bytes of the header; a longer one says nothing.
  static let longest = 4_096

  /// In thousandths, by range, as in `text/*`.
  private var qualities: [String: Int] = [:]

  /// A range that can't be read is left out. Parameters of a range other than its quality are passed over: the types
  /// that there are here have no other parameters.
  init(_ field: String) {
    for part in field.split(separator: ",") {
      let words = part.split(separator: ";", omittingEmptySubsequences: false).map(\.trimmingSpaces)
      let range = words[0].lowercased()
      guard Self.isRange(range) else { continue }
      let weight = words.dropFirst().first { $0.lowercased().hasPrefix("q=") }
      guard let quality = weight.map({ Self.quality($0.dropFirst(2)) }) ?? 1_000 else { continue }
      // Of two that say it, the more willing: `text/html;level=1;q=0.4, text/html;q=0.7`.
      qualities[range] = max(quality, qualities[range] ?? 0)
    }
  }

  /// In thousandths; 0 for one that is not accepted. The range that is closest to the type decides.
  func quality(of type: String) -> Int {
    let family = type.prefix { $0 != "/" } + "/*"
    return qualities[type] ?? qualities[String(family)] ?? qualities["*/*"] ?? 0
  }

  private static func isRange(_ text: String) -> Bool {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ $0.isHeaderWord(atMost: 127) }) else { return false }
    return parts[0] != "*" || parts[1] == "*"
  }

  /// `0`, `1`, `0.25`: at most three digits of fraction, and nothing above 1. Nil for another text.
  private static func quality(_ text: some StringProtocol) -> Int? {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = Int(digits: parts[0], atMost: 1), whole <= 1 else { return nil }
    guard parts.count == 2, !parts[1].isEmpty else { return whole * 1_000 }
    guard let fraction = Int(digits: parts[1] + String(repeating: "0", count: max(0, 3 - parts[1].count)), atMost: 3),
      whole == 0 || fraction == 0
    else { return nil }
    return whole * 1_000 + fraction
  }
}
