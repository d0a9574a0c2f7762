import FoundationEssentials
import NIOHTTP1
import OfflineSync
import TableProtocol

/// A change as a request (wire 7, 10.2).
///
/// Protocol 2.0.0 merges: only what differs is sent. 3.0.0 replaces: the whole record is, and its
/// absent columns would be reset.
struct ChangeRequest {
  let method: HTTPMethod
  /// From the server's root on, with the query.
  let path: String
  var body: [UInt8]?
  /// The version the server's copy must have.
  var precondition: RecordVersion?
  private let isForOurs: Bool

  /// The server that the request is for, as far as it is known.
  struct Server {
    let version: ProtocolVersion
    /// It is one of ours: it keeps the `createdAt` of an insert. Some others refuse an insert that has one
    /// (wire 7.1).
    var isOurs = false
    /// In 3.0.0: it takes updates that name only what changes, so that nobody's columns are reset.
    var merges = false
  }

  /// `others` are the columns of the server's row that this device does not keep: a server that replaces the row gets
  /// them back.
  init(_ change: RemoteChange, to server: Server, address: ServerAddress, others: [RowMember] = []) {
    isForOurs = server.isOurs
    switch change {
    case .insert(let table, let record):
      method = .POST
      path = address.path(table: table)
      body = Self.body(id: record.id, record.values, createdAt: server.isOurs ? record.system.createdAt : nil)
    case .update(let table, let whole, let changed, let base):
      let merges = server.merges || server.version == .v2
      method = merges ? .PATCH : .PUT
      path = address.path(table: table, id: whole.id)
      body = merges ? Self.body(id: whole.id, changed) : Self.body(id: whole.id, whole.values, others)
      precondition = base
    case .delete(let table, let id, let base):
      method = .DELETE
      path = address.path(table: table, id: id)
      precondition = base
    case .undelete(let table, let whole, let changed, let base):
      precondition = base
      switch server.version {
      case .v2:
        method = .POST
        path = address.path(table: table, id: whole.id)
      case .v3 where server.merges:
        method = .PATCH
        path = address.path(table: table, id: whole.id)
        body = Self.body(id: whole.id, changed, revives: true)
      case .v3:
        method = .PUT
        path = address.path(table: table, id: whole.id, query: "__includedeleted=true")
        body = Self.body(id: whole.id, whole.values, others)
      }
    }
  }

  /// The request as an entry of a batch.
  func entry(id: Int) -> [UInt8] {
    var entry = BatchRequest(id: String(id), method: method.rawValue, url: path, body: body)
    // To a server of ours a body of an entry is JSON in any case.
    if body != nil, !isForOurs { entry.headers["content-type"] = "application/json" }
    entry.headers["if-match"] = precondition?.entityTag
    return entry.bytes
  }

  /// No system property but `createdAt`, and the `deleted` that makes a tombstone live: the others are the server's.
  private static func body(
    id: RecordID, _ values: [String: FieldValue], _ others: [RowMember] = [], createdAt: Timestamp? = nil,
    revives: Bool = false
  ) -> [UInt8] {
    var writer = JSONWriter()
    writer.raw("{")
    writer.member(SystemColumn.id, isFirst: true)
    writer.string(id.text)
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      writer.member(name)
      writer.value(value)
    }
    for other in others {
      writer.member(other.name)
      writer.json(other.json)
    }
    if let createdAt {
      writer.member(SystemColumn.createdAt)
      writer.timestamp(createdAt)
    }
    if revives {
      writer.member(SystemColumn.deleted)
      writer.value(.bool(false))
    }
    writer.raw("}")
    return writer.bytes
  }
}

extension RemoteChange {
  /// The same with the server's names of columns.
  func named(_ names: ColumnNames) -> RemoteChange {
    guard !names.isEmpty else { return self }
    func named(_ record: Record) -> Record {
      var record = record
      record.values = names.others(record.values)
      return record
    }
    switch self {
    case .insert(let table, let record):
      return .insert(table: table, named(record))
    case .update(let table, let whole, let changed, let base):
      return .update(table: table, whole: named(whole), changed: names.others(changed), base: base)
    case .delete:
      return self
    case .undelete(let table, let whole, let changed, let base):
      return .undelete(table: table, whole: named(whole), changed: names.others(changed), base: base)
    }
  }

  /// The request that is still to be sent once the server has accepted the change: undeleting takes two requests in
  /// 2.0.0, and the second one carries the values (wire 7.5).
  func remainder(after outcome: Result<RemoteAnswer, RemoteFailure>, _ version: ProtocolVersion) -> RemoteChange? {
    guard version == .v2, case .undelete(let table, let whole, let changed, _) = self, !changed.isEmpty,
      case .success(.accepted(let stored)) = outcome
    else { return nil }
    return .update(table: table, whole: whole, changed: changed, base: stored?.system.version)
  }

  /// The record that the change must lead to and the version it starts from, if a server that replaces rows would reset
  /// the columns that are not in it.
  var replacement: (whole: Record, base: RecordVersion?)? {
    switch self {
    case .insert, .delete: nil
    case .update(_, let whole, _, let base), .undelete(_, let whole, _, let base): (whole, base)
    }
  }
}
