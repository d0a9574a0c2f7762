import HTTPTypes
import TableProtocol
import TableStorage

/// An entry of a batch, read as far as it can be before the database is touched.
struct BatchStep: Sendable {
  /// Without its body, if ``route`` has it.
  let entry: BatchRequest
  /// Nil if the entry refers to another: its URL is known when that one has run.
  let route: Result<TableRoute, RequestError>?
  /// The database, its state and the user that the entry is meant for; nil if it has no headers, and is meant for those
  /// of its batch.
  let aim: RequestAim?

  init(_ entry: BatchRequest, _ requests: BatchRequests) {
    do {
      let headers = try requests.headers(of: entry)
      aim = entry.headers.isEmpty ? nil : RequestAim(headers)
      route = entry.reference == nil ? Result { () throws(RequestError) in try requests.route(entry, headers) } : nil
    } catch {
      aim = nil
      route = .failure(error)
    }
    var entry = entry
    if route != nil { entry.body = nil }
    self.entry = entry
  }

  /// The row that the entry changes; nil if that is not known yet, or it changes none of this table.
  func rowChanged(in table: ServedTable) -> RecordID? {
    guard case .success(.write(let route))? = route, route.table == table else { return nil }
    return route.change.id
  }
}

/// Makes requests of the entries of a batch.
struct BatchRequests: Sendable {
  /// The request that brought the batch.
  private let outer: TableRequest
  /// Where relative URLs begin.
  private let root: Substring
  private let identity: DatabaseIdentity
  private let policy: TablePolicy
  private let makeID: @Sendable () -> String
  /// The batch's own headers that hold for each entry, without and with a body.
  private let shared: (bare: HTTPFields, withBody: HTTPFields)
  private let showsToken: Bool

  init(
    outer: TableRequest, root: Substring, identity: DatabaseIdentity, policy: TablePolicy,
    makeID: @escaping @Sendable () -> String
  ) {
    self.outer = outer
    self.root = root
    self.identity = identity
    self.policy = policy
    self.makeID = makeID
    showsToken = outer.headers.token != nil
    var shared: HTTPFields = [:]
    for header in [.apiVersion, .zumoOptions, .zumoClientVersion, .database, .columns] as [Header] {
      shared[header] = outer.headers[header]
    }
    var withBody = shared
    // The body of an entry is JSON unless it says something else.
    withBody[.contentType] = "application/json"
    self.shared = (shared, withBody)
  }

  /// An entry has ``BatchRequest/mostHeaders`` at most. With tens of thousands of fields HTTP's library would end the
  /// process, and each is looked up among the others.
  func headers(of entry: BatchRequest) throws(RequestError) -> HTTPFields {
    var headers = entry.body == nil ? shared.bare : shared.withBody
    for header in entry.headers {
      guard let name = Header.name(ofEntry: header.name), HTTPField.isValidValue(header.value) else {
        throw .invalidHeader(header.name)
      }
      headers[name] = header.value
    }
    return headers
  }

  /// Throws if an entry is meant for another database than this one, or another user than `owner`, whose lists the batch
  /// is about: nil if nobody signed in.
  func check(_ aim: RequestAim, _ owner: UserName?) throws(RequestError) {
    try aim.check(identity)
    try aim.check(owner, showsToken: showsToken)
  }

  /// The entry as a request of its own. `entities` are the paths of what earlier entries made, by id.
  func route(
    _ entry: BatchRequest, _ headers: HTTPFields, entities: [ExactText: String] = [:]
  ) throws(RequestError) -> TableRoute {
    var request = TableRequest(
      method: method(of: entry), target: try target(of: entry, entities), authority: outer.authority, headers: headers,
      body: entry.body ?? [])
    request.scheme = outer.scheme
    return try TableRoute(request, policy, makeID: makeID)
  }

  private func method(of entry: BatchRequest) -> HTTPRequest.Method {
    switch entry.method {
    case "POST": .post
    case "PATCH": .patch
    case "PUT": .put
    case "DELETE": .delete
    default: .get
    }
  }

  private func target(of entry: BatchRequest, _ entities: [ExactText: String]) throws(RequestError) -> String {
    if let reference = entry.reference {
      guard let path = entities[ExactText(reference)] else { throw .unknownURL }
      return path + entry.url.drop { $0 == "/" }.dropFirst(reference.count + 1)
    }
    return entry.url.hasPrefix("/") ? entry.url : root + entry.url
  }
}
