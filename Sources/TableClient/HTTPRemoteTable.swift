import FoundationEssentials
import NIOHTTP1
public import OfflineSync
import Synchronization
package import TableProtocol

/// The server's tables over HTTP, in whichever version of the protocol the server speaks.
///
/// Calls block; they come from the sync queue. Redirects are not followed, and no link in an answer
/// is: credentials go to the configured address only (wire 13).
package final class HTTPRemoteTable: RemoteTable {
  private struct State {
    var version: ProtocolVersion?
    var database: String?
    var epoch: DatabaseEpoch?
    /// How far this device has read from this server.
    var reached: Timestamp?
    var signIn: SignIn?
    /// The server's name for the user, as last heard.
    var userName: String?
    /// `$top` above this was refused.
    var largestTop = Int.max
    var clock: ServerClock?
    /// The database that the last answer to a list named.
    var namedDatabase: String?
    /// Whether the server offers notices; nil before its first list.
    var offersNotices: Bool?
    /// False after a question that got no answer: the connections that opened beside it may have been too many.
    var opensAhead = true
  }

  private let address: ServerAddress
  private let settings: ClientSettings
  private let newestSignIn: @Sendable () -> SignIn?
  private let transport: any RequestTransport
  private let log: RequestLog
  private let use: BatchUse
  private let width = SendingWidth()
  private let rows: ServerRows
  private let now: @Sendable () -> Timestamp
  private let state: Mutex<State>

  /// `knowledge` is what was learned of this server before. `newestSignIn` is asked, on the caller's thread,
  /// before each sync and when the token is not accepted; nil is no news. `now` (UTC) and `onRequest`, which is called
  /// on the caller's thread or on that of a connection, are for the log; `now` is also what the server's clock is
  /// compared with.
  ///
  /// Requests go over sockets, unless there is another `transport`.
  package init(
    address: ServerAddress, signIn: SignIn? = nil, newestSignIn: @escaping @Sendable () -> SignIn? = { nil },
    knowledge: ServerKnowledge = ServerKnowledge(), settings: ClientSettings = ClientSettings(),
    transport: (any RequestTransport)? = nil, now: @escaping @Sendable () -> Timestamp = { .epoch },
    onRequest: @escaping @Sendable (RequestRecord) -> Void = { _ in }
  ) {
    self.address = address
    self.settings = settings
    self.newestSignIn = newestSignIn
    self.now = now
    log = RequestLog(now: now, report: onRequest)
    self.transport = transport ?? HTTPTransport(origin: address.origin, settings, log: log)
    use = BatchUse(remembered: knowledge.batching)
    rows = ServerRows(kept: settings.columns, names: settings.names, remembered: knowledge)
    state = Mutex(
      State(
        version: knowledge.protocolVersion, database: knowledge.database, epoch: knowledge.epoch, signIn: signIn))
  }

  package var server: String { address.text }
  package var user: String { state.withLock { $0.signIn?.identifier ?? "" } }
  package var knowledge: ServerKnowledge {
    let state = state.withLock(\.self)
    return ServerKnowledge(
      protocolVersion: state.version, batching: use.support, database: state.database, epoch: state.epoch,
      userName: state.userName, mergesUpdates: rows.mergesUpdates, columns: rows.columns)
  }
  package var traffic: Traffic { transport.traffic }
  /// The time of the server's clock in the last answer to a list, whatever its status; nil where it did not say.
  package var clock: ServerClock? { state.withLock(\.clock) }
  /// The database that the last answer to a list named, whatever its status; nil where it named none: then it may be
  /// that of something on the way.
  package var namedDatabase: String? { state.withLock(\.namedDatabase) }

  package func send(_ changes: [RemoteChange], starting: ([Int]) -> [Int], settle: ([SettledChange]) -> Bool) {
    guard let first = changes.first else { return }
    let version: ProtocolVersion
    do {
      version = try self.version(for: first.table)
    } catch {
      _ = settle(changes.indices.map { SettledChange(index: $0, outcome: .failure(error.unsent)) })
      return
    }
    var goesOn = true
    var deletions = BareDeletions(isOwnServer: headers(version).database != nil)
    var second = SecondRequests()
    run(changes, version, starting: starting) { part in
      let whole = second.hold(deletions.hold(part, of: changes), of: changes, version)
      goesOn = (whole.isEmpty || settle(whole)) && goesOn
      return goesOn
    }
    if !deletions.held.isEmpty {
      let settled = deletions.settled { () throws(RemoteFailure) in
        guard goesOn else { throw RemoteFailure(.unreachable("stopped"), mayHaveActed: true) }
        _ = try list(.one(of: first.table))
      }
      goesOn = settle(settled) && goesOn
    }
    guard !second.isEmpty else { return }
    guard goesOn else {
      _ = settle(second.stopped)
      return
    }
    run(second.changes, version, starting: \.self) { part in settle(second.settled(part)) }
  }

  private func run(
    _ changes: [RemoteChange], _ version: ProtocolVersion, starting: ([Int]) -> [Int],
    settle: ([SettledChange]) -> Bool
  ) {
    withoutActuallyEscaping(starting) { starting in
      withoutActuallyEscaping(settle) { settle in
        ChangeSender(
          changes, transport: transport, address: address, headers: headers(version), use: use, width: width,
          rows: rows, settings: settings, starting: starting, settle: settle
        ).run()
      }
    }
  }

  private func headers(_ version: ProtocolVersion) -> ClientHeaders {
    state.withLock { state in
      ClientHeaders(
        version: version, signIn: state.signIn, database: state.database, epoch: state.epoch,
        reached: state.reached, hasOwnNames: settings.names.isEmpty)
    }
  }

  package func expect(_ reached: Timestamp?) { state.withLock { $0.reached = reached } }

  package func read(_ id: RecordID, in table: String) throws(RemoteFailure) -> Record? {
    let page = try page(TableQuery(id: id, table: table))
    if page.records.isEmpty, !page.unreadable.isEmpty { throw .unreadableItem }
    return page.records.first { $0.id == id }
  }

  package func identify(_ table: String, before changes: Int) throws(RemoteFailure) -> String? {
    if state.withLock(\.opensAhead), case .json(let entries, _) = use.current ?? .own {
      let batches = max(changes - 1, 0) / entries + 1
      let isLarge = BatchPlan.isLarge(changes, entries: entries)
      transport.expect(atOnce: isLarge ? width.current : min(batches, width.current))
    }
    let known = state.withLock { state in
      defer { (state.database, state.userName) = (nil, nil) }
      return (database: state.database, userName: state.userName)
    }
    do {
      _ = try list(.one(of: table))
    } catch {
      state.withLock { ($0.database, $0.userName, $0.opensAhead) = (known.database, known.userName, false) }
      throw error
    }
    return state.withLock { state in
      state.opensAhead = true
      return state.database
    }
  }

  package func interrupt() { transport.interrupt() }

  package func listen(
    to table: String, _ receive: @escaping @Sendable (NoticeEvent) -> Void
  ) -> (any NoticeConnection)? {
    guard state.withLock(\.offersNotices) != false else { return nil }
    var fields = headers(protocolVersion ?? .v3).fields(hasBody: false)
    fields.replaceOrAdd(name: "Accept", value: ListLevel.mediaType)
    let exchange = HTTPExchange(method: .GET, path: address.path(table: table), headers: fields)
    return HTTPNotices(exchange, origin: address.origin, settings, log: log, receive: receive)
  }

  package func renewSignIn(of user: SignInUser) -> Bool {
    guard let newest = newestSignIn() else { return false }
    return state.withLock { state in
      let isSameUser = newest.identifier == state.signIn?.identifier
      guard newest != state.signIn, isSameUser || user == .anybody else { return false }
      state.signIn = newest
      if !isSameUser { state.userName = nil }
      return true
    }
  }

  /// A server that refuses so large a `$top` is asked for less, and then always (wire 6.4).
  package func page(_ query: TableQuery, at link: PageLink?, verifying: Bool) throws(RemoteFailure) -> RemotePage {
    if let link, let version = protocolVersion {
      return try list(query, link.query, version, verifying: verifying).page
    }
    let wanted = query.limit ?? 0
    var query = query
    query.limit = query.limit.map { min($0, state.withLock(\.largestTop)) }
    while true {
      do {
        var page = try list(query, verifying: verifying).page
        if let asked = query.limit, asked < wanted {
          state.withLock { $0.largestTop = asked }
          page.hasMore = page.hasMore || page.rowCount >= asked
        }
        return page
      } catch {
        guard error.isBadRequest, let asked = query.limit, let less = [1_000, 50].first(where: { $0 < asked })
        else { throw error }
        query.limit = less
      }
    }
  }

  /// The version to speak, found out by a list of one row where it is not known yet.
  private func version(for table: String) throws(RemoteFailure) -> ProtocolVersion {
    if let version = protocolVersion { return version }
    return try detect(with: .one(of: table)).version
  }

  private func list(_ query: TableQuery, verifying: Bool = false) throws(RemoteFailure) -> ListAnswer {
    guard let version = protocolVersion else { return try detect(with: query, verifying: verifying) }
    return try list(query, version, verifying: verifying)
  }

  /// Asks as 3.0.0. A server of 2.0.0 answers that with 400, or with a list that is an array; then it
  /// is asked again in its own way (wire 3).
  private func detect(with query: TableQuery, verifying: Bool = false) throws(RemoteFailure) -> ListAnswer {
    var answer = try list(query, .v3, toleratingOldServer: true, verifying: verifying)
    if answer.isOfOldServer {
      answer = try list(query, .v2, verifying: verifying)
    }
    state.withLock { $0.version = answer.version }
    return answer
  }

  private func list(
    _ query: TableQuery, _ version: ProtocolVersion, toleratingOldServer: Bool = false, verifying: Bool = false
  ) throws(RemoteFailure) -> ListAnswer {
    let text = QueryWriter(version).queryString(for: query.named(settings.names))
    return try list(query, text, version, toleratingOldServer: toleratingOldServer, verifying: verifying)
  }

  /// `text` is the query as it goes out, or as a link to a page of it has it. An answer that is not the server's throws
  /// before anything is learned from it.
  private func list(
    _ query: TableQuery, _ text: String, _ version: ProtocolVersion, toleratingOldServer: Bool = false,
    verifying: Bool = false
  ) throws(RemoteFailure) -> ListAnswer {
    let headers = headers(version)
    var fields = headers.fields(hasBody: false)
    if verifying { fields.add(name: ZumoHeader.verify, value: "true") }
    let answer = try transport.answer(
      to: HTTPExchange(method: .GET, path: address.path(table: query.table, query: text), headers: fields))
    if let failure = AnswerOrigin(headers).failure(answer, to: .GET) { throw failure }
    let clock = ServerClock(answer, now: now())
    state.withLock { ($0.clock, $0.namedDatabase) = (clock, answer.database) }
    if toleratingOldServer, answer.status == 400 { return ListAnswer(version: .v2) }
    let list = try ListAnswer(
      answer, asked: version, rows: rows.reader(of: query.table), whole: query.select.isEmpty)
    if query.select.isEmpty {
      // A list of one row is no list: it is a question about that row, or about the server.
      rows.learn(list.columns, of: query.table, isList: list.page.rowCount > 0 && query.limit != 1)
    }
    use.noteAnnouncement(answer.headers[ZumoHeader.batch])
    state.withLock { state in
      state.offersNotices = answer.headers[ZumoHeader.live] == ListLevel.announcement
      state.database = answer.database ?? state.database
      state.epoch = answer.epoch ?? state.epoch
      state.userName = answer.user ?? state.userName
    }
    return list
  }
}

