import HTTPTypes
import TableProtocol

/// POST to `$batch`: many requests in one, in one durable transaction (wire 18).
struct BatchRoute: Sendable {
  /// The URL that relative URLs of entries begin at: the one of the batch without its last segment.
  private let root: Substring
  private let request: TableRequest
  private let entries: [BatchRequest]
  private let identity: DatabaseIdentity
  private let policy: TablePolicy
  private let makeID: @Sendable () -> String

  /// How many entries there are.
  var count: Int { entries.count }

  static let verbs = [HTTPRequest.Method.post].allowed

  /// The part of the path before `$batch`, when it is one of the two URLs of a batch.
  static func root(of path: Substring) -> Substring? {
    guard path.count < 20 else { return nil }
    switch PercentEncoding.decode(path) {
    case "/$batch": return "/"
    case "/tables/$batch": return "/tables/"
    default: return nil
    }
  }

  /// Throws `RequestError` for a batch that is refused as a whole, of which nothing is run.
  init(
    _ request: TableRequest, root: Substring, identity: DatabaseIdentity, policy: TablePolicy,
    makeID: @escaping @Sendable () -> String
  ) throws(RequestError) {
    try WriteRoute.checkContentType(of: request)
    guard try Repetition(request) == nil else { throw .repetition(.unsupported) }
    guard case .json(let most, _) = BatchSupport.own else { throw .unknownURL }
    do {
      entries = try BatchBody.requests(in: request.body, atMost: most)
    } catch {
      throw .batch(error)
    }
    self.root = root
    self.request = request
    self.identity = identity
    self.policy = policy
    self.makeID = makeID
  }

  /// The one that the batch is about: that of its first entry with a URL of a table.
  var table: ServedTable {
    let requests = BatchRequests(outer: request, root: root, identity: identity)
    for entry in entries {
      guard let request = try? requests.request(entry, entities: [:]) else { continue }
      if let target = try? TableTarget(path: request.path, policy) { return target.table }
    }
    return .todoItem
  }

  /// Runs all entries in array order. Throws only when the database fails; then none has been run.
  func respond(in transaction: ListTransaction) throws -> TableResponse {
    let goesOn = goesOnAfterErrors
    var run = BatchRun(
      requests: BatchRequests(outer: request, root: root, identity: identity), policy: policy, makeID: makeID,
      transaction: transaction, stopsAtFirstError: goesOn == false)
    let body = try run.run(entries)
    var response = TableResponse(.ok, body: body)
    if let goesOn { response.headers[.preferenceApplied] = goesOn ? "continue-on-error" : "continue-on-error=false" }
    return response
  }

  /// What the client prefers; nil when it did not say. Without a word all entries are run.
  private var goesOnAfterErrors: Bool? {
    let preferences = request.headers[.prefer]?.lowercased() ?? ""
    for preference in preferences.split(separator: ",") {
      switch preference.filter({ $0 != " " && $0 != "\"" }) {
      case "continue-on-error", "continue-on-error=true", "odata.continue-on-error": return true
      case "continue-on-error=false", "odata.continue-on-error=false": return false
      default: continue
      }
    }
    return nil
  }
}

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
    for header in [.apiVersion, .zumoOptions, .zumoClientVersion, .database, .columns] as [Header] {
      shared[header] = outer.headers[header]
    }
    self.shared = shared
  }

  /// The entry as a request of its own. `entities` are the paths of what earlier entries made, by id.
  func request(_ entry: BatchRequest, entities: [String: String]) throws(RequestError) -> TableRequest {
    var headers = shared
    // The body of an entry is JSON unless it says something else.
    if entry.body != nil { headers[.contentType] = "application/json" }
    for (text, value) in entry.headers {
      guard let name = Header.name(ofEntry: text), HTTPField.isValidValue(value) else { throw .invalidHeader(text) }
      headers[name] = value
    }
    if !entry.headers.isEmpty { try RequestAim(headers).check(identity) }
    var method = HTTPRequest.Method.get
    switch entry.method {
    case "POST": method = .post
    case "PATCH": method = .patch
    case "PUT": method = .put
    case "DELETE": method = .delete
    default: break
    }
    var request = TableRequest(
      method: method, target: try target(entry, entities), authority: outer.authority, headers: headers,
      body: entry.body ?? [])
    request.scheme = outer.scheme
    return request
  }

  private func target(_ entry: BatchRequest, _ entities: [String: String]) throws(RequestError) -> String {
    if let reference = entry.reference {
      guard let path = entities[reference] else { throw .unknownURL }
      return path + entry.url.drop { $0 == "/" }.dropFirst(reference.count + 1)
    }
    return entry.url.hasPrefix("/") ? entry.url : root + entry.url
  }
}
