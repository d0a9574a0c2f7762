import FoundationEssentials
import GRDB
import OfflineSync
import Support
import TableProtocol
import Testing

@testable import SQLiteStore

@Suite("Opening a store")
struct StoreOpeningTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("a new store gets its folder, readable by its owner only, and the tables of the contract")
  func new() throws {
    let path = folder.file("a/b/ebb.sqlite")
    _ = try SQLiteStore(path: path)
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    let tables = try DatabaseQueue(path: path).read { database in
      try String.fetchAll(database, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'")
    }
    #expect(Set(["TodoItem", "MS_TableOperations", "MS_TableOperationErrors", "MS_TableConfig"]).isSubset(of: tables))
  }

  @Test("a link that leads to no file yet is followed, and the file is readable by its owner only")
  func danglingLink() throws {
    let (path, target) = (folder.file("ebb.sqlite"), folder.file("real.sqlite"))
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "second")
    try FileManager.default.createSymbolicLink(atPath: folder.file("second"), withDestinationPath: target)
    let store = try SQLiteStore(path: path)
    try store.write { try $0.setFact("a", "b") }
    let mode = try FileManager.default.attributesOfItem(atPath: target)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    try FileManager.default.removeItem(atPath: target)
    try FileManager.default.createSymbolicLink(atPath: target, withDestinationPath: path)
    #expect(throws: StoreError.self) { try SQLiteStore(path: path) }
  }

  @Test("a file that is no database is refused and left as it is")
  func text() throws {
    let path = folder.file("notes.txt")
    let bytes = Data("these are my notes, ".utf8) + Data(repeating: 65, count: 4_000)
    try bytes.write(to: URL(filePath: path))
    #expect(throws: StoreError.notAStore(path: path)) { try SQLiteStore(path: path) }
    #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["notes.txt"])
  }

  @Test("an empty file beside a log with pages is refused, and the log is left; without one it is a new store")
  func emptied() throws {
    let path = folder.file("ebb.sqlite")
    let log = Data(repeating: 7, count: 4_096 + 56)
    try Data().write(to: URL(filePath: path))
    try log.write(to: URL(filePath: path + "-wal"))
    #expect(throws: StoreError.emptied(path: path)) { try SQLiteStore(path: path) }
    #expect(throws: StoreError.emptied(path: path)) { try StoreInspection(path: path) }
    #expect(try Data(contentsOf: URL(filePath: path + "-wal")) == log)
    try FileManager.default.removeItem(atPath: path + "-wal")
    let store = try SQLiteStore(path: path)
    try store.write { try $0.setFact("a", "b") }
    #expect(try store.read { try $0.fact("a") } == "b")
  }

  @Test("a log with pages whose file was moved away is left, and no new store is made beside it until it is removed")
  func missing() throws {
    let (path, moved) = (folder.file("ebb.sqlite"), folder.file("moved.sqlite"))
    _ = try SQLiteStore(path: path)
    try SQLiteStore(path: path, for: .oneCommand).write { try $0.setFact("a", "b") }
    let log = try Data(contentsOf: URL(filePath: path + "-wal"))
    try FileManager.default.moveItem(atPath: path, toPath: moved)
    #expect(throws: StoreError.missing(path: path)) { try SQLiteStore(path: path) }
    #expect(throws: StoreError.missing(path: path)) { try StoreInspection(path: path) }
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(try Data(contentsOf: URL(filePath: path + "-wal")) == log)
    try FileManager.default.moveItem(atPath: moved, toPath: path)
    #expect(try SQLiteStore(path: path).read { try $0.fact("a") } == "b")
    for end in ["", "-wal"] { try FileManager.default.removeItem(atPath: path + end) }
    #expect(try SQLiteStore(path: path).read { try $0.fact("a") } == nil)
  }

  @Test("another program's database is refused and left as it is")
  func stranger() throws {
    let path = folder.file("other.sqlite")
    let queue = try DatabaseQueue(path: path)
    try queue.write { try $0.execute(sql: "CREATE TABLE recipe (name TEXT)") }
    try queue.close()
    let bytes = try Data(contentsOf: URL(filePath: path))
    #expect(throws: StoreError.notAStore(path: path)) { try SQLiteStore(path: path) }
    #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
  }

  @Test("a change of the journal that is no JSON makes a damaged store of it, for who reads and who writes")
  func damagedJournal() throws {
    let path = folder.file("ebb.sqlite")
    let store = try SQLiteStore(path: path)
    _ = try store.write { try $0.append(TableOperation(id: 0, table: "TodoItem", itemID: "a", kind: .insert)) }
    try DatabaseQueue(path: path).write { try $0.execute(sql: "UPDATE MS_TableOperations SET properties = 'x'") }
    #expect(throws: StoreError.notAStore(path: path)) { try store.read { try $0.operations(after: 0, limit: .max) } }
    #expect(throws: StoreError.notAStore(path: path)) { try store.write { try $0.operations(after: 0, limit: 1) } }
  }

  @Test("a store of a newer version is refused and left as it is")
  func newer() throws {
    let path = folder.file("ebb.sqlite")
    _ = try SQLiteStore(path: path)
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA user_version = 9999") }
    try queue.close()
    #expect(throws: StoreError.newerVersion(path: path)) { try SQLiteStore(path: path) }
  }

  @Test("a folder in place of the store is refused")
  func folderAsStore() {
    #expect(throws: StoreError.cannotOpen(path: folder.path, reason: "it is not a file")) {
      try SQLiteStore(path: folder.path)
    }
  }

  @Test(
    "a store that another program replaced or holds says so, and not that the disk or the permissions are at fault",
    arguments: [
      (ResultCode.SQLITE_READONLY_DBMOVED, StoreError.fileGone(path: "p")),
      (.SQLITE_IOERR_DELETE_NOENT, .busy(path: "p")), (.SQLITE_PROTOCOL, .busy(path: "p")),
      (.SQLITE_BUSY_RECOVERY, .busy(path: "p")), (.SQLITE_READONLY_DIRECTORY, .notAllowed(path: "p")),
      (.SQLITE_CANTOPEN_ISDIR, .cannotOpen(path: "p", reason: "w")),
    ])
  func codes(code: ResultCode, expected: StoreError) {
    #expect(StoreError(DatabaseError(resultCode: code, message: "w"), path: "p") == expected)
  }

  @Test("a folder that can't be made is refused")
  func belowAFile() throws {
    let file = folder.file("file")
    try Data("x".utf8).write(to: URL(filePath: file))
    #expect(throws: StoreError.cannotOpen(path: file + "/ebb.sqlite", reason: "not a directory")) {
      try SQLiteStore(path: file + "/ebb.sqlite")
    }
  }
}
