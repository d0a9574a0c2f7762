import OfflineSync
import TableProtocol

/// Everything an in-memory store holds: a value, so that a transaction can work on a copy.
struct InMemoryState: Sendable {
  /// An item of a table.
  struct Place: Sendable, Hashable {
    let table: String
    let itemID: RecordID
  }

  var tables: [String: InMemoryTable]
  var rows: [String: [RecordID: Record]] = [:]
  /// Oldest first.
  var operations: [TableOperation] = []
  /// The highest id an operation ever had: ids are never given twice.
  var lastOperationID: Int64 = 0
  /// By operation.
  var errors: [Int64: TableOperationError] = [:]
  var settings: [StoreSetting: String] = [:]
  /// Oldest first.
  var undoEntries: [UndoEntry] = []
  /// Of each row oldest first, numbered over all.
  var versions: [Place: [(id: Int64, version: PastVersion)]] = [:]
  var lastVersion: Int64 = 0
  var arrivals: [Place: (id: Int64, arrival: RowArrival)] = [:]
  var lastArrival: Int64 = 0
  /// Oldest first.
  var requests: [RequestRecord] = []

  /// How many transactions changed it.
  var revision: Int64 = 0

  init(tables: [InMemoryTable]) {
    self.tables = Dictionary(tables.map { ($0.name, $0) }) { $1 }
  }
}
