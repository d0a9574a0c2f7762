import HTTPTypes
import TableProtocol

extension WriteRoute {
  /// An id that is taken, by a tombstone too, is answered with what is stored under it.
  func insert(_ id: RecordID, _ fields: ItemFields, _ writer: inout RowWriter) throws -> TableResponse {
    if try writer.isTaken(id) { return TableResponse(.conflict, item: try existing(id, writer)) }
    var response = TableResponse(.created, item: try writer.insert(id, fields.values, createdAt: fields.createdAt))
    if version == .v3 { response.location = "\(tableURL)/\(PercentEncoding.encodeSegment(id.text))" }
    return response
  }

  /// Changes what the body holds. In 3.0.0 `"deleted": false` brings a tombstone back. A body that
  /// changes nothing is answered with the item as it is.
  func merge(_ id: RecordID, _ fields: ItemFields, _ writer: inout RowWriter) throws -> TableResponse {
    let stored = try existing(id, writer)
    let undeletes = version == .v3 && fields.deleted == false && stored.system.deleted
    if stored.system.deleted, !undeletes { return try refused(stored) }
    guard precondition.allows(stored) else { return TableResponse(.preconditionFailed, item: stored) }
    if fields.values.isEmpty, !undeletes { return TableResponse(.ok, item: stored) }
    return TableResponse(.ok, item: try writer.update(stored, fields.values))
  }

  /// Stores the body as the whole item: a column it leaves out gets the value that some clients do not
  /// write (table-protocol 5). Never creates.
  func replace(
    _ id: RecordID, _ fields: ItemFields, undeletes: Bool, _ writer: inout RowWriter
  ) throws -> TableResponse {
    guard fields.id != nil else { throw RequestError.idMismatch }
    let stored = try existing(id, writer)
    if stored.system.deleted, !undeletes { return try refused(stored) }
    guard precondition.allows(stored) else { return TableResponse(.preconditionFailed, item: stored) }
    return TableResponse(.ok, item: try writer.replace(stored, fields.values))
  }

  /// In 2.0.0 a second delete is as good as the first, since the wish is fulfilled.
  func delete(_ id: RecordID, _ writer: inout RowWriter) throws -> TableResponse {
    let stored = try existing(id, writer)
    if stored.system.deleted {
      if version == .v3 { throw RequestError.itemDeleted }
      return TableResponse(.ok, item: stored)
    }
    guard precondition.allows(stored) else { return TableResponse(.preconditionFailed, item: stored) }
    let tombstone = try writer.update(stored, [:], deleted: true)
    return version == .v2 ? TableResponse(.ok, item: tombstone) : TableResponse(.noContent)
  }

  /// Brings a tombstone back, and moves a live row to the end.
  func undelete(_ id: RecordID, _ writer: inout RowWriter) throws -> TableResponse {
    let stored = try existing(id, writer)
    guard precondition.allows(stored) else { return TableResponse(.preconditionFailed, item: stored) }
    return TableResponse(.ok, item: try writer.update(stored, [:]))
  }

  private func existing(_ id: RecordID, _ writer: RowWriter) throws -> Record {
    guard let record = try writer.record(id) else { throw RequestError.noSuchItem }
    return record
  }

  /// An update met a tombstone: in 2.0.0 a conflict, so that clients do not abort their push.
  private func refused(_ tombstone: Record) throws -> TableResponse {
    if version == .v3 { throw RequestError.itemDeleted }
    return TableResponse(precondition == .none ? .conflict : .preconditionFailed, item: tombstone)
  }
}
