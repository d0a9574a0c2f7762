public import TableProtocol

/// A table on the server, used directly: every call is a request, and nothing is stored here.
///
/// A call blocks until the answer comes, so never call it on the main thread. It throws `RemoteFailure` if no answer
/// comes, and `OnlineTableError` if the server refuses.
public struct OnlineTable: Sendable {
  public let name: String
  private let remote: any RemoteTable
  private let environment: Environment

  package init(_ name: String, remote: any RemoteTable, environment: Environment) {
    self.name = name
    self.remote = RetryingRemoteTable(remote, environment: environment)
    self.environment = environment
  }

  /// Adds a record under a new id. Returns the record as the server stored it.
  @discardableResult
  public func insert(_ values: [String: FieldValue]) throws -> Record {
    try insert(Record(id: RecordID(environment.newID()), values: values))
  }

  /// Adds a record under its own id. Throws `OnlineTableError.conflict` if the id is taken.
  @discardableResult
  public func insert(_ record: Record) throws -> Record {
    try stored(.insert(table: name, record), id: record.id) ?? record
  }

  /// Changes a record. If the record has a version, the server changes it only if it still has that version.
  @discardableResult
  public func update(_ record: Record) throws -> Record {
    try stored(
      .update(table: name, whole: record, changed: record.values, base: record.system.version), id: record.id)
      ?? record
  }

  /// Deletes a record. With a version, only if the server still has that version.
  public func delete(_ id: RecordID, version: RecordVersion? = nil) throws {
    _ = try stored(.delete(table: name, id: id, base: version), id: id)
  }

  /// Makes a deleted record live again, with these values. The version must be that of the tombstone.
  @discardableResult
  public func undelete(_ record: Record) throws -> Record {
    try stored(
      .undelete(table: name, whole: record, changed: record.values, base: record.system.version), id: record.id)
      ?? record
  }

  /// Returns the record; nil if it does not exist or is deleted.
  public func read(_ id: RecordID) throws -> Record? {
    guard id.isValid else { throw OnlineTableError.invalidID }
    return try remote.read(id, in: name).flatMap { $0.system.deleted ? nil : $0 }
  }

  /// Returns the records of a query, page after page up to its limit or the end.
  ///
  /// The next page is the one of the server's link, of which only the query is used. If the server gives no link, rows
  /// are counted. Records that move meanwhile may be missed or come twice; pull into a sync table if you need all.
  public func read(_ query: TableQuery) throws -> (records: [Record], totalCount: Int?) {
    var walk = OnlineQuery(query)
    while let next = walk.next {
      let page = try remote.page(next.query, at: next.link)
      try walk.append(page, saysWhenCut: remote.saysWhenCut(page))
    }
    return (walk.records, walk.totalCount)
  }

  private func stored(_ change: RemoteChange, id: RecordID) throws -> Record? {
    guard id.isValid else { throw OnlineTableError.invalidID }
    switch try remote.send(change) {
    case .accepted(let record): return record
    case .conflict(let status, let record): throw OnlineTableError.conflict(status: status, record)
    case .gone: throw OnlineTableError.notFound
    case .refused(let status, let message): throw OnlineTableError.refused(status: status, message: message)
    }
  }
}

/// The server refused a request. Nothing was changed there.
public enum OnlineTableError: Error, Sendable, Hashable {
  case invalidID
  /// 409 or 412: the server has another copy. Nil if the answer did not hold it.
  case conflict(status: Int, Record?)
  /// 404 or 410.
  case notFound
  /// Another 4xx, with the server's own words.
  case refused(status: Int, message: String)
}
