package import TableProtocol

/// A table of the server used directly: every call is a request, nothing is kept here.
///
/// Calls block until there is an answer; they must not be made on the main thread. Each throws
/// `RemoteFailure` when there is none, and `OnlineTableError` for an answer that says no.
package struct OnlineTable: Sendable {
  package let name: String
  private let remote: any RemoteTable
  private let environment: Environment

  package init(_ name: String, remote: any RemoteTable, environment: Environment) {
    self.name = name
    self.remote = RetryingRemoteTable(remote, environment: environment)
    self.environment = environment
  }

  /// Adds a record under a new id and gives what the server stored.
  @discardableResult
  package func insert(_ values: [String: FieldValue]) throws -> Record {
    try insert(Record(id: environment.newID(), values: values))
  }

  /// Adds a record under the id it has. Throws `OnlineTableError.conflict` where there is one already.
  @discardableResult
  package func insert(_ record: Record) throws -> Record {
    try stored(.insert(table: name, record), id: record.id) ?? record
  }

  /// Changes a record. With a version it is only done when the server still has that one; otherwise whatever
  /// the server has.
  @discardableResult
  package func update(_ record: Record) throws -> Record {
    try stored(
      .update(table: name, whole: record, changed: record.values, base: record.system.version), id: record.id)
      ?? record
  }

  /// Deletes a record, with a version only if the server still has that one.
  package func delete(_ id: String, version: RecordVersion? = nil) throws {
    _ = try stored(.delete(table: name, id: id, base: version), id: id)
  }

  /// Makes a deleted record live again, with these values. Its version is that of the tombstone.
  @discardableResult
  package func undelete(_ record: Record) throws -> Record {
    try stored(
      .undelete(table: name, whole: record, changed: record.values, base: record.system.version), id: record.id)
      ?? record
  }

  /// The record, or nil when there is none or it was deleted.
  package func read(_ id: String) throws -> Record? {
    guard RecordID.isValid(id) else { throw OnlineTableError.invalidID }
    return try remote.read(id, in: name).flatMap { $0.system.deleted ? nil : $0 }
  }

  /// The records of a query, page after page until its limit, or the end.
  ///
  /// The way from page to page is the server's link, of which only the query is used, or counting where it gave
  /// none. Records that move while it walks may be missed or come twice: what must be complete is pulled into a
  /// sync table.
  package func read(_ query: TableQuery) throws -> (records: [Record], totalCount: Int?) {
    var walk = OnlineQuery(query)
    while let next = walk.next {
      try walk.take(remote.page(next.query, at: next.link), from: remote.protocolVersion)
    }
    return (walk.records, walk.totalCount)
  }

  private func stored(_ change: RemoteChange, id: String) throws -> Record? {
    guard RecordID.isValid(id) else { throw OnlineTableError.invalidID }
    switch try remote.send(change) {
    case .accepted(let record): return record
    case .conflict(let status, let record): throw OnlineTableError.conflict(status: status, record)
    case .gone: throw OnlineTableError.notFound
    case .refused(let status, let message): throw OnlineTableError.refused(status: status, message: message)
    }
  }
}

/// An answer of the server that says no. Nothing was changed there.
package enum OnlineTableError: Error, Sendable, Hashable {
  case invalidID
  /// 409 or 412: the server's copy is another; the copy, where the answer held it.
  case conflict(status: Int, Record?)
  /// 404 or 410.
  case notFound
  /// Another 4xx, with the server's own words.
  case refused(status: Int, message: String)
}
