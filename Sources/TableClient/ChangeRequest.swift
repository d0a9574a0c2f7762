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
  let url: String
  var body: [UInt8]?
  /// The version the server's copy must have.
  var precondition: RecordVersion?

  init(_ change: RemoteChange, version: ProtocolVersion, address: ServerAddress) {
    switch change {
    case .insert(let table, let record):
      method = .POST
      url = address.url(table: table)
      body = Self.body(id: record.id, record.values)
    case .update(let table, let whole, let changed, let base):
      method = version == .v2 ? .PATCH : .PUT
      url = address.url(table: table, id: whole.id)
      body = Self.body(id: whole.id, version == .v2 ? changed : whole.values)
      precondition = base
    case .delete(let table, let id, let base):
      method = .DELETE
      url = address.url(table: table, id: id)
      precondition = base
    }
  }

  /// Never a system property: those are the server's.
  private static func body(id: String, _ values: [String: FieldValue]) -> [UInt8] {
    var writer = JSONWriter()
    writer.raw("{")
    writer.member(SystemColumn.id, isFirst: true)
    writer.string(id)
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      writer.member(name)
      writer.value(value)
    }
    writer.raw("}")
    return writer.bytes
  }
}

extension RemoteChange {
  var table: String {
    switch self {
    case .insert(let table, _), .update(let table, _, _, _), .delete(let table, _, _): table
    }
  }

  var id: String {
    switch self {
    case .insert(_, let record): record.id
    case .update(_, let whole, _, _): whole.id
    case .delete(_, let id, _): id
    }
  }
}
