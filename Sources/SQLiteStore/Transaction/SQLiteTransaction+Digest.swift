import GRDB
import TableProtocol

extension SQLiteTransaction {
  /// Looks at every row, without making a value of anything: a hundred thousand are to be no more than a blink.
  func digest(of table: String) throws -> TableDigest {
    var digest = TableDigest()
    try forEachRow(
      "SELECT id, version FROM \(table.quotedDatabaseIdentifier) WHERE version IS NOT NULL AND NOT deleted"
    ) { digest.add(hash: TableDigest.hash($0.utf8(0), $0.utf8(1))) }
    return digest
  }
}
