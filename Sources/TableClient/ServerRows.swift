import OfflineSync
import Synchronization
import TableProtocol

/// What is known of the rows of a server, and of how it takes updates of them, by its answers.
final class ServerRows: Sendable {
  private struct State {
    var columns: [String: ServerColumns]
    var mergesUpdates: Bool?
  }

  /// The columns that this device keeps, by table, and what each holds in a row that leaves it out.
  private let kept: [String: [String: FieldValue]]
  private let state: Mutex<State>

  init(kept: [String: [String: FieldValue]], remembered knowledge: ServerKnowledge) {
    self.kept = kept
    state = Mutex(State(columns: knowledge.columns, mergesUpdates: knowledge.mergesUpdates))
  }

  var columns: [String: ServerColumns] { state.withLock(\.columns) }

  /// Whether a server of 3.0.0 takes updates that name only what changes; nil if that was not tried.
  var mergesUpdates: Bool? { state.withLock(\.mergesUpdates) }

  func note(mergesUpdates: Bool) {
    state.withLock { $0.mergesUpdates = mergesUpdates }
  }

  /// True when a row of the table can be replaced by what this device knows of it. While no page was seen, or not which
  /// columns this device keeps, it can't.
  func areAllKnown(in table: String) -> Bool {
    kept[table] != nil && state.withLock { $0.columns[table]?.areAllKnown ?? false }
  }

  /// Reads the rows of one answer.
  func reader(of table: String) -> RowReader {
    RowReader(columns: kept[table], seen: state.withLock { $0.columns[table] } ?? ServerColumns())
  }

  /// Takes note of what the rows of an answer hold. One row says little of the others: only a page counts as a list.
  func learn(_ columns: ServerColumns, of table: String, isList: Bool) {
    guard kept[table] != nil else { return }
    state.withLock { state in
      var all = state.columns[table] ?? ServerColumns()
      all.known.formUnion(columns.known)
      all.hasOthers = all.hasOthers || columns.hasOthers
      all.varies = all.varies || columns.varies
      all.wasListed = all.wasListed || isList
      state.columns[table] = all
    }
  }

  /// The item in the answer to a change; nil if it is none, or can't be stored.
  func item(in body: [UInt8], of table: String) -> Record? {
    guard !body.isEmpty else { return nil }
    var reader = reader(of: table)
    let record = reader.item(in: body)
    if record != nil { learn(reader.seen, of: table, isList: false) }
    return record
  }
}

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
