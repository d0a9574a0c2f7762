import HTTPTypes
import Logging
import Synchronization
package import TableProtocol
package import TableStorage

/// Answers requests of the table protocol. Knows no socket: a batch may ask it the same way.
package struct TableRoutes: Sendable {
  let storage: any TableStorage
  let clock: @Sendable () -> Timestamp
  let makeID: @Sendable () -> String
  let policy: TablePolicy
  let newColumns: ColumnAllowances
  let log: ServerLog
  let order: BatchOrder
  /// Those who need not sign in may have lists beside those of users.
  private let isOpen: Bool
  /// Users come in by tokens that the storage knows, and not by another sign-in.
  private let ownersHaveTokens: Bool
  private let costlyReads = CostlyReads()
  private let sweeps = AnswerSweeps()

  init(
    storage: any TableStorage, clock: @escaping @Sendable () -> Timestamp, makeID: @escaping @Sendable () -> String,
    policy: TablePolicy = TablePolicy(), isOpen: Bool = false, ownersHaveTokens: Bool = false,
    newColumns: ColumnAllowances, log: ServerLog, order: BatchOrder
  ) {
    self.isOpen = isOpen
    self.ownersHaveTokens = ownersHaveTokens
    self.storage = storage
    self.clock = clock
    self.makeID = makeID
    self.policy = policy
    self.newColumns = newColumns
    self.log = log
    self.order = order
  }

  /// With the usual bounds, and without a log.
  package init(
    storage: any TableStorage, clock: @escaping @Sendable () -> Timestamp, makeID: @escaping @Sendable () -> String
  ) {
    self.init(
      storage: storage, clock: clock, makeID: makeID,
      newColumns: ColumnAllowances(mostInAnHour: ServerLimits().columnsInAnHour),
      log: ServerLog(Logger(label: "ebb") { _ in SwiftLogNoOpLogHandler() }, clock: clock),
      order: BatchOrder(longestWait: .zero))
  }

  /// `owner` is who sent the request; nil for whoever need not sign in. `admit` is asked if so many entries of a batch
  /// may come in.
  package func respond(
    to request: TableRequest, of owner: UserName? = nil, admitEntries admit: (Int) throws -> Void = { _ in }
  ) async -> TableResponse {
    do {
      try checkAim(of: request, by: owner)
      var response = identified(try await answer(request, of: owner, admit))
      if request.isOfOwnClient {
        // On a server that is open to everybody, whoever lost a token on the way would go on with the list of nobody.
        if request.headers.token == nil { response.headers[.token] = "none" }
        if let owner { response.headers[.user] = owner.text }
      }
      return response
    } catch let error as RequestError {
      return refuse(request, error)
    } catch let error as StorageError {
      log.failure(error)
      return refuse(request, .storage(error))
    } catch is CancellationError {
      return refuse(request, .storage(.interrupted))
    } catch {
      log.error("A request failed: \(type(of: error))")
      return refuse(request, .storage(.failed("")))
    }
  }

  private func checkAim(of request: TableRequest, by owner: UserName?) throws(RequestError) {
    let aim = RequestAim(request.headers)
    try aim.check(storage.identity)
    try aim.check(owner, showsToken: request.headers.token != nil)
  }

  /// Throws if the request will be refused, whatever its body is.
  func checkHead(of request: TableRequest, by owner: UserName?) throws(RequestError) {
    try checkAim(of: request, by: owner)
    if BatchRoute.root(of: request.path) != nil {
      _ = try batchTurn(of: request)
    } else {
      _ = try TableRoute.head(of: request, policy)
      _ = try Preconditions(request.headers)
    }
    try WriteRoute.checkForm(ofBodyIn: request)
  }

  /// The list whose stream a request for a list asks for; nil if it asks for rows. Throws if it will be refused.
  func list(streamedTo request: TableRequest, by owner: UserName?) throws(RequestError) -> ListID? {
    guard StreamRequest.isMeant(by: request) else { return nil }
    try checkAim(of: request, by: owner)
    var request = request
    request.method = .get
    guard case .collection(let table) = try TableRoute.head(of: request, policy).0 else { return nil }
    return ListID(table, owner: owner)
  }

  /// Its place among those of its push, once its head is found to be one of a batch.
  private func batchTurn(of request: TableRequest) throws(RequestError) -> BatchTurn? {
    guard request.method == .post else { throw .methodNotAllowed(allowed: BatchRoute.verbs) }
    _ = try TableRoute.version(of: request, QueryItems(request.query))
    return try BatchTurn(request.headers)
  }

  /// Answers with an error. A batch that is refused holds up none of those after it.
  func refuse(_ request: TableRequest, _ error: RequestError, isAdmitted: Bool = true) -> TableResponse {
    if BatchRoute.root(of: request.path) != nil, let turn = try? BatchTurn(request.headers) {
      if isAdmitted { order.finish(turn) } else { order.pass(turn) }
    }
    return identified(TableResponse(error))
  }

  func identified(_ response: TableResponse) -> TableResponse {
    var response = response
    response.headers[.database] = storage.identity.text
    return response
  }

  private func answer(
    _ request: TableRequest, of owner: UserName?, _ admit: (Int) throws -> Void
  ) async throws -> TableResponse {
    if request.method == .options { return try OptionsRoute.respond(to: request, policy) }
    if let root = BatchRoute.root(of: request.path) { return try await answerBatch(request, root, of: owner, admit) }
    var request = request
    if request.method == .head { request.method = .get }
    if CalendarFeed.isMeant(by: request) { return try await answerFeed(request, of: owner) }
    if TableOverview.isMeant(by: request) {
      return try await TableOverview.respond(to: request, of: owner, storage, policy)
    }
    switch try TableRoute(request, policy, makeID: makeID) {
    case .list(let route):
      let answer = try await ServerConnection.whileConnected { [self, headers = request.headers] in
        let read = {
          try await storage.read(ListID(route.table, owner: owner), mayBeLong: route.isCostly) {
            try checkOwner(of: $0, headers)
            return try route.respondAlone(in: $0)
          }
        }
        return try await route.isCostly ? costlyReads.run(of: owner, read) : read()
      }
      if let check = answer.check { await storage.settle(check, log) }
      return telling(answer.response, route.table, request)
    case .read(let route):
      let response = try await storage.read(ListID(route.table, owner: owner)) { [headers = request.headers] in
        try checkOwner(of: $0, headers)
        return try route.respond(in: $0)
      }
      return telling(response, route.table, request)
    case .write(let route):
      let response = try await write([ListID(route.table, owner: owner)], request) { try route.respond(in: $0[0]) }
      return telling(response, route.table, request)
    }
  }

  /// Before a list is read that may be new because its user was removed, or because a user has got it since.
  private func checkOwner(of list: any StoredList, _ headers: HTTPFields) throws {
    guard list.isNew else { return }
    try RequestAim(headers).checkOwner(of: [list], isOpen: isOpen, ownersHaveTokens: ownersHaveTokens)
  }

  /// Says if columns have other names than our own: to a client that asked for those, and whose question was lost on
  /// the way, every row would look as if it had lost its text.
  private func telling(_ response: TableResponse, _ table: ServedTable, _ request: TableRequest) -> TableResponse {
    var response = response
    if !policy.answeredNames(of: table, request.headers).isEmpty { response.headers[.columns] = "other" }
    return response
  }

  /// Of whom the token in the URL is, the ``Gatekeeper`` has found out.
  private func answerFeed(_ request: TableRequest, of owner: UserName?) async throws -> TableResponse {
    guard request.method == .get else { throw RequestError.methodNotAllowed(allowed: CalendarFeed.verbs) }
    return try await ServerConnection.whileConnected { [self] in
      try await costlyReads.run(of: owner) {
        try await storage.read(ListID(.todoItem, owner: owner), mayBeLong: true) {
          try checkOwner(of: $0, request.headers)
          return try CalendarFeed.respond(to: request, in: $0, of: storage.identity)
        }
      }
    }
  }

  /// The batch is read before it waits for its turn: of several, one is read while another is written.
  private func answerBatch(
    _ request: TableRequest, _ root: Substring, of owner: UserName?, _ admit: (Int) throws -> Void
  ) async throws -> TableResponse {
    let turn = try batchTurn(of: request)
    let entries = try BatchRoute.entries(of: request)
    try admit(entries.count)
    let route = try BatchRoute(
      request, entries, root: root, identity: storage.identity, policy: policy, makeID: makeID)
    if let turn { await order.wait(for: turn) }
    defer { if let turn { order.finish(turn) } }
    let response = try await write(route.tables.map { ListID($0, owner: owner) }, request) { try route.respond(in: $0) }
    // Other tables have no other names.
    return telling(response, route.tables.contains(.todoItem) ? .todoItem : route.tables[0], request)
  }

  private func write(
    _ lists: [ListID], _ request: TableRequest,
    _ body: @escaping @Sendable ([ListTransaction]) throws -> TableResponse
  ) async throws -> TableResponse {
    let aim = RequestAim(request.headers)
    let newColumns = newColumns.allowance(of: lists.first?.owner)
    return try await storage.write(lists) { [clock, policy, sweeps, isOpen, ownersHaveTokens] writers in
      try aim.checkOwner(of: writers, isOpen: isOpen, ownersHaveTokens: ownersHaveTokens)
      try aim.check(writers)
      let value = try ListTransaction.run(on: writers, clock: clock, newColumns: newColumns, policy: policy) {
        var response = try body($0)
        // Other clients have no use for it, and of several tables it would not say which it means.
        if aim.database != nil, $0.count == 1 { response.headers[.moved] = $0.first?.move?.text }
        return response
      }
      for writer in writers where !writer.isNew && sweeps.isDue(writer.id, now: clock()) {
        try writer.dropOldAnswers(now: clock())
      }
      return value
    }
  }
}

