import OfflineSync
import TableProtocol

/// A page of a list as a server answered it.
struct ListAnswer {
  /// The version of the protocol the answer is in.
  let version: ProtocolVersion
  var page: RemotePage
  /// The server only speaks 2.0.0, but was asked in 3.0.0.
  let isOfOldServer: Bool

  /// A server that refused the version it was asked in.
  init(version: ProtocolVersion) {
    self.version = version
    page = RemotePage(records: [], hasMore: false)
    isOfOldServer = true
  }

  /// Throws `RemoteFailure` for a status that is an error and for a body that is no list.
  init(_ answer: ServerAnswer, asked: ProtocolVersion) throws(RemoteFailure) {
    guard answer.status == 200 else { throw RemoteFailure(answer: answer) }
    let body: ListBody
    do {
      body = try ListBody(json: answer.body)
    } catch {
      throw RemoteFailure(.badAnswer("it is not a list of items"), mayHaveActed: false)
    }
    version = body.form
    isOfOldServer = asked == .v3 && body.form == .v2
    // A page says that it is not the last one, by a header in 2.0.0 and by a member in 3.0.0. Where the
    // next one begins is our own business: the links of known servers skip rows (offline-sync P1, P2).
    let link = answer.headers["link"].flatMap { LinkHeader.nextQuery(in: $0) }
    page = RemotePage(
      records: body.items, hasMore: body.nextLink.map { !$0.isEmpty } ?? (link != nil),
      isOrdered: answer.headers[ZumoHeader.ordered] == "true",
      next: (body.nextLink.flatMap { NextLink.query(of: $0) } ?? link).map(PageLink.init), totalCount: body.count,
      digest: answer.digest)
  }
}
