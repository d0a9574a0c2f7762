import FoundationEssentials
import NIOHTTP1
import OfflineSync
import TableProtocol

/// A change as a request (table-protocol 7, 10.2).
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

  /// `merges` is for a server of ours, which merges updates whatever it speaks, so that nobody's columns are reset,
  /// and keeps the `createdAt` of an insert. Some others refuse an insert that has one (table-protocol 7.1).
  init(_ change: RemoteChange, version: ProtocolVersion, merges: Bool = false, address: ServerAddress) {
    let (isOurs, merges) = (merges, merges || version == .v2)
    switch change {
    case .insert(let table, let record):
      method = .POST
      path = address.path(table: table)
      body = Self.body(id: record.id, record.values, createdAt: isOurs ? record.system.createdAt : nil)
    case .update(let table, let whole, let changed, let base):
      method = merges ? .PATCH : .PUT
      path = address.path(table: table, id: whole.id)
      body = Self.body(id: whole.id, merges ? changed : whole.values)
      precondition = base
    case .delete(let table, let id, let base):
      method = .DELETE
      path = address.path(table: table, id: id)
      precondition = base
    case .undelete(let table, let whole, _, let base):
      method = version == .v2 ? .POST : .PUT
      path = address.path(table: table, id: whole.id, query: version == .v2 ? "" : "__includedeleted=true")
      body = version == .v2 ? nil : Self.body(id: whole.id, whole.values)
      precondition = base
    }
  }

  /// The request as an entry of a batch.
  func entry(id: Int) -> [UInt8] {
    var entry = BatchRequest(id: String(id), method: method.rawValue, url: path, body: body)
    if body != nil { entry.headers["content-type"] = "application/json" }
    entry.headers["if-match"] = precondition?.entityTag
    return entry.bytes
  }

  /// No system property but `createdAt`: the others are the server's.
  private static func body(id: String, _ values: [String: FieldValue], createdAt: Timestamp? = nil) -> [UInt8] {
    var writer = JSONWriter()
    writer.raw("{")
    writer.member(SystemColumn.id, isFirst: true)
    writer.string(id)
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      writer.member(name)
      writer.value(value)
    }
    if let createdAt {
      writer.member(SystemColumn.createdAt)
      writer.timestamp(createdAt)
    }
    writer.raw("}")
    return writer.bytes
  }
}

extension RemoteChange {
  /// What is still to be sent once the server has accepted the change: undeleting takes two requests in
  /// 2.0.0, and the second one carries the values (table-protocol 7.5).
  func remainder(after outcome: Result<RemoteAnswer, RemoteFailure>, _ version: ProtocolVersion) -> RemoteChange? {
    guard version == .v2, case .undelete(let table, let whole, let changed, _) = self, !changed.isEmpty,
      case .success(.accepted(let stored)) = outcome
    else { return nil }
    return .update(table: table, whole: whole, changed: changed, base: stored?.system.version)
  }
}
