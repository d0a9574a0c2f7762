package import TableProtocol
package import TableStorage

/// All that a storage keeps of a list.
package struct MemoryContent: Sendable {
  package var columns: [TableColumn]
  package var rows: [RecordID: Record] = [:]
  package var lastMoment = Timestamp.epoch
  package var digest = TableDigest()
  package var epoch: DatabaseEpoch
  package var tombstonesAfter: Timestamp?
  var isNew: Bool
  var answers: [String: KeptAnswer] = [:]
  var answersKeptAfter: Timestamp?

  package init(
    columns: [TableColumn] = ServedTable.todoItem.firstColumns, epoch: DatabaseEpoch = DatabaseEpoch(number: 1),
    isNew: Bool = false
  ) {
    self.columns = columns
    self.epoch = epoch
    self.isNew = isNew
  }
}
