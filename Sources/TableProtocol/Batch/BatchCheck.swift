/// Walks over the entries of a batch in order and refuses what can't be run as a whole
/// (table-protocol 18.1).
struct BatchCheck {
  private var ids: Set<String> = []
  private var groups: Set<String> = []
  private var openGroup: String?

  static func check(_ requests: [BatchRequest]) throws(BatchError) {
    var check = BatchCheck()
    for request in requests { try check.take(request) }
    if let both = check.ids.intersection(check.groups).min() { throw .repeatedID(both) }
  }

  private mutating func take(_ request: BatchRequest) throws(BatchError) {
    try Self.checkAlone(request)
    if request.atomicityGroup != openGroup {
      openGroup = request.atomicityGroup
      if let group = openGroup, !groups.insert(group).inserted { throw .splitGroup(group) }
    }
    for name in request.dependsOn + (request.reference.map { [$0] } ?? []) {
      let isOwnGroup = name == request.atomicityGroup
      guard ids.contains(name) || groups.contains(name), !isOwnGroup else { throw .unknownReference(name) }
    }
    guard ids.insert(request.id).inserted else { throw .repeatedID(request.id) }
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
