import OfflineSync
import Support
import TableProtocol
import Testing

@testable import SQLiteStore

@Suite("The tables of an application")
struct TableDefinitionTests {
  private let folder: TemporaryFolder
  private let store: SQLiteStore

  init() throws {
    folder = try TemporaryFolder()
    store = try SQLiteStore(path: folder.file("store.sqlite"))
  }

  private func table(_ columns: [String: FieldValue]) throws -> SyncTable {
    try SyncContext(tables: [SyncTableDefinition("Book", columns: columns)], store: store).table("Book")
  }

  @Test("a value of each kind is kept as what it is, and a column that is not given has its default")
  func kinds() throws {
    let books = try table([
      "title": .text("it's new"), "read": .bool(true), "pages": .integer(7), "price": .real(2.5), "note": .null,
    ])
    let values: [String: FieldValue] = [
      "title": .text("Emma"), "read": .bool(false), "pages": .integer(474), "price": .real(9.5), "note": .text("lent"),
    ]
    let emma = try books.insert(values)
    #expect(try books.read(emma.id)?.values == values)
    let other = try books.insert([:])
    #expect(
      try books.read(other.id)?.values == [
        "title": .text("it's new"), "read": .bool(true), "pages": .integer(7), "price": .real(2.5), "note": .null,
      ])
  }

  @Test("a later definition adds the columns that are missing, and the rows stay")
  func columnsAdded() throws {
    let emma = try table(["title": .text("")]).insert(["title": .text("Emma")])
    let books = try table(["title": .text(""), "pages": .integer(0)])
    #expect(try books.read(emma.id)?.values == ["title": .text("Emma"), "pages": .integer(0)])
    try books.update(emma.id, ["pages": .integer(474)])
    #expect(try table(["Title": .text("")]).read(emma.id)?.values["pages"] == .integer(474))
    #expect(try books.undo() != nil)
    #expect(try books.read(emma.id)?.values["pages"] == .integer(0))
  }

  @Test("without a server a sync fails, and the change waits")
  func noServer() async throws {
    let context = try SyncContext(tables: [SyncTableDefinition("Book", columns: ["title": .text("")])], store: store)
    try context.table("Book").insert(["title": .text("Emma")])
    let report = await context.sync()
    #expect(report.failure == .remote(RemoteFailure(.noServer, mayHaveActed: false)))
    #expect(try context.pendingCount() == 1)
  }
}
