import Foundation

/// Finds the requests in what a client sends: a pure reading of HTTP/1.1 that knows where a body ends.
struct RequestScanner {
  /// The first line of each request so far, without the version: `GET /tables/TodoItem?$top=50`.
  private(set) var requests: [String] = []
  private var unread = Data()
  private var bodyLeft = 0
  private var inChunks = false

  mutating func read(_ bytes: Data) {
    unread.append(bytes)
    while skipBody(), let head = nextHead() {
      note(head)
    }
  }

  /// Forgets the requests found so far; the reading goes on.
  mutating func forget() {
    requests = []
  }

  /// Passes over what is there of a body; false when more of it is to come.
  private mutating func skipBody() -> Bool {
    if inChunks {
      guard let end = unread.firstRange(of: Data("0\r\n\r\n".utf8)) else { return false }
      unread = Data(unread[end.upperBound...])
      inChunks = false
    }
    let passed = min(bodyLeft, unread.count)
    unread = Data(unread.dropFirst(passed))
    bodyLeft -= passed
    return bodyLeft == 0
  }

  private mutating func nextHead() -> [String]? {
    guard let end = unread.firstRange(of: Data("\r\n\r\n".utf8)) else { return nil }
    let head = String(decoding: unread[..<end.lowerBound], as: UTF8.self)
    unread = Data(unread[end.upperBound...])
    return head.components(separatedBy: "\r\n")
  }

  private mutating func note(_ head: [String]) {
    requests.append(head[0].split(separator: " ").prefix(2).joined(separator: " "))
    for line in head.dropFirst() {
      let parts = line.lowercased().split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
      if parts.first == "content-length" { bodyLeft = Int(parts.last ?? "") ?? 0 }
      if parts.first == "transfer-encoding" { inChunks = parts.last == "chunked" }
    }
  }
}
