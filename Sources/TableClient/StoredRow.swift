import OfflineSync
import TableProtocol

/// A member of a row as the server wrote it: a nested value too.
struct RowMember: Sendable, Hashable {
  let name: String
  let json: [UInt8]
}

/// The server's row before it is replaced, from the answer to a list of this one row.
struct StoredRow {
  let record: Record
  /// All of its members, in their order.
  private let members: [RowMember]

  /// Nil if the server has no such row. Throws `RemoteFailure` if the answer does not say.
  init?(_ id: RecordID, in answer: ServerAnswer, rows: inout RowReader) throws(RemoteFailure) {
    guard answer.status == 200 else { throw RemoteFailure(answer: answer) }
    var bodies: [[UInt8]] = []
    let list = try? ListBody(json: answer.body) { reader throws(JSONError) in
      bodies.append(Array(try reader.raw()))
      return nil
    }
    guard list != nil else { throw RemoteFailure(.badAnswer("it is not a list of items"), mayHaveActed: false) }
    for body in bodies {
      guard let record = rows.item(in: body), record.id == id else { continue }
      self.record = record
      members = (try? Self.members(of: body)) ?? []
      return
    }
    guard rows.unreadable.isEmpty else { throw .unreadableItem }
    return nil
  }

  private static func members(of body: [UInt8]) throws(JSONError) -> [RowMember] {
    var reader = try JSONReader(body)
    var members: [RowMember] = []
    try reader.beginObject()
    while let name = try reader.nextName() { members.append(RowMember(name: name, json: Array(try reader.raw()))) }
    return members
  }

  /// The members that a request with these columns would leave out. Those of the server's own keeping stay with it,
  /// as do the annotations of OData.
  func others(than columns: [String: FieldValue]) -> [RowMember] {
    members.filter { columns[$0.name] == nil && !SystemColumn.contains($0.name) && !$0.name.contains("@") }
  }
}

extension RemoteFailure {
  /// The server has the item, so that it is not gone; but not in a form that could be stored or compared.
  static let unreadableItem = RemoteFailure(.badAnswer("the item there can't be read"), mayHaveActed: false)
}