extension TableQuery {
  /// One row of a table: a question about the server.
  static func one(of table: String) -> TableQuery { TableQuery(table: table, limit: 1) }

  /// The row with this id in whatever state, a tombstone included (wire 6.6).
  init(id: RecordID, table: String) {
    self.init(table: table, filter: .compare(SystemColumn.id, .equal, .text(id.text)), limit: 1, includesDeleted: true)
  }
}

extension TableQuery {
  /// The same with the server's names of columns.
  fileprivate func named(_ names: ColumnNames) -> TableQuery {
    guard !names.isEmpty else { return self }
    var query = self
    query.filter = filter?.renamingColumns(names.other)
    query.order = order.map { SortKey(names.other($0.column), ascending: $0.ascending) }
    query.select = select.map(names.other)
    return query
  }
}

/// The settings of the client.
package struct ClientSettings: Sendable {
  package var limits: TimeLimits
  /// Makes names for pushes: small letters, digits and hyphens.
  package var newID: @Sendable () -> String
  /// The columns that this device keeps, by table, and what each holds in a row of a server that leaves out what is
  /// null or default. Of a table that is not named every row is read before it is replaced.
  package var columns: [String: [String: FieldValue]]
  /// The names that the server has for columns of this device.
  package var names: ColumnNames

  /// A file in PEM form with certificates of authorities to trust beside those of the system.
  package var caFile: String?

  package init(
    limits: TimeLimits = TimeLimits(), columns: [String: [String: FieldValue]] = [:],
    names: ColumnNames = .none, caFile: String? = nil,
    newID: @escaping @Sendable () -> String = { UUID().uuidString.lowercased() }
  ) {
    self.limits = limits
    self.columns = columns
    self.names = names
    self.caFile = caFile
    self.newID = newID
  }
}

