import HTTPTypes
import TableProtocol
import TableStorage

/// POST to `$batch`: many requests in one, in one durable transaction (wire 18).
struct BatchRoute: Sendable {
  /// The URL that relative URLs of entries begin at: the one of the batch without its last segment.
  private let root: Substring
  private let request: TableRequest
  private let entries: [BatchRequest]
  /// Those that the batch is about. All of it is one transaction on their lists.
  let tables: [ServedTable]
  private let identity: DatabaseIdentity
  private let policy: TablePolicy
  private let makeID: @Sendable () -> String

  /// How many entries there are.
  var count: Int { entries.count }

  static let verbs = [HTTPRequest.Method.post].allowed
  /// As many as one user may have.
  static let mostTables = 50

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
    tables = try Self.tables(of: entries, root: root, policy)
    self.root = root
    self.request = request
    self.identity = identity
    self.policy = policy
    self.makeID = makeID
  }

  /// Those that the entries are about, each once, in their order. An entry that refers to another is about its table.
  private static func tables(
    of entries: [BatchRequest], root: Substring, _ policy: TablePolicy
  ) throws(RequestError) -> [ServedTable] {
    var tables: [ServedTable] = []
    // Thousands of entries have the URLs of few tables.
    var known: Set<Substring> = []
    for entry in entries where entry.reference == nil {
      let url = entry.url.hasPrefix("/") ? entry.url : root + entry.url
      let path = url.prefix { $0 != "?" && $0 != "#" }
      let collection = path.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).prefix(3)
      guard let last = collection.last, known.insert(path[..<last.endIndex]).inserted,
        let table = try? TableTarget(path: path[..<last.endIndex], policy).table, !tables.contains(table)
      else { continue }
      tables.append(table)
    }
    guard tables.count <= mostTables else { throw .batch(.tooManyTables(limit: mostTables)) }
    return tables.isEmpty ? [.todoItem] : tables
  }

  /// Runs all entries in array order. Throws only when the database fails; then none has been run. The transactions are
  /// those of ``tables``.
  func respond(in transactions: [ListTransaction]) throws -> TableResponse {
    let goesOn = goesOnAfterErrors
    var run = BatchRun(
      requests: BatchRequests(
        outer: request, root: root, identity: identity, owner: transactions.first?.list.id.owner),
      policy: policy, makeID: makeID, transactions: transactions, stopsAtFirstError: goesOn == false)
    let body = try run.run(entries)
    var response = TableResponse(.ok, body: body)
    if let goesOn { response.headers[.preferenceApplied] = goesOn ? "continue-on-error" : "continue-on-error=false" }
    return response
  }

  /// The client's preference; nil when it did not say. Without a word all entries are run.
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
  /// The user whose lists the batch is about; nil if nobody signed in.
  let owner: UserName?

  /// The batch's own headers that hold for each entry.
  private let shared: HTTPFields

  init(outer: TableRequest, root: Substring, identity: DatabaseIdentity, owner: UserName?) {
    self.outer = outer
    self.root = root
    self.identity = identity
    self.owner = owner
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
    if !entry.headers.isEmpty {
      let aim = RequestAim(headers)
      try aim.check(identity)
      try aim.check(owner, showsToken: outer.headers.token != nil)
    }
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
