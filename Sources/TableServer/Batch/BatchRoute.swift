import HTTPTypes
import TableProtocol

/// POST to `$batch`: many requests in one, in one durable transaction (table-protocol 18).
struct BatchRoute: Sendable {
  /// The URL that relative URLs of entries begin at: the one of the batch without its last segment.
  private let root: Substring
  private let request: TableRequest
  private let entries: [BatchRequest]
  private let identity: DatabaseIdentity
  private let makeID: @Sendable () -> String

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
    _ request: TableRequest, root: Substring, identity: DatabaseIdentity, makeID: @escaping @Sendable () -> String
  ) throws(RequestError) {
    guard request.method == .post else { throw .methodNotAllowed(allowed: "POST, OPTIONS") }
    if let type = request.headers[.contentType], !WriteRoute.isJSON(type) { throw .wrongContentType }
    guard case .json(let most, _) = BatchSupport.own else { throw .unknownURL }
    do {
      entries = try BatchBody.requests(in: request.body, atMost: most)
    } catch {
      throw .batch(error)
    }
    self.root = root
    self.request = request
    self.identity = identity
    self.makeID = makeID
  }

  /// Runs all entries in array order. Throws only when the database fails; then none has been run.
  func respond(in transaction: WriteTransaction) throws -> TableResponse {
    let goesOn = goesOnAfterErrors
    var run = BatchRun(
      requests: BatchRequests(outer: request, root: root, identity: identity), makeID: makeID, transaction: transaction,
      stopsAtFirstError: goesOn == false)
    let body = try run.run(entries)
    var response = TableResponse(.ok, body: body)
    if let goesOn, let name = HTTPField.Name("Preference-Applied") {
      response.headers[name] = goesOn ? "continue-on-error" : "continue-on-error=false"
    }
    return response
  }

  /// What the client prefers; nil when it did not say. Without a word all entries are run.
  private var goesOnAfterErrors: Bool? {
    let preferences = HTTPField.Name("Prefer").flatMap { request.headers[$0] }?.lowercased() ?? ""
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
