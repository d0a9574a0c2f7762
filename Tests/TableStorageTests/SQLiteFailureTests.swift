import FoundationEssentials
import GRDB
import Glibc
import TableProtocol
import Testing

@testable import TableStorage

@Suite("A failure on a server's database")
struct SQLiteFailureTests {
  /// An error that nobody has words for.
  private struct Odd: Error {
    let secret = "the text of an item"
  }

  private func failure(_ error: any Error) -> ServerDatabaseError { ServerDatabaseError(database: error, path: "/a") }

  @Test(
    "each one of SQLite has words of its own, and a rare one has SQLite's and its code",
    arguments: [
      (ResultCode.SQLITE_NOTADB, ServerDatabaseError.notADatabase(path: "/a")),
      (.SQLITE_PERM, .notAllowed(path: "/a")), (.SQLITE_AUTH, .notAllowed(path: "/a")),
      (.SQLITE_READONLY, .notAllowed(path: "/a")), (.SQLITE_READONLY_DIRECTORY, .notAllowed(path: "/a")),
      (.SQLITE_READONLY_ROLLBACK, .notAllowed(path: "/a")), (.SQLITE_READONLY_RECOVERY, .notAllowed(path: "/a")),
      (.SQLITE_READONLY_CANTINIT, .notAllowed(path: "/a")), (.SQLITE_READONLY_CANTLOCK, .notAllowed(path: "/a")),
      // Another program put a file in its place, or took a file away that was beside it.
      (.SQLITE_READONLY_DBMOVED, .busy(path: "/a")), (.SQLITE_IOERR_DELETE_NOENT, .busy(path: "/a")),
      (.SQLITE_BUSY, .busy(path: "/a")), (.SQLITE_BUSY_RECOVERY, .busy(path: "/a")),
      (.SQLITE_PROTOCOL, .busy(path: "/a")), (.SQLITE_LOCKED, .busy(path: "/a")),
      (.SQLITE_CORRUPT, .damaged(path: "/a", reason: "w")),
      (.SQLITE_IOERR_DELETE, .diskFailed(path: "/a", reason: "SQLite 2570: w")),
      (.SQLITE_FULL, .diskFull(path: "/a")), (.SQLITE_CANTOPEN, .cannotOpen(path: "/a", reason: "SQLite 14: w")),
      (.SQLITE_IOERR_FSYNC, .diskFailed(path: "/a", reason: "SQLite 1034: w")),
      (.SQLITE_IOERR_SHMSIZE, .diskFull(path: "/a")),
    ])
  func codes(code: ResultCode, failure: ServerDatabaseError) {
    #expect(self.failure(DatabaseError(resultCode: code, message: "w", sql: "SELECT secret")) == failure)
  }

  @Test(
    "while the database is open, a file that was replaced is no failure of the disk, and one that others use is busy",
    arguments: [
      (ResultCode.SQLITE_READONLY_DBMOVED, StorageError.fileGone), (.SQLITE_IOERR_DELETE_NOENT, .busy),
      (.SQLITE_PROTOCOL, .busy), (.SQLITE_BUSY_SNAPSHOT, .busy), (.SQLITE_READONLY, .failed("SQLite 8: w")),
      (.SQLITE_IOERR_DELETE, .failed("SQLite 2570: w")),
    ])
  func whileOpen(code: ResultCode, expected: StorageError) {
    let error = SQLiteFailure(DatabaseError(resultCode: code, message: "w")).error
    #expect((error as? StorageError) == expected)
  }

  @Test(
    "each one of the storage has words too",
    arguments: [
      (StorageError.busy, ServerDatabaseError.busy(path: "/a")), (.waitedTooLong, .busy(path: "/a")),
      (.full, .diskFull(path: "/a")), (.notAllowed, .notAllowed(path: "/a")),
      (.fileGone, .busy(path: "/a")),
      (.damagedRow(id: "r5", column: "text"), .cannotOpen(path: "/a", reason: "the row r5 is damaged in text")),
      (.tooSlow, .cannotOpen(path: "/a", reason: "it took too long to answer")),
      (.valueTooLarge, .cannotOpen(path: "/a", reason: "a value is too large")),
      (.interrupted, .cannotOpen(path: "/a", reason: "the task was cancelled")),
      (.failed("w"), .cannotOpen(path: "/a", reason: "w")),
    ])
  func storage(error: StorageError, failure: ServerDatabaseError) {
    #expect(self.failure(error) == failure)
  }

  @Test("one of the system has the system's words, and any other is named by its type, without what it holds")
  func others() throws {
    #expect(failure(POSIXError(.EIO)) == .diskFailed(path: "/a", reason: "Input/output error"))
    #expect(failure(POSIXError(.ENOSPC)) == .diskFull(path: "/a"))
    #expect(failure(CancellationError()) == .cannotOpen(path: "/a", reason: "the task was cancelled"))
    #expect(failure(BackupProblem.inUse(path: "/b")) == .backup(.inUse(path: "/b")))
    #expect(failure(ServerDatabaseError.busy(path: "/b")) == .busy(path: "/b"))
    #expect(failure(Odd()) == .unexpected(name: "Odd", database: "/a"))
    let address = try #require(PostgreSQLAddress("postgresql://anna:secret@h/db"))
    #expect(
      ServerDatabaseError(postgreSQL: Odd(), address) == .unexpected(name: "Odd", database: "postgresql://anna@h/db"))
  }
}
