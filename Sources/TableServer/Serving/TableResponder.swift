import HTTPTypes
import Hummingbird
import NIOCore
import TableProtocol

/// Turns a request from the socket into a value, and the answer into one for the socket.
struct TableResponder: HTTPResponder {
  typealias Context = BasicRequestContext

  /// Bytes (wire 12).
  static let largestBody = 4_194_304
  static let largestPassedOver = 16_777_216
  /// Bytes of a body that is read on the thread of the connection; to read a longer one takes more than a millisecond.
  static let longestBriefBody = 65_536
  private static let disputedSender: StaticString = """
    A proxy named with --trust-proxy passed on X-Forwarded-For and Forwarded, which do not name the same sender: \
    neither is believed. Let the proxy remove the header that it does not set itself, or name the sender in both \
    (`for=`).
    """
  /// Bytes of an answer that go to the socket together; the rest waits until the client has taken them.
  static let largestPart = 65_536

  let state: ServerState
  let origin: RequestOrigin
  let proxies: TrustedProxies
  let document: InterfaceDocument
  let bodies: MemoryBudget
  let answers: MemoryBudget

  init(state: ServerState, _ configuration: ServerConfiguration) {
    self.state = state
    origin = RequestOrigin(names: configuration.names, host: configuration.host)
    proxies = TrustedProxies(configuration.proxies)
    document = InterfaceDocument(configuration.tables)
    bodies = MemoryBudget(configuration.limits.bodies)
    answers = MemoryBudget(configuration.limits.answers)
  }

  /// Answers, names the request in its answer, and takes note of both.
  func respond(to request: Request, context: BasicRequestContext) async throws -> Response {
    let channel = ServerConnection.current?.channel
    let address = channel?.remoteAddress?.ipAddress
    let id = RequestID.of(request.headers, isTrusted: proxies.trusts(address))
    return try await RequestID.$current.withValue(id) {
      var response = try await answer(request, on: channel, address)
      response.headers.add(.requestID, id)
      if let name = request.headers[.request], name.isHeaderWord(atMost: ZumoHeader.longestRequestName) {
        response.headers.add(.request, name)
      }
      if state.isStopping { response.headers[.connection] = "close" }
      return response
    }
  }

  private func answer(_ request: Request, on channel: (any Channel)?, _ address: String?) async throws -> Response {
    let sender = proxies.origin(
      of: request.headers,
      on: .init(
        address: address, scheme: request.head.scheme ?? "http", authority: request.head.authority))
    if sender.isDisputed { state.log.errorOnce(Self.disputedSender) }
    var table = TableRequest(
      method: request.method, target: request.head.path ?? "/", authority: sender.authority, headers: request.headers)
    table.scheme = sender.scheme
    let entry = ServerFigures.Entry(
      method: request.method, route: ServerRoute(table.path), address: sender.address)
    state.figures.begin(entry)
    var status = 500
    var size: Int?
    defer { state.figures.end(entry, status: status, size: size) }
    let response = try await answer(request, table, entry.route, from: sender.address, on: channel)
    (status, size) = (Int(response.status.code), response.body.contentLength)
    return response
  }

  private func answer(
    _ request: Request, _ table: TableRequest, _ route: ServerRoute, from address: String?, on channel: (any Channel)?
  ) async throws -> Response {
    var table = table
    do {
      if let answer = try await health(route, table, from: address) { return response(answer, to: table.method) }
      try origin.check(table, authority: request.head.authority, ownAddress: channel?.localAddress?.ipAddress)
      guard let database = state.database, !state.isStopping else { throw RequestError.notReady }
      let routes = database.routes
      let gatekeeper = database.gatekeeper
      if route == .metrics {
        return response(try await figures(table, from: address, gatekeeper), to: table.method)
      }
      if let page = try page(table, from: address, gatekeeper) { return response(page, to: table.method) }
      if table.path == InvitationLink.path {
        return response(try await join(table, request, gatekeeper, from: address), to: table.method)
      }
      var isAdmitted = false
      do {
        let visitor = try await visitor(table, from: address, gatekeeper)
        isAdmitted = true
        if route == .list, let list = try routes.list(streamedTo: table, by: visitor.user) {
          return try await stream(of: list, for: visitor, table, database)
        }
        // Given back when the request is answered: until then the body is kept, in one form or another.
        let share = bodies.share(of: visitor.budgetOwner)
        defer { withExtendedLifetime(share) {} }
        if Self.takesBody(request.method) {
          // Such a client may be spared the body, and waits for the answer until it is asked.
          if request.expectsContinue { try routes.checkHead(of: table, by: visitor.user) }
          table.body = try await body(of: request, share)
        }
        let answer = await LoopExecutor.offLoop(if: table.body.count > Self.longestBriefBody) { [table] in
          await routes.respond(to: table, of: visitor.user) { try gatekeeper.admit(entries: $0, of: visitor) }
        }
        return response(answer, to: request.method, visitor.budgetOwner)
      } catch let error as RequestError {
        return closing(routes.refuse(table, error, isAdmitted: isAdmitted), request.method)
      }
    } catch let error as RequestError {
      return closing(TableResponse(error), request.method)
    }
  }

