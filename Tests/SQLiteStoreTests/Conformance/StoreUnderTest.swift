import InMemoryStore
import OfflineSync
import SQLiteStore
import Support
import TableProtocol
import TableSQL

/// Every implementation of the store port, with the table `TodoItem`.
enum StoreUnderTest: CaseIterable, Sendable {
  case sqlite, inMemory

  static let table = "TodoItem"

  /// An empty store, and the folder it needs for as long as it is used.
  func open() throws -> (store: any LocalStore, folder: TemporaryFolder) {
    let folder = try TemporaryFolder()
    switch self {
    case .sqlite: return (try SQLiteStore(path: folder.file("ebb.sqlite")), folder)
    case .inMemory: return (InMemoryStore(tables: [Self.todoItem]), folder)
    }
  }

  private static let todoItem = InMemoryTable(
    table,
    columns: [
      InMemoryTable.Column("text", .text, fallback: .text("")),
      InMemoryTable.Column("complete", .bool, fallback: .bool(false)),
    ])
}

extension LocalStore {
  var table: String { StoreUnderTest.table }

  func put(_ records: Record...) throws {
    try write { try $0.upsert(records, in: table) }
  }

  func row(_ id: RecordID) throws -> Record? {
    try read { try $0.record(id, in: table) }
  }

  func ids(_ filter: Filter? = nil, order: [SortKey] = [], skip: Int? = nil, limit: Int? = nil) throws -> [RecordID] {
    let query = TableQuery(table: table, filter: filter, order: order, skip: skip, limit: limit)
    return try read { try $0.records(query).records.map(\.id) }
  }
}

/// A row as a server sent it.
func stored(_ id: RecordID, _ text: String = "", complete: Bool = false, version: String = "v1") -> Record {
  Record(
    id: id, values: ["text": .text(text), "complete": .bool(complete)],
    system: SystemProperties(
      createdAt: Timestamp(milliseconds: 1_000), updatedAt: Timestamp(milliseconds: 2_000),
      version: RecordVersion(version)))
}
