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
      try walk.take(remote.page(next.query, at: next.link))
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

/// The walk over the pages of one query.
struct OnlineQuery {
  private let query: TableQuery
  private(set) var records: [Record] = []
  private(set) var totalCount: Int?
  /// The number of rows that the server sent, including unreadable ones.
  private var rowCount = 0
  private(set) var next: (query: TableQuery, link: PageLink?)?
  private var seen: Set<RecordID> = []

  init(_ query: TableQuery) {
    self.query = query
    next = (query, nil)
  }

  /// Adds the page that `next` asked for. Throws `RemoteFailure` if the walk does not move on.
  ///
  /// A server that is none of ours may cut a page at any size and not say so (wire 6.4). With such a server
  /// the end is an empty page, or all rows that it counted.
  mutating func take(_ page: RemotePage) throws(RemoteFailure) {
    records += page.records
    rowCount += page.rowCount
    totalCount = totalCount ?? page.totalCount
    let left = query.limit.map { $0 - records.count }
    if let left, left <= 0 { records.removeLast(-left) }
    let hasAll = totalCount.map { (query.skip ?? 0) + rowCount >= $0 } ?? false
    let mayBeCut = page.next == nil && !page.isOrdered && !hasAll
    guard page.hasMore || mayBeCut, page.rowCount > 0, left ?? 1 > 0 else {
      next = nil
      return
    }
    if let link = page.next, link == next?.link { throw .samePage }
    let ids = page.ids
    if page.next == nil, ids.isSubset(of: seen) { throw .samePage }
    seen.formUnion(ids)
    var rest = query
    rest.skip = (query.skip ?? 0) + rowCount
    rest.limit = left
    next = (rest, page.next)
  }
}