  /// Answers a request that exchanges an invitation for a token. Its sender has not signed in yet.
  private func join(
    _ table: TableRequest, _ request: Request, _ gatekeeper: Gatekeeper, from address: String?
  ) async throws -> TableResponse {
    try gatekeeper.admitStranger(from: address)
    guard request.method == .post else { throw RequestError.methodNotAllowed(allowed: "POST") }
    try WriteRoute.checkForm(ofBodyIn: table)
    var table = table
    table.body = try await body(of: request, bodies.share(of: .strangers), atMost: Gatekeeper.largestJoinRequest)
    return TableResponse(.created, body: try await gatekeeper.join(table, from: address).json)
  }

  private static func takesBody(_ method: HTTPRequest.Method) -> Bool {
    method == .post || method == .patch || method == .put
  }

  /// A body that is too large is read to its end, if that is near: many clients read no answer before they have sent
  /// all.
  private func body(
    of request: Request, _ share: MemoryBudget.Share?, atMost largest: Int = largestBody
  ) async throws -> [UInt8] {
    var body: [UInt8] = []
    var size = request.headers[.contentLength].flatMap { Int($0) } ?? 0
    guard size <= (request.expectsContinue ? largest : Self.largestPassedOver) else {
      throw RequestError.body(.tooLarge(limit: largest))
    }
    ServerConnection.current?.askForBody()
    size = 0
    for try await part in request.body {
      size += part.readableBytes
      guard size <= Self.largestPassedOver else { break }
      guard size <= largest else { continue }
      guard share?.grow(by: part.readableBytes) == true else { throw RequestError.overloaded }
      body.append(contentsOf: part.readableBytesView)
    }
    guard size <= largest else { throw RequestError.body(.tooLarge(limit: largest)) }
    return body
  }
}

/// Answers for everybody, before anybody has signed in: they say nothing of any user.
extension TableResponder {
  /// A page for browsers or the document of the protocol; nil for any other request.
  private func page(_ table: TableRequest, from address: String?, _ gatekeeper: Gatekeeper) throws -> TableResponse? {
    if let page = BrowserPage(of: table) {
      try gatekeeper.admitStranger(from: address)
      return page.answer(to: table)
    }
    if InterfaceDocument.isMeant(by: table) {
      try gatekeeper.admitStranger(from: address)
      return try document.answer(to: table)
    }
    return nil
  }

  /// Who sends a request for rows, or for a calendar of them, which has its token in the URL.
  private func visitor(
    _ table: TableRequest, from address: String?, _ gatekeeper: Gatekeeper
  ) async throws -> Visitor {
    if CalendarFeed.isMeant(by: table) {
      return try await gatekeeper.admit(feed: CalendarFeed.token(in: table), from: address)
    }
    return try await gatekeeper.admit(table, from: address)
  }
}

/// Answers.
extension TableResponder {
  /// For a request whose body was not read to its end: what follows on the connection would be the rest of it.
  private func closing(_ table: TableResponse, _ method: HTTPRequest.Method) -> Response {
    var table = table
    if Self.takesBody(method) { table.headers[.connection] = "close" }
    return response(table, to: method)
  }

  private func response(
    _ table: TableResponse, to method: HTTPRequest.Method, _ owner: MemoryBudget.Owner? = nil
  ) -> Response {
    let size = table.body.count
    if method == .head {
      return Response(
        status: table.status, headers: table.allHeaders,
        body: ResponseBody(contentLength: size) { try await $0.finish(nil) })
    }
    guard size > Self.largestPart else {
      let body = size == 0 ? ResponseBody() : ResponseBody(byteBuffer: ByteBuffer(bytes: table.body))
      return Response(status: table.status, headers: table.allHeaders, body: body)
    }
    let share = answers.share(size, of: owner)
    // The outcome of a write must be said; a read can be asked again.
    if share == nil, method == .get { return response(TableResponse(.overloaded), to: method) }
    return Response(status: table.status, headers: table.allHeaders, body: parts(of: table.body, share))
  }

  /// Sends a part when the client has taken the one before it.
  private func parts(of bytes: [UInt8], _ share: MemoryBudget.Share?) -> ResponseBody {
    ResponseBody(contentLength: bytes.count) { writer in
      defer { withExtendedLifetime(share) {} }
      for start in stride(from: 0, to: bytes.count, by: Self.largestPart) {
        try await writer.write(ByteBuffer(bytes: bytes[start..<min(start + Self.largestPart, bytes.count)]))
      }
      try await writer.finish(nil)
    }
  }
}

extension Request {
  /// The client sends no body before the server asks for it.
  fileprivate var expectsContinue: Bool { headers[.expect]?.lowercased() == "100-continue" }
}
