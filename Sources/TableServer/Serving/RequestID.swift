import HTTPTypes
import TableProtocol

/// The name of one request, in the log and in its answer (`X-Request-Id`).
enum RequestID {
  /// That of the request which this task answers.
  @TaskLocal static var current: String?

  private static let longest = 64

  /// The name that a proxy gave the request, if its word counts and it is well formed; else one that was just made.
  static func of(_ headers: HTTPFields, isTrusted: Bool) -> String {
    if isTrusted, let given = headers[.requestID], isWellFormed(given) { return given }
    return UInt64.random(in: .min ... .max).hexadecimalText
  }

  /// Nothing that could end a line of the log or begin a member of it.
  private static func isWellFormed(_ text: String) -> Bool {
    (1...longest).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
          true
        case _: false
        }
      }
  }
}
