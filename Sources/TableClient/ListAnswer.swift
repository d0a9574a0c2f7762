import OfflineSync
import TableProtocol

/// A page of a list as a server answered it.
struct ListAnswer {
  /// The version of the protocol the answer is in.
  let version: ProtocolVersion
  var page: RemotePage
  /// True if the server was asked in 3.0.0 and knows only 2.0.0.
  let isOfOldServer: Bool
  /// The columns of the rows.
  private(set) var columns = ServerColumns()

  /// A server that refused the version it was asked in.
  init(version: ProtocolVersion) {
    self.version = version
    page = RemotePage(records: [], hasMore: false)
    isOfOldServer = true
  }

  /// Throws `RemoteFailure` for a status that is an error and for a body that is no list. `rows` reads the rows; only
  /// those that were asked for with all their columns are `whole`.
  init(_ answer: ServerAnswer, asked: ProtocolVersion, rows: AnswerRowReader, whole: Bool) throws(RemoteFailure) {
    guard 200..<300 ~= answer.status else { throw RemoteFailure(answer: answer) }
    guard answer.status == 200, !answer.body.isEmpty else {
      throw RemoteFailure(.notTheServer(answer.kind), mayHaveActed: false)
    }
    guard answer.isUTF8 else { throw RemoteFailure(.alteredAnswer(.notUTF8), mayHaveActed: false) }
    var rows = rows
    guard let body = try? ListBody(json: answer.body, item: { reader throws(JSONError) in try rows.row(&reader) }),
      // Objects without ids are a list of something else.
      rows.rowCount == 0 || !body.items.isEmpty || rows.unreadable.contains(where: { $0.id != nil })
    else {
      let words = rows.isTooLong ? "its page has too many items" : "it is not a list of items"
      throw RemoteFailure(.badAnswer(words), mayHaveActed: false)
    }
    version = body.form
    isOfOldServer = asked == .v3 && body.form == .v2
    columns = rows.seen
    // A page says that it is not the last one, by a header in 2.0.0 and by a member in 3.0.0. Where the
    // next one begins is our own business: the links of known servers skip rows (sync-rules P1, P2).
    let link = answer.headers["link"].flatMap { LinkHeader.nextQuery(in: $0) }
    page = RemotePage(
      records: whole ? rows.completed(body.items) : body.items,
      hasMore: body.nextLink.map { !$0.isEmpty } ?? (link != nil),
      isOrdered: answer.headers[ZumoHeader.ordered] == "true",
      next: (body.nextLink.flatMap { NextLink.query(of: $0) } ?? link).map(PageLink.init), totalCount: body.count,
      digest: answer.digest, unreadable: rows.unreadable, rowCount: rows.rowCount, last: rows.unreadableEnd,
      serverTime: answer.headers["date"].flatMap { Timestamp(httpDate: $0) }, epoch: answer.epoch,
      newest: answer.headers[ZumoHeader.newest].flatMap { Timestamp($0) },
      isBehind: answer.headers[ZumoHeader.behind] == "true",
      damaged: answer.headers[ZumoHeader.damaged].flatMap { UInt32($0) }.map(Int.init),
      tombstones: answer.headers[ZumoHeader.tombstones].flatMap { TombstoneRetention($0) })
  }
}
