import GRDB
import HTTPTypes
import TableProtocol
import TableSQL

/// GET of a list (table-protocol 6).
struct ListRoute: Sendable {
  private let table: ServedTable
  private let options: ListOptions
  private let version: ProtocolVersion
  private let link: NextPageLink

  init(_ request: TableRequest, _ query: QueryItems, table: ServedTable, version: ProtocolVersion) throws(RequestError)
  {
    self.table = table
    self.version = version
    var options = try ListOptions(query, table: table, version: version)
    if request.headers[.zumoOptions]?.contains("include:deleted") == true { options.includesDeleted = true }
    self.options = options
    link = NextPageLink(request, query)
  }

  /// The answer to a request of its own: with the last page goes what there is to compare in all.
  func respondAlone(in database: Database) throws -> TableResponse {
    var response = try respond(in: database)
    guard response.isLastPage else { return response }
    let digest = try StoredDigest.read(table, in: database)
    response.headers[.count] = String(digest.count)
    response.headers[.checksum] = digest.checksumText
    return response
  }

  func respond(in database: Database) throws -> TableResponse {
    do {
      let page = ListPage(schema: try TableSchema(of: table, in: database), options: options, version: version)
      return try response(try page.read(in: database))
    } catch QuerySQLError.unknownColumn(_) where version == .v2 {
      // A table gets its columns with its first items; until then old clients see an empty list.
      return try response(ListPage.Rows(writer: writer(count: 0)))
    } catch let error as QuerySQLError {
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
