import HTTPTypes
import TableProtocol

/// The place of a batch among those of one push (``ZumoHeader/sequence``).
struct BatchTurn: Hashable, Sendable {
  static let longestPush = 64
  /// Digits of a number: more batches than a push can have.
  static let longestNumber = 9

  let push: String
  let number: Int

  /// Nil when the batch does not say; then it waits for none. Throws for a header that can't be read.
  init?(_ headers: HTTPFields) throws(RequestError) {
    guard let field = headers[.sequence] else { return nil }
    let parts = field.split(separator: ";", omittingEmptySubsequences: false)
    guard parts.count == 2, (1...Self.longestPush).contains(parts[0].utf8.count),
      parts[0].utf8.allSatisfy(\.isNamePart), parts[1].utf8.count <= Self.longestNumber,
      parts[1].utf8.allSatisfy(\.isDigit), let number = Int(parts[1])
    else { throw .invalidHeader(ZumoHeader.sequence) }
    push = String(parts[0])
    self.number = number
  }

  init(push: String, number: Int) {
    self.push = push
    self.number = number
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  fileprivate var isNamePart: Bool {
    isDigit || self == UInt8(ascii: "-") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self)
  }
}
