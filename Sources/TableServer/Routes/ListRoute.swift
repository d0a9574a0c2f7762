import GRDB
import HTTPTypes
import TableProtocol
import TableSQL

/// GET of a list (wire 6).
struct ListRoute: Sendable {
  private let table: ServedTable
  private let options: ListOptions
  private let version: ProtocolVersion
  private let link: NextPageLink
  /// The client wants the server to look at every row before it answers the last page.
  private let wantsCheck: Bool

  init(_ request: TableRequest, _ query: QueryItems, table: ServedTable, version: ProtocolVersion) throws(RequestError)
  {
    self.table = table
    self.version = version
    var options = try ListOptions(query, table: table, version: version)
    if request.headers[.zumoOptions]?.contains("include:deleted") == true { options.includesDeleted = true }
    self.options = options
    link = NextPageLink(request, query)
    wantsCheck = request.headers[.verify]?.lowercased() == "true"
  }

  /// The answer to a request of its own: with the last page goes what there is to compare in all.
  ///
  /// The check is the one that the client asked for; the caller repairs what it found.
  func respondAlone(in database: Database) throws -> (response: TableResponse, check: TableCheck?) {
    var response = try respond(in: database)
    try announceState(of: database, in: &response.headers)
    guard response.isLastPage else { return (response, nil) }
    let check = wantsCheck ? try TableCheck(table, in: database) : nil
    let digest = try check?.counted ?? StoredDigest.read(table, in: database)
    response.headers[.count] = String(digest.count)
    response.headers[.checksum] = digest.checksumText
    response.headers[.damaged] = check.map { String($0.damaged) }
    return (response, check)
  }

  /// By this a client notices that the database was replaced by an older copy (sync-rules W4).
  private func announceState(of database: Database, in headers: inout HTTPFields) throws {
    headers[.epoch] = try StoredEpoch.read(in: database).text
    headers[.newest] = try StoredEpoch.newestMoment(in: table, database)?.text
    guard let asked = options.query.filter?.latestLowerBound else { return }
    // A client that has read all rows of the newest millisecond asks from the next one on.
    if try asked > StoredClock.read(in: database).advanced(byMilliseconds: 1) { headers[.behind] = "true" }
  }

  func respond(in database: Database) throws -> TableResponse {
    do {
      let page = ListPage(schema: try TableSchema(of: table, in: database), options: options, version: version)
      return try response(try page.read(in: database))
    } catch QueryError.unknownColumn(_) where version == .v2 {
      // A table gets its columns with its first items; until then old clients see an empty list.
      return try response(ListPage.Rows(writer: writer(count: 0)))
    } catch let error as QueryError {
      throw RequestError.query(error)
    }
  }

  /// What a client should know before it writes and before it asks for less than everything.
  private static let announcements: HTTPFields = [.batch: BatchSupport.own.text, .ordered: "true"]

  private func writer(count: Int) -> ListWriter {
    ListWriter(form: version, count: options.query.includesTotalCount ? count : nil)
  }

  private func response(_ rows: ListPage.Rows) throws -> TableResponse {
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
