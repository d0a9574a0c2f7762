import FoundationEssentials
import GRDB
import Glibc

/// Makes a verified copy of a database, in one state of it. A server may run on it meanwhile.
struct DatabaseCopy {
  /// The rows of each list, which are those of the original; nil if it is of a version that had no lists.
  let lists: [ListCheck]?

  /// Copies the database at `source` into a file that is there and empty.
  init(of source: String, into file: UnfinishedFile) throws {
    let original = try Self.open(source)
    let expected: [ListCheck]?
    do {
      expected = try original.read { database in
        let lists = try DatabaseInspection.lists(in: database)
        // Of the same state: the copy is read in this transaction.
        try Self.copy(database, of: source, into: file)
        return lists
      }
      try original.close()
    } catch let error as DatabaseError where [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode) {
      throw BackupProblem.damaged(path: source, reason: error.message ?? "\(error.resultCode)")
    }
    try Self.naming(file.place, source) {
      let copy = try Self.open(file.path)
      // Without a log beside it, so that the one file is the whole backup.
      try copy.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
      let (damage, lists) = try copy.read {
        (try DatabaseInspection.fileDamage(in: $0), try DatabaseInspection.lists(in: $0))
      }
      try copy.close()
      if let damage = damage.first { throw BackupProblem.damaged(path: source, reason: damage) }
      guard lists == expected else {
        throw BackupProblem.failed(path: file.place, reason: "it differs from the database")
      }
    }
    lists = expected
  }

  /// Opens a database that is there, to look at it. What another connection does is waited for.
  static func open(_ path: String) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.busyMode = .timeout(5)
    return try DatabaseQueue(path: path, configuration: configuration)
  }

  private static func copy(_ database: Database, of source: String, into file: UnfinishedFile) throws {
    try naming(file.place, source) {
      let copy = try open(file.path)
      try copy.writeWithoutTransaction { try database.backup(to: $0) }
      try copy.close()
    }
  }

  /// Runs what writes or reads the copy. Damage that is met on the way is the original's.
  private static func naming(_ path: String, _ source: String, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as DatabaseError {
      let reason = error.message ?? "\(error.resultCode)"
      if [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode) {
        throw BackupProblem.damaged(path: source, reason: reason)
      }
      throw BackupProblem.failed(path: path, reason: reason)
    }
  }
}

/// Puts a database in the place of another, which nothing may have open.
struct DatabaseReplacement {
  /// Where the database is that was there; nil if none was.
  let old: String?

  /// `suffix` is added to the name of the old database, and a number if there is one of that name already.
  init(_ file: UnfinishedFile, suffix: String) throws {
    guard access(file.place, F_OK) == 0 else {
      try file.finish()
      old = nil
      return
    }
    var kept = file.place + suffix
    var number = 1
    while access(kept, F_OK) == 0 {
      number += 1
      kept = "\(file.place)\(suffix)-\(number)"
    }
    old = kept
    try Self.alone(with: file.place) { try file.finish(keepingOldAt: kept) }
  }

  /// Throws if something has the database open.
  static func checkUnused(_ path: String) throws {
    if access(path, F_OK) == 0 { try alone(with: path) {} }
  }

  /// Runs `body` while nothing else has the database open, nor can open it. A connection holds a lock on the file for as
  /// long as the database keeps a log, as a server's does; to give up the log needs the only one.
  private static func alone(with path: String, _ body: () throws -> Void) throws {
    do {
      var configuration = Configuration()
      configuration.busyMode = .immediateError
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      try queue.writeWithoutTransaction { database in
        // Afterwards all of it is in the one file.
        let alone = "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE; COMMIT"
        try database.execute(sql: alone)
        try body()
      }
      try queue.close()
    } catch let error as DatabaseError where [.SQLITE_BUSY, .SQLITE_LOCKED].contains(error.resultCode) {
      throw BackupProblem.inUse(path: path)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
      // It is damaged, which may be why there is to be another. It is kept as it is, with its log.
      guard try !isLocked(path) else { throw BackupProblem.inUse(path: path) }
      try body()
    }
  }

  /// Whether another program has a lock on the file, among the bytes where SQLite has its locks (its file format, 1.2.1).
  private static func isLocked(_ path: String) throws -> Bool {
    let file = open(path, O_RDWR)
    guard file >= 0 else { throw BackupProblem.notAllowed(path: path) }
    defer { close(file) }
    var lock = flock(l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: 0x4000_0000, l_len: 512, l_pid: 0)
    guard fcntl(file, F_GETLK, &lock) == 0 else { return true }
    return lock.l_type != Int16(F_UNLCK)
  }
}
