import OfflineSync
import TableProtocol

extension ForwardingWriter {
  func versions(ofItem itemID: RecordID, in table: String) throws -> [RowVersion] {
    try base.versions(ofItem: itemID, in: table)
  }
  func itemsWithVersions(among itemIDs: [RecordID], in table: String) throws -> Set<RecordID> {
    try base.itemsWithVersions(among: itemIDs, in: table)
  }
  func removeVersions(of table: String) throws { try base.removeVersions(of: table) }
  func arrivals(in table: String) throws -> [RowArrival] { try base.arrivals(in: table) }
  func arrivals(ofItems itemIDs: [RecordID], in table: String) throws -> [RowArrival] {
    try base.arrivals(ofItems: itemIDs, in: table)
  }
  func arrivalCounts(in table: String) throws -> [String: Int] { try base.arrivalCounts(in: table) }
  func removeArrivals(ofItems itemIDs: [RecordID], in table: String) throws {
    try base.removeArrivals(ofItems: itemIDs, in: table)
  }
  func removeArrivals(of table: String) throws { try base.removeArrivals(of: table) }
}
