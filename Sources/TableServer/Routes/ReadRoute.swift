import GRDB
import HTTPTypes
import TableProtocol

/// GET of one item (table-protocol 6.6).
struct ReadRoute: Sendable {
  let table: ServedTable
  let id: RecordID
  let includesDeleted: Bool
  let version: ProtocolVersion

  func respond(in database: Database) throws -> TableResponse {
    let rows = StoredTable(try TableSchema(of: table, in: database))
    guard let record = try rows.record(id, in: database) else { throw RequestError.noSuchItem }
    guard includesDeleted || !record.system.deleted else {
      throw version == .v2 ? RequestError.noSuchItem : RequestError.itemDeleted
    }
    return TableResponse(.ok, item: record)
  }
}
