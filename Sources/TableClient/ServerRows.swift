import OfflineSync
import Synchronization
import TableProtocol

/// The columns that a server's rows have, and whether it merges updates, learned from its answers.
final class ServerRows: Sendable {
  private struct State {
    var columns: [String: ServerColumns]
    var mergesUpdates: Bool?
  }

  /// The columns that this device keeps, by table, and what each holds in a row that leaves it out.
  private let kept: [String: [String: FieldValue]]
  /// The names that the server has for columns of this device.
  let names: ColumnNames
  private let state: Mutex<State>

  init(kept: [String: [String: FieldValue]], names: ColumnNames = .none, remembered knowledge: ServerKnowledge) {
    self.kept = kept
    self.names = names
    state = Mutex(State(columns: knowledge.columns, mergesUpdates: knowledge.mergesUpdates))
  }

  var columns: [String: ServerColumns] { state.withLock(\.columns) }

  /// Whether a server of 3.0.0 accepts updates that hold only the changed columns; nil if this was not tried.
  var mergesUpdates: Bool? { state.withLock(\.mergesUpdates) }

  func note(mergesUpdates: Bool) {
    state.withLock { $0.mergesUpdates = mergesUpdates }
  }

  /// True if the server's rows of a table have no column that this device does not keep. False until a page of the
  /// table was read.
  func areAllKnown(in table: String) -> Bool {
    kept[table] != nil && state.withLock { $0.columns[table]?.areAllKnown ?? false }
  }

  /// Reads the rows of one answer.
  func reader(of table: String) -> AnswerRowReader {
    AnswerRowReader(
      columns: kept[table], names: names, seen: state.withLock { $0.columns[table] } ?? ServerColumns())
  }

  /// Notes the columns of the rows of an answer. One row does not show all columns: only a page counts as a list.
  func learn(_ columns: ServerColumns, of table: String, isList: Bool) {
    guard kept[table] != nil else { return }
    state.withLock { state in
      var all = state.columns[table] ?? ServerColumns()
      guard columns != all || isList && !all.wasListed else { return }
      all.known.formUnion(columns.known)
      all.hasOthers = all.hasOthers || columns.hasOthers
      all.varies = all.varies || columns.varies
      all.wasListed = all.wasListed || isList
      state.columns[table] = all
    }
  }

  /// Returns the item in the answer to a change; nil if the body is no item, or one that can't be stored.
  func item(in body: [UInt8], of table: String) -> Record? {
    guard !body.isEmpty else { return nil }
    var reader = reader(of: table)
    let record = reader.item(in: body)
    if record != nil { learn(reader.seen, of: table, isList: false) }
    return record
  }
}
