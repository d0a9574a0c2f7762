import HTTPTypes
import TableProtocol

/// Makes requests of the entries of a batch.
struct BatchRequests: Sendable {
  /// The request that brought the batch.
  let outer: TableRequest
  /// Where relative URLs begin.
  let root: Substring
  let identity: DatabaseIdentity

  /// What of the batch's own headers holds for each entry.
  private let shared: HTTPFields

  init(outer: TableRequest, root: Substring, identity: DatabaseIdentity) {
    self.outer = outer
    self.root = root
    self.identity = identity
    var shared: HTTPFields = [:]
    for name in [.apiVersion, .zumoOptions, .zumoClientVersion, .database] as [HTTPField.Name] {
      if let value = outer.headers[name] { shared[name] = value }
    }
    self.shared = shared
  }

  /// The entry as a request of its own. `entities` are the paths of what earlier entries made, by id.
  func request(_ entry: BatchRequest, entities: [String: String]) throws(RequestError) -> TableRequest {
    var headers = shared
    for (text, value) in entry.headers {
      guard let name = HTTPField.Name(text), HTTPField.isValidValue(value) else { throw .invalidHeader(text) }
      headers[name] = value
    }
    if !entry.headers.isEmpty { try identity.check(headers) }
    var method = HTTPRequest.Method.get
    switch entry.method {
    case "POST": method = .post
    case "PATCH": method = .patch
    case "PUT": method = .put
    case "DELETE": method = .delete
    default: break
    }
    return TableRequest(
      method: method, target: try target(entry, entities), authority: outer.authority, headers: headers,
      body: entry.body ?? [])
  }

  private func target(_ entry: BatchRequest, _ entities: [String: String]) throws(RequestError) -> String {
    if let reference = entry.reference {
      guard let path = entities[reference] else { throw .unknownURL }
      return path + entry.url.drop { $0 == "/" }.dropFirst(reference.count + 1)
    }
    return entry.url.hasPrefix("/") ? entry.url : root + entry.url
  }
}
