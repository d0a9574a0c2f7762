import AsyncHTTPClient
import FoundationEssentials
import NIOCore
import NIOHTTP1
package import OfflineSync
import Synchronization
package import TableProtocol

/// The server's tables over HTTP, in whichever version of the protocol the server speaks.
///
/// Calls block; they come from the sync queue. Redirects are not followed, and no link in an answer
/// is: credentials go to the configured address only (table-protocol 13).
package final class HTTPRemoteTable: RemoteTable {
  private let address: ServerAddress
  private let token: String?
  private let transport: HTTPTransport
  private let spoken: Mutex<ProtocolVersion?>

  /// `protocolVersion` is what the server was found to speak before; nil finds out.
  package init(
    address: ServerAddress, token: String?, protocolVersion: ProtocolVersion?, limits: TimeLimits = TimeLimits()
  ) {
    self.address = address
    self.token = token
    transport = HTTPTransport(limits: limits)
    spoken = Mutex(protocolVersion)
  }

  package var server: String { address.text }
  package var protocolVersion: ProtocolVersion? { spoken.withLock(\.self) }
  package var traffic: Traffic { transport.traffic }

  package var batching: BatchSupport? { nil }

  package func send(_ changes: [RemoteChange]) -> [Result<RemoteAnswer, RemoteFailure>] {
    var ended: RemoteFailure?
    return changes.map { change in
      if let ended { return .failure(ended.unsent) }
      let outcome = Result { () throws(RemoteFailure) in try answer(to: change) }
      if case .failure(let failure) = outcome, failure.concernsAll { ended = failure }
      return outcome
    }
  }

  private func answer(to change: RemoteChange) throws(RemoteFailure) -> RemoteAnswer {
    let version = try version(for: change.table)
    let form = ChangeRequest(change, version: version, address: address)
    let response = try transport.answer(
      to: HTTPExchange(method: form.method, url: form.url, headers: headers(version, form), body: form.body))
    let answer = try ChangeAnswer(response, to: change).interpreted()
    guard case .accepted(let record) = answer, let rest = change.remainder(after: record, version) else { return answer }
    return try self.answer(to: rest)
  }

  package func read(_ id: String, in table: String) throws(RemoteFailure) -> Record? {
    let query = TableQuery(table: table, filter: .compare(SystemColumn.id, .equal, .text(id)), limit: 1)
    return try page(query).records.first { $0.id == id }
  }

  package func page(_ query: TableQuery) throws(RemoteFailure) -> RemotePage {
    if let version = protocolVersion {
      return try list(query, version).page
    }
    return try detect(with: query).page
  }

  /// The version to speak, found out by a list of one row where it is not known yet.
  private func version(for table: String) throws(RemoteFailure) -> ProtocolVersion {
    if let version = protocolVersion { return version }
    _ = try detect(with: TableQuery(table: table, limit: 1))
    return protocolVersion ?? .v3
  }

  /// Asks as 3.0.0. A server of 2.0.0 answers that with 400, or with a list that is an array; then it
  /// is asked again in its own way (table-protocol 3).
  private func detect(with query: TableQuery) throws(RemoteFailure) -> ListAnswer {
    var answer = try list(query, .v3, toleratingOldServer: true)
    if answer.isOfOldServer {
      answer = try list(query, .v2)
    }
    spoken.withLock { $0 = answer.version }
    return answer
  }

  private func list(
    _ query: TableQuery, _ version: ProtocolVersion, toleratingOldServer: Bool = false
  ) throws(RemoteFailure) -> ListAnswer {
    let text = QueryWriter(version).queryString(for: query, includeDeleted: true)
    let response = try transport.answer(
      to: HTTPExchange(
        method: .GET, url: address.url(table: query.table, query: text), headers: headers(version, nil)))
    if toleratingOldServer, response.status == .badRequest { return ListAnswer(version: .v2) }
    return try ListAnswer(response, asked: version)
  }

  private func headers(_ version: ProtocolVersion, _ form: ChangeRequest?) -> HTTPHeaders {
    var headers = HTTPHeaders([
      (ZumoHeader.apiVersion, version.rawValue), ("Accept", "application/json"), ("User-Agent", "ebb"),
    ])
    if let token {
      headers.add(name: ZumoHeader.authentication, value: token)
      headers.add(name: "Authorization", value: "Bearer \(token)")
    }
    if form?.body != nil { headers.add(name: "Content-Type", value: "application/json") }
    if let base = form?.precondition { headers.add(name: "If-Match", value: base.entityTag) }
    return headers
  }
}