/// OPTIONS: which verbs a URL takes, and that batches are taken (wire 18.4). It needs no
/// version of the protocol.
enum OptionsRoute {
  static func respond(to request: TableRequest, _ policy: TablePolicy) throws(RequestError) -> TableResponse {
    var response = TableResponse(.ok, headers: HTTPFields([(.batch, BatchSupport.own.text)]))
    response.allow = try verbs(of: request, policy)
    return response
  }

  private static func verbs(of request: TableRequest, _ policy: TablePolicy) throws(RequestError) -> String {
    if BatchRoute.root(of: request.path) != nil { return BatchRoute.verbs }
    if TableOverview.isMeant(by: request) { return TableOverview.verbs }
    if CalendarFeed.isMeant(by: request) { return CalendarFeed.verbs }
    return try TableTarget(path: request.path, policy).verbs
  }
}

/// When the old answers of each list were dropped last: they must not stay because nobody repeats a write any more.
final class AnswerSweeps: Sendable {
  private static let interval: Int64 = 3_600_000

  private let last: Mutex<[ListID: Timestamp]> = Mutex([:])

  /// True once an hour for a list. A clock that was put back makes it due.
  func isDue(_ list: ListID, now: Timestamp) -> Bool {
    last.withLock { last in
      if let before = last[list], before <= now, now < before.advanced(byMilliseconds: Self.interval) { return false }
      last[list] = now
      return true
    }
  }
}

