import StorageSupport
import TableProtocol

@testable import TableServer
@testable import TableStorage

extension EditableList {
  /// Writes a row by the server's own rule, as a request would.
  func write(_ id: RecordID, isDeleted: Bool = false) throws {
    let newColumns = ColumnAllowance(mostInAnHour: 9)
    try ListTransaction.run(on: self, clock: WallClock.now, newColumns: newColumns) { transaction in
      guard let stored = try row(id) else {
        _ = try transaction.insert(id, ["text": .text(id.text)], createdAt: nil)
        return
      }
      _ = try transaction.update(stored, ["text": .text("again")], deleted: isDeleted)
    }
  }
}
