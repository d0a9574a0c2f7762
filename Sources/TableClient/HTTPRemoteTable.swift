import NIOHTTP1
package import OfflineSync
import Synchronization
package import TableProtocol

/// The server's tables over HTTP, in whichever version of the protocol the server speaks.
///
/// Calls block; they come from the sync queue. Redirects are not followed, and no link in an answer
/// is: credentials go to the configured address only (table-protocol 13).
package final class HTTPRemoteTable: RemoteTable {
  private struct State {
    var version: ProtocolVersion?
    /// `$top` above this was refused.
    var largestTop = Int.max
  }

  private let address: ServerAddress
  private let settings: ClientSettings
  private let token: String?
  private let transport: HTTPTransport
  private let use: BatchUse
  private let state: Mutex<State>

  /// `protocolVersion` and `batching` are what the server was found to speak and to take before; nil
  /// finds out. `now` (UTC) and `onRequest`, which is called on the caller's thread, are for the log.
  package init(
    address: ServerAddress, token: String?, protocolVersion: ProtocolVersion?, batching: BatchSupport? = nil,
    settings: ClientSettings = ClientSettings(), now: @escaping @Sendable () -> Timestamp = { .epoch },
    onRequest: @escaping @Sendable (RequestRecord) -> Void = { _ in }
  ) {
    self.address = address
    self.settings = settings
    self.token = token
    transport = HTTPTransport(
      origin: address.origin, limits: settings.limits, log: RequestLog(now: now, tell: onRequest))
    use = BatchUse(remembered: batching)
    state = Mutex(State(version: protocolVersion))
  }

  package var server: String { address.text }
  package var protocolVersion: ProtocolVersion? { state.withLock(\.version) }
  package var batching: BatchSupport? { use.support }
  package var traffic: Traffic { transport.traffic }

  package func send(_ changes: [RemoteChange]) -> [Result<RemoteAnswer, RemoteFailure>] {
    guard let first = changes.first else { return [] }
    do {
      let version = try version(for: first.table)
      let sender = ChangeSender(
        transport: transport, address: address, headers: ClientHeaders(version: version, token: token), use: use,
        probes: settings.probesForBatches)
      var outcomes = sender.outcomes(of: changes)
      let rests = zip(changes, outcomes).map { change, outcome in change.remainder(after: outcome, version) }
      let open = rests.indices.filter { rests[$0] != nil }
      guard !open.isEmpty else { return outcomes }
      for (index, outcome) in zip(open, sender.outcomes(of: rests.compactMap(\.self))) {
        // The first half was done, whatever became of the second.
        outcomes[index] = outcome.mapError { RemoteFailure($0.reason, mayHaveActed: true) }
      }
      return outcomes
    } catch {
      return changes.map { _ in .failure(error.unsent) }
    }
  }

  package func read(_ id: String, in table: String) throws(RemoteFailure) -> Record? {
    let query = TableQuery(table: table, filter: .compare(SystemColumn.id, .equal, .text(id)), limit: 1)
    return try page(query).records.first { $0.id == id }
  }

  /// A server that refuses so large a `$top` is asked for less, and then always (table-protocol 6.4).
  package func page(_ query: TableQuery) throws(RemoteFailure) -> RemotePage {
    let wanted = query.limit ?? 0
    var query = query
    query.limit = query.limit.map { min($0, state.withLock(\.largestTop)) }
    while true {
      do {
        var page = try list(query).page
        if let asked = query.limit, asked < wanted {
          state.withLock { $0.largestTop = asked }
          page.hasMore = page.hasMore || page.records.count >= asked
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
    return try detect(with: TableQuery(table: table, limit: 1)).version
  }

  private func list(_ query: TableQuery) throws(RemoteFailure) -> ListAnswer {
    guard let version = protocolVersion else { return try detect(with: query) }
    return try list(query, version)
  }

  /// Asks as 3.0.0. A server of 2.0.0 answers that with 400, or with a list that is an array; then it
  /// is asked again in its own way (table-protocol 3).
  private func detect(with query: TableQuery) throws(RemoteFailure) -> ListAnswer {
    var answer = try list(query, .v3, toleratingOldServer: true)
    if answer.isOfOldServer {
      answer = try list(query, .v2)
    }
    state.withLock { $0.version = answer.version }
    return answer
  }

  private func list(
    _ query: TableQuery, _ version: ProtocolVersion, toleratingOldServer: Bool = false
  ) throws(RemoteFailure) -> ListAnswer {
    let text = QueryWriter(version).queryString(for: query, includeDeleted: true)
    let path = address.path(table: query.table, query: text)
    let answer = try transport.answer(
      to: HTTPExchange(
        method: .GET, path: path,
        headers: ClientHeaders(version: version, token: token).fields(hasBody: false)))
    if toleratingOldServer, answer.status == 400 { return ListAnswer(version: .v2) }
    let list = try ListAnswer(answer, asked: version)
    use.heard(answer.headers[ZumoHeader.batch])
    return list
  }
}

/// How a server is spoken to.
package struct ClientSettings: Sendable, Hashable {
  package var limits: TimeLimits
  /// Asks a server that says nothing of batches whether it takes them, by an empty one. Off unless the
  /// user wants it for this server: a careless server might store something (table-protocol 18.4).
  package var probesForBatches: Bool

  package init(limits: TimeLimits = TimeLimits(), probesForBatches: Bool = false) {
    self.limits = limits
    self.probesForBatches = probesForBatches
  }
}

extension RemoteFailure {
  fileprivate var isBadRequest: Bool {
    if case .serverError(status: 400, _) = reason { true } else { false }
  }
}
