import HTTPTypes
import TableProtocol
import TableStorage

/// POST to `$batch`: many requests in one, in one durable transaction (wire 18).
struct BatchRoute: Sendable {
  private let request: TableRequest
  private let steps: [BatchStep]
  /// Those that the batch is about. All of it is one transaction on their lists.
  let tables: [ServedTable]
  private let requests: BatchRequests

  static let verbs = [HTTPRequest.Method.post].allowed
  /// As many as one user may have.
  static let mostTables = 50

  /// The part of the path before `$batch`, when it is one of the two URLs of a batch.
  static func root(of path: Substring) -> Substring? {
    guard path.utf8.count < 20 else { return nil }
    switch PercentEncoding.decode(path) {
    case "/$batch": return "/"
    case "/tables/$batch": return "/tables/"
    default: return nil
    }
  }

  /// The entries of a batch. Their URLs and bodies are not read yet: how many entries may come in is asked first.
  /// Throws `RequestError` for a batch that is refused as a whole, of which nothing is run.
  static func entries(of request: TableRequest) throws(RequestError) -> [BatchRequest] {
    try WriteRoute.checkForm(ofBodyIn: request)
    guard try Repetition(request) == nil else { throw .repetition(.unsupported) }
    guard case .json(let most, _) = BatchSupport.own else { throw .unknownURL }
    do {
      return try BatchBody.requests(in: request.body, atMost: most)
    } catch {
      throw .batch(error)
    }
  }

  /// Reads what each entry asks for: the transaction of a batch, for which others wait, is as short as it can be.
  /// `root` is the URL that relative URLs of entries begin at: the one of the batch without its last segment. Throws
  /// `RequestError` for a batch that is refused as a whole, of which nothing is run.
  init(
    _ request: TableRequest, _ entries: [BatchRequest], root: Substring, identity: DatabaseIdentity,
    policy: TablePolicy, makeID: @escaping @Sendable () -> String
  ) throws(RequestError) {
    tables = try Self.tables(of: entries, root: root, policy)
    let requests = BatchRequests(outer: request, root: root, identity: identity, policy: policy, makeID: makeID)
    steps = entries.map { BatchStep($0, requests) }
    self.requests = requests
    self.request = request
  }

  /// Those that the entries are about, each once, in their order. An entry that refers to another is about its table.
  private static func tables(
    of entries: [BatchRequest], root: Substring, _ policy: TablePolicy
  ) throws(RequestError) -> [ServedTable] {
    var tables: [ServedTable] = []
    // Thousands of entries have the URLs of few tables.
    var known: Set<Substring> = []
    for entry in entries where entry.reference == nil {
      let collection = collection(of: entry.url.hasPrefix("/") ? entry.url : root + entry.url)
      guard known.insert(collection).inserted, let table = try? TableTarget(path: collection, policy).table,
        !tables.contains(table)
      else { continue }
      tables.append(table)
    }
    guard tables.count <= mostTables else { throw .batch(.tooManyTables(limit: mostTables)) }
    return tables.isEmpty ? [.todoItem] : tables
  }

  /// The part of a URL that names the table: all before its third slash, or before its query.
  private static func collection(of url: String) -> Substring {
    var slashes = 0
    let end = url.utf8.firstIndex { byte in
      if byte == UInt8(ascii: "/") { slashes += 1 }
      return slashes == 3 || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    }
    return url[..<(end ?? url.endIndex)]
  }

  /// Runs all entries in array order. Throws only when the database fails; then none has been run. The transactions are
  /// those of ``tables``.
  func respond(in transactions: [ListTransaction]) throws -> TableResponse {
    let goesOn = goesOnAfterErrors
    var run = BatchRun(requests: requests, transactions: transactions, stopsAtFirstError: goesOn == false)
    let body = try run.run(steps)
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
