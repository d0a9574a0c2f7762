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

/// The route of a URL, as the log and the figures name it: never by a name or an id that a client chose.
enum ServerRoute: String, Hashable, Sendable {
  case list = "/tables/{table}"
  case item = "/tables/{table}/{id}"
  case batch = "/tables/$batch"
  case overview = "/tables"
  case join = "/join"
  case page = "/"
  case document = "/openapi.json"
  case feed = "/feeds/{token}"
  case live = "/health/live"
  case ready = "/health/ready"
  case metrics = "/metrics"
  case other = "other"

  /// Those whose URL is always the same.
  private static let fixed: [ServerRoute] = [.overview, .join, .page, .document, .live, .ready, .metrics]

  /// `path` has no slash at its end.
  init(_ path: Substring) {
    if path == Self.batch.rawValue || path == "/$batch" {
      self = .batch
    } else if let parts = Self.parts(of: path, after: "/tables/") {
      self = parts == 1 ? .list : parts == 2 ? .item : .other
    } else if let parts = Self.parts(of: path, after: "/feeds/") {
      self = parts == 1 ? .feed : .other
    } else {
      self = Self.fixed.first { $0.rawValue == path } ?? .other
    }
  }

  /// How many parts follow in the path; nil if it begins otherwise.
  private static func parts(of path: Substring, after beginning: String) -> Int? {
    guard path.hasPrefix(beginning) else { return nil }
    return path.utf8.dropFirst(beginning.utf8.count).count { $0 == UInt8(ascii: "/") } + 1
  }
}
