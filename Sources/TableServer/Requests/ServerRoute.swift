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

  /// A link may lead there from anywhere: what it shows is the same for everybody, or behind a secret in the URL.
  var isForPeople: Bool {
    switch self {
    case .page, .join, .document, .feed, .live, .ready: true
    case .list, .item, .batch, .overview, .metrics, .other: false
    }
  }

  /// Those whose URL is always the same.
  private static let fixed: [ServerRoute] = [.overview, .join, .page, .document, .live, .ready, .metrics]

  /// `path` has no slash at its end.
  init(_ path: Substring) {
    let bytes = Array(path.utf8)
    if path == Self.batch.rawValue || path == "/$batch" {
      self = .batch
    } else if let parts = Self.parts(of: bytes, after: "/tables/") {
      self = parts == 1 ? .list : parts == 2 ? .item : .other
    } else if let parts = Self.parts(of: bytes, after: "/feeds/") {
      self = parts == 1 ? .feed : .other
    } else {
      self = Self.fixed.first { $0.rawValue == path } ?? .other
    }
  }

  /// How many parts follow in the path; nil if it begins otherwise.
  private static func parts(of path: [UInt8], after beginning: String) -> Int? {
    guard path.starts(with: beginning.utf8) else { return nil }
    return path.dropFirst(beginning.utf8.count).count { $0 == UInt8(ascii: "/") } + 1
  }
}