extension RemoteFailure {
  fileprivate var isBadRequest: Bool {
    if case .serverError(status: 400, _) = reason { true } else { false }
  }
}

extension RemoteServer {
  /// A server at an address, such as `https://list.example`, with the token that signs in there; nil for none. Returns
  /// nil if the address is not an `http` or `https` URL with a host.
  ///
  /// Before each sync, and if the server does not accept the token, `newerToken` is called on the sync queue, and its
  /// token is used instead; nil is no news. A sync with the token of another user sends nothing and ends with
  /// ``OtherAccount``.
  public init?(_ address: String, token: String? = nil, newerToken: @escaping @Sendable () -> String? = { nil }) {
    guard let address = ServerAddress(address) else { return nil }
    self.init(address, signIn: token.map { SignIn(token: $0) }) { newerToken().map { SignIn(token: $0) } }
  }

  /// - names: The names that the server has for columns of this device.
  /// - needsSignIn: True if the server must not be asked anything as long as there is no sign-in: see
  ///   ``RequiredSignIn``.
  package init(
    _ address: ServerAddress, signIn: SignIn?, names: ColumnNames = .none, caFile: String? = nil,
    needsSignIn: Bool = false, newestSignIn: @escaping @Sendable () -> SignIn?
  ) {
    self.init { tables, store, environment, log in
      let knowledge = try store.read { try ServerKnowledge(of: address.text, in: $0, now: environment.now()) }
      let columns = Dictionary(tables.map { ($0.name, $0.columns) }, uniquingKeysWith: { $1 })
      let table = HTTPRemoteTable(
        address: address, signIn: signIn, newestSignIn: newestSignIn, knowledge: knowledge,
        settings: ClientSettings(columns: columns, names: names, caFile: caFile), now: environment.now,
        onRequest: log.note)
      if needsSignIn { return RequiredSignIn(table) }
      return table
    }
  }
}
