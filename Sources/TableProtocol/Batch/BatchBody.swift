/// The body of a request to `$batch`.
package enum BatchBody {
  /// Bytes of a batch beside its entries: `{"requests":[]}`. Each entry after the first adds a comma.
  package static let overhead = 15

  /// Puts entries together, each as ``BatchRequest/bytes`` gives it.
  package static func bytes(_ entries: some Sequence<[UInt8]>) -> [UInt8] {
    var writer = JSONWriter(capacity: entries.reduce(overhead) { $0 + $1.count + 1 })
    writer.raw("{\"requests\":[")
    for (index, entry) in entries.enumerated() {
      if index > 0 { writer.raw(",") }
      writer.json(entry)
    }
    writer.raw("]}")
    return writer.bytes
  }

  /// Reads a batch of at most `limit` entries and checks it as a whole. If this throws, none of it may be run.
  package static func requests(in bytes: [UInt8], atMost limit: Int) throws(BatchError) -> [BatchRequest] {
    var requests: [BatchRequest]?
    do {
      var reader = try JSONReader(bytes)
      try reader.beginObject()
      while let name = try reader.nextName() {
        if name == "requests" {
          requests = try read(&reader, atMost: limit)
        } else {
          try reader.raw()
        }
      }
      try reader.end()
    } catch {
      throw BatchError(error)
    }
    guard let requests else { throw .noRequests }
    guard requests.count <= limit else { throw .tooMany(limit: limit) }
    try BatchCheck.check(requests)
    return requests
  }

  /// Stops one after the limit.
  private static func read(_ reader: inout JSONReader, atMost limit: Int) throws(JSONError) -> [BatchRequest] {
    var requests: [BatchRequest] = []
    try reader.beginArray()
    while try reader.nextElement() {
      if requests.count > limit {
        try reader.raw()
      } else {
        requests.append(try BatchRequest(from: &reader))
      }
    }
    return requests
  }
}

/// Checks the entries of a batch in order, and refuses a batch that can't be run as a whole (wire 18.1).
private struct BatchCheck {
  private var ids: Set<ExactText> = []
  private var groups: Set<ExactText> = []
  private var openGroup: ExactText?

  static func check(_ requests: [BatchRequest]) throws(BatchError) {
    var check = BatchCheck()
    for request in requests { try check.check(request) }
    if let both = check.ids.intersection(check.groups).map(\.text).min() { throw .repeatedID(both) }
  }

  private mutating func check(_ request: BatchRequest) throws(BatchError) {
    try Self.checkAlone(request)
    let group = request.atomicityGroup.map(ExactText.init)
    if group != openGroup {
      openGroup = group
      if let group, !groups.insert(group).inserted { throw .splitGroup(group.text) }
    }
    for name in request.needed {
      guard ids.contains(name) || groups.contains(name), name != group else { throw .unknownReference(name.text) }
    }
    guard ids.insert(ExactText(request.id)).inserted else { throw .repeatedID(request.id) }
  }

  private static func checkAlone(_ request: BatchRequest) throws(BatchError) {
    switch request.method {
    case "POST", "PATCH", "PUT": break
    case "GET", "DELETE": if request.body != nil { throw .unwantedBody(request.id) }
    default: throw .method(request.method)
    }
    if isBatch(request.url) { throw .nested }
    if request.headers.isEmpty { return }
    for name in ["authorization", "x-zumo-auth", "cookie"] where request.headers[name] != nil {
      throw .credentials(request.id)
    }
  }

  private static func isBatch(_ url: String) -> Bool {
    guard url.utf8.contains(where: { $0 == UInt8(ascii: "$") || $0 == UInt8(ascii: "%") }) else { return false }
    let path = PercentEncoding.decode(url.prefix { $0 != "?" && $0 != "#" })
    return path.split(separator: "/").last == "$batch"
  }
}

/// Why a batch is refused as a whole.
package enum BatchError: Error, Sendable, Hashable {
  /// Not JSON, or not of the form of a batch, from this byte on.
  case malformed(position: Int)
  case noRequests
  /// An entry has more headers than ``BatchRequest/mostHeaders``, or longer ones than ``BatchRequest/longestHeaders``,
  /// from this byte on.
  case tooManyHeaders(position: Int)
  case tooMany(limit: Int)
  /// More tables than the server runs a batch on.
  case tooManyTables(limit: Int)
  /// The answers to the entries of a group have more bytes than the server answers at once.
  case groupTooLarge(limit: Int)
  /// An id is there twice, or names a group too.
  case repeatedID(String)
  /// An entry refers to one that is not before it.
  case unknownReference(String)
  /// The entries of a group are not adjacent.
  case splitGroup(String)
  case method(String)
  case nested
  /// A GET or DELETE with a body.
  case unwantedBody(String)
  /// Credentials belong to the batch, not to an entry.
  case credentials(String)

  fileprivate init(_ error: JSONError) {
    self =
      error.reason == .tooManyMembers
      ? .tooManyHeaders(position: error.position) : .malformed(position: error.position)
  }
}

/// Whether a server takes JSON batches, and how large (wire 18.4).
package enum BatchSupport: Sendable, Hashable {
  /// It was tried, and the server does not.
  case unsupported
  /// At most so many entries and so many bytes of body in one batch.
  case json(entries: Int, bytes: Int)

  /// For a server that takes batches and does not say how large (wire 18.2).
  package static let unstated = BatchSupport.json(entries: 100, bytes: 1_048_576)
  /// The limits of our own server, which no batch of ours exceeds.
  package static let own = BatchSupport.json(entries: 1_000, bytes: 4_194_304)

  /// Reads the value of `x-zumo-batch`, as in `json; max=1000; bytes=4194304`, and the ``text`` of
  /// `unsupported`. A limit above that of ``own`` counts as that one. Nil for another format and for limits that are
  /// none.
  package init?(_ text: some StringProtocol) {
    let parts = text.lowercased().split(separator: ";").map(\.trimmingSpaces)
    guard parts.first == "json" else {
      guard parts == ["none"] else { return nil }
      self = .unsupported
      return
    }
    guard case .json(var entries, var bytes) = Self.unstated, case .json(let most, let largest) = Self.own
    else { return nil }
    for part in parts.dropFirst() {
      let pair = part.split(separator: "=", maxSplits: 1).map(\.trimmingSpaces)
      guard pair.count == 2 else { continue }
      guard let number = Int(pair[1]), number > 0 else { return nil }
      if pair[0] == "max" { entries = min(number, most) } else if pair[0] == "bytes" { bytes = min(number, largest) }
    }
    self = .json(entries: entries, bytes: bytes)
  }

  /// The value of `x-zumo-batch`, and what is remembered of a server.
  package var text: String {
    switch self {
    case .unsupported: "none"
    case .json(let entries, let bytes): "json; max=\(entries); bytes=\(bytes)"
    }
  }
}
