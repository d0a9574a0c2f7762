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

  @Test("null in a column that can't hold it is the column's default, as if a server had left the column out")
  func nulls() throws {
    let books = try table(["title": .text("it's new"), "read": .bool(true), "lent": .bool(false), "note": .null])
    let other = try books.insert(["title": .null, "read": .null, "lent": .null, "note": .null])
    #expect(
      try books.read(other.id)?.values == [
        "title": .text("it's new"), "read": .bool(true), "lent": .bool(false), "note": .null,
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

  @Test("a column may have a name by which SQLite knows its own number of a row")
  func rowNumbers() throws {
    let books = try table(["ROWID": .integer(1), "oid": .text(""), "title": .text("")])
    let ids = try ["Emma", "Ulysses"].map { try books.insert(["title": .text($0), "ROWID": .integer(7)]).id }
    try books.update(ids[1], ["ROWID": .integer(8), "oid": .text("x")])
    #expect(try books.read(ids[0])?.values == ["title": .text("Emma"), "ROWID": .integer(7), "oid": .text("")])
    #expect(try books.read(ids[1])?.values == ["title": .text("Ulysses"), "ROWID": .integer(8), "oid": .text("x")])
  }

  @Test("a row that was made anew since it was read is changed where it lies now")
  func movedRow() throws {
    let books = try table(["title": .text("")])
    let ids = try ["Emma", "Ulysses"].map { try books.insert(["title": .text($0)]).id }
    try store.write { store in
      let rows = try store.records(ids, in: "Book")
      try store.remove(ids, from: "Book")
      // In the other order, so that each has the other's place.
      try store.upsert(rows.sorted { $0.values["title"]?.text ?? "" > $1.values["title"]?.text ?? "" }, in: "Book")
      try store.upsert([Record(id: ids[0], values: ["title": .text("Persuasion")])], in: "Book")
    }
    #expect(try books.read(ids[0])?.values["title"] == .text("Persuasion"))
    #expect(try books.read(ids[1])?.values["title"] == .text("Ulysses"))
  }

  private func context(_ columns: [String: FieldValue], _ server: FakeServer) throws -> SyncContext {
    let book = SyncTableDefinition("Book", columns: columns)
    return try SyncContext(tables: [book], store: store, remote: RemoteServer { _, _, _, _ in server })
  }

  @Test("a column added to a synced table goes to the server and back, with what others put into it before")
  func columnSynced() async throws {
    let server = FakeServer()
    let old = try context(["title": .text("")], server)
    let emma = try old.table("Book").insert(["title": .text("Emma")]).id
    let ulysses = try old.table("Book").insert(["title": .text("Ulysses")]).id
    let persuasion = try old.table("Book").insert(["title": .text("Persuasion")]).id
    #expect(await old.sync().failure == nil)
    server.put(emma, ["title": .text("Emma"), "pages": .integer(474)])
    #expect(await old.sync().failure == nil)
    #expect(try old.table("Book").read(emma)?.values == ["title": .text("Emma")])
    try old.table("Book").update(persuasion, ["title": .text("Persuasion, 1817")])

    let new = try context(["title": .text(""), "pages": .integer(0)], server)
    try new.table("Book").update(ulysses, ["pages": .integer(730)])
    #expect(await new.sync().failure == nil)
    #expect(try new.table("Book").read(emma)?.values["pages"] == .integer(474))
    #expect(server.rows[ulysses]?.values["pages"] == .integer(730))
    #expect(server.rows[persuasion]?.values["title"] == .text("Persuasion, 1817"))
    #expect(try new.pendingCount() == 0)
    server.put(ulysses, ["title": .text("Ulysses"), "pages": .integer(732)])
    #expect(await new.sync().failure == nil)
    #expect(try new.table("Book").read(ulysses)?.values["pages"] == .integer(732))
  }

  @Test(
    "a program that finds every table and column writes nothing", arguments: [SQLiteStore.Use.longUse, .oneCommand])
  func nothingMissing(use: SQLiteStore.Use) throws {
    let books = SyncTableDefinition("Book", columns: ["title": .text("")])
    _ = try SyncContext(tables: [books], store: store)
    let watched = try SQLiteStore(path: store.path)
    _ = try watched.read { try $0.ids(beginning: "", in: "Book") }
    _ = try SyncContext(tables: [books], store: SQLiteStore(path: store.path, for: use))
    #expect(!watched.isOvertaken())
    let more = SyncTableDefinition("Book", columns: ["title": .text(""), "pages": .integer(0)])
    _ = try SyncContext(tables: [more], store: SQLiteStore(path: store.path, for: use))
    #expect(watched.isOvertaken())
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
