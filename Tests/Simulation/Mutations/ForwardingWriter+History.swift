import OfflineSync
import TableProtocol

extension ForwardingWriter {
  func hasHistory(ofItem itemID: RecordID, in table: String) throws -> Bool {
    try base.hasHistory(ofItem: itemID, in: table)
  }
  func appendHistory(_ changes: [RowChange], keeping limit: Int) throws {
    try base.appendHistory(changes, keeping: limit)
  }
  func replaceHistory(_ entry: HistoryEntry) throws { try base.replaceHistory(entry) }
  func removeHistory(_ id: Int64) throws { try base.removeHistory(id) }
  func removeHistory(of table: String) throws { try base.removeHistory(of: table) }
}
