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
