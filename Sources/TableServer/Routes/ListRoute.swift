import HTTPTypes
import TableProtocol
import TableSQL
import TableStorage

/// GET of a list (wire 6).
struct ListRoute: Sendable {
  let table: ServedTable
  private let options: ListOptions
  private let names: ColumnNames
  private let version: ProtocolVersion
  private let link: NextPageLink
  /// The client wants the server to look at every row before it answers the last page.
  private let wantsCheck: Bool

  init(
    _ request: TableRequest, _ query: QueryItems, table: ServedTable, version: ProtocolVersion, _ policy: TablePolicy
  ) throws(RequestError) {
    self.table = table
    self.version = version
    names = policy.answeredNames(of: table, request.headers)
    var options = try ListOptions(query, table: table, version: version, policy.names(of: table))
    if request.headers[.zumoOptions]?.contains("include:deleted") == true { options.includesDeleted = true }
    self.options = options
    link = NextPageLink(request, query)
    wantsCheck = request.headers[.verify]?.lowercased() == "true"
  }

  /// True if the database may have to look at many rows that are not in the answer.
  var isCostly: Bool {
    let query = options.query
    let countsRows = query.includesTotalCount && (query.filter != nil || options.includesDeleted)
    let isInOrderOfAnIndex = query.order.isEmpty || ["id", "updatedAt"].contains(query.order[0].column)
    return wantsCheck || countsRows || !isInOrderOfAnIndex || (query.skip ?? 0) > 1_000
      || query.filter?.isAnsweredByIndex == false
  }

  /// The answer to a request of its own: with the last page goes what there is to compare in all.
  ///
  /// The check is the one that the client asked for; the caller repairs what it found.
  func respondAlone(in list: any StoredList) throws -> (response: TableResponse, check: ListCheck?) {
    var response = try respond(in: list)
    let state = try list.state()
    announce(state, in: &response.headers)
    guard response.isLastPage else { return (response, nil) }
    let check = wantsCheck ? try list.check() : nil
    let digest = check?.counted ?? state.digest
    response.headers[.count] = String(digest.count)
    response.headers[.checksum] = digest.checksumText
    response.headers[.damaged] = check.map { String($0.damaged) }
    return (response, check)
  }

  /// By this a client notices that the database was replaced by an older copy (sync-rules W4).
  private func announce(_ state: ListState, in headers: inout HTTPFields) {
    headers[.epoch] = state.epoch.text
    headers[.newest] = state.newestMoment?.text
    headers[.tombstones] = TombstoneRetention(days: TombstoneSweep.daysOfRows, after: state.tombstonesAfter).text
    guard let asked = options.query.filter?.latestLowerBound else { return }
    // A client that has read all rows of the newest millisecond asks from the next one on.
    if asked > state.lastMoment.advanced(byMilliseconds: 1) { headers[.behind] = "true" }
  }

  func respond(in list: any StoredList) throws -> TableResponse {
    do {
      return response(try ListPage(list: list, options: options, version: version, names: names).read())
    } catch QueryError.unknownColumn(_) where version == .v2 || list.schema.columns.isEmpty {
      // A table gets its columns with its first items; until then old clients see an empty list, and so do new ones
      // if the table has no item at all.
      return response(ListPage.Rows(writer: writer(count: 0)))
    } catch let error as QueryError {
      throw RequestError.query(error)
    }
  }

  /// Headers for a client that is about to write, or to ask for less than everything.
  private static let announcements = HTTPFields([
    (.batch, BatchSupport.own.text), (.ordered, "true"), (.live, ListLevel.announcement),
  ])

  private func writer(count: Int) -> ListWriter {
    ListWriter(form: version, count: options.query.includesTotalCount ? count : nil)
  }

  private func response(_ rows: ListPage.Rows) -> TableResponse {
    let next = rows.continuation.map { link.query(after: $0, remaining: rows.remaining) }
    switch version {
    case .v2:
      var response = TableResponse(.ok, headers: Self.announcements, body: rows.writer.finished(nextLink: nil))
      response.link = next.map { LinkHeader.field(url: link.absoluteURL($0)) }
      response.isLastPage = next == nil
      return response
    case .v3:
      var response = TableResponse(
        .ok, headers: Self.announcements, body: rows.writer.finished(nextLink: next.map(link.nextLink)))
      response.isLastPage = next == nil
      return response
    }
  }
}