/// Checks of every row.
extension TableStorage {
  /// Looks at every row of every list, and corrects the digests that are not those of the rows. Drops the answers that
  /// are too old by `now`.
  func checkAll(_ log: ServerLog, now: Timestamp = .epoch) async throws {
    for list in try await lists() {
      let check = try await write(list) { writer in
        try writer.dropOldAnswers(now: now)
        return try writer.repair()
      }
      check.report(to: log)
    }
  }

  /// Logs what a check found in a snapshot and corrects it, as it is by now.
  func settle(_ check: ListCheck, _ log: ServerLog) async {
    check.report(to: log)
    guard check.needsRepair else { return }
    do {
      _ = try await write(check.list) { try $0.repair() }
    } catch {
      log.error("The digest of \(check.list) could not be corrected: \(error.loggedReason).")
    }
  }
}

extension ListCheck {
  /// Logs a line for each kind of difference: ids and numbers, never texts.
  func report(to log: ServerLog) {
    if stored != counted {
      log.error(
        """
        \(list): rows expected: \(stored.count) (\(stored.checksumText)), rows found: \(counted.count) \
        (\(counted.checksumText)). The stored digest is corrected.
        """)
    }
    if damaged > 0 {
      let ids = named.map(\.debugDescription).joined(separator: ", ")
      let more = damaged > named.count ? " and \(damaged - named.count) more" : ""
      log.error("\(list): rows that are not what the server wrote: \(damaged). Ids: \(ids)\(more).")
    }
  }
}

extension TableRequest {
  /// True if its client knows this server.
  fileprivate var isOfOwnClient: Bool { headers[.columns] != nil || headers[.database] != nil }
}
