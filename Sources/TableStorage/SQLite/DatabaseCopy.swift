import CSQLite
import FoundationEssentials
import GRDB
import GRDBSQLite
import Glibc

/// Makes a verified copy of a database, in one state of it. A server may run on it meanwhile.
struct DatabaseCopy {
  /// The rows of each list, which are those of the original; nil if it is of a version that had no lists.
  let lists: [ListCheck]?

  /// Pages that are copied before it is asked whether to go on.
  private static let pagesTogether: CInt = 4_096

  /// Copies the database at `source`, which stays unchanged with its log, into a file that is there and empty. Throws
  /// `CancellationError` if `isStopped` says so on the way.
  init(of source: String, into file: UnfinishedFile, isStopped: @escaping () -> Bool = { false }) throws {
    let expected: [ListCheck]?
    do {
      let original = try Self.openUnchanged(source)
      expected = try original.read { database in
        let lists = try DatabaseInspection.lists(in: database)
        // Of the same state: the copy is read in this transaction.
        try Self.copy(database, of: source, into: file, isStopped)
        return lists
      }
      try original.close()
    } catch let error as DatabaseError where error.isDamage {
      throw BackupProblem.damaged(path: source, reason: error.reason)
    }
    if isStopped() { throw CancellationError() }
    try Self.verify(file, of: source, expected)
    lists = expected
  }

  /// Throws unless the copy of the database at `source` is whole and has the rows that are expected.
  static func verify(_ file: UnfinishedFile, of source: String, _ expected: [ListCheck]?) throws {
    try naming(file.place, source) {
      let copy = try open(file.path)
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
  }

  /// Opens a database that is there. Waits for what another connection does. `prepare` gets the connection before it
  /// reads anything.
  static func open(
    _ path: String, prepare: @escaping @Sendable (Database) throws -> Void = { _ in }
  ) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.busyMode = .timeout(5)
    configuration.prepareDatabase(prepare)
    return try DatabaseQueue(path: path, configuration: configuration)
  }

  /// Opens the database for a look that leaves its file and its log unchanged: the last connection to close would
  /// copy the log of a killed server into the file. Only a change of the file itself that a killed program did not
  /// finish is taken back, as SQLite does before anything can be read.
  static func openUnchanged(_ path: String) throws -> DatabaseQueue {
    try open(path) { database in
      // SQLite knows where the log is, also behind a link.
      guard let file = sqlite3_db_filename(database.sqliteConnection, "main"), let log = sqlite3_filename_wal(file)
      else { return }
      var status = stat()
      // A log without contents may go.
      if stat(log, &status) == 0, status.st_size > 0 { sqlite_keep_log_on_close(database.sqliteConnection) }
    }
  }

  private static func copy(
    _ database: Database, of source: String, into file: UnfinishedFile, _ isStopped: @escaping () -> Bool
  ) throws {
    try naming(file.place, source) {
      let copy = try open(file.path)
      try copy.writeWithoutTransaction { target in
        try database.backup(to: target, pagesPerStep: pagesTogether) { _ in
          if isStopped() { throw CancellationError() }
        }
      }
      try copy.close()
    }
  }

  /// Runs what writes or reads the copy. Damage that is met on the way is the original's.
  static func naming(_ path: String, _ source: String, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as DatabaseError {
      throw error.isDamage
        ? BackupProblem.damaged(path: source, reason: error.reason)
        : BackupProblem.failed(path: path, reason: error.reason)
    }
  }
}

/// A database that was rewritten without the room in it that nothing uses.
struct CompactDatabase {
  /// Bytes.
  let before: Int
  let after: Int

  /// Puts the new file in the place of the old one when it was compared with it. Nothing else may have the database
  /// open.
  init(of path: String, into file: UnfinishedFile) throws {
    var sizes = (before: 0, after: 0)
    try DatabaseReplacement.alone(with: path) { database in
      guard let database else { throw BackupProblem.damaged(path: path, reason: "it can't be opened") }
      // Before the rows are read, which a damaged page would end without saying where it is.
      if let damage = try DatabaseInspection.fileDamage(in: database).first {
        throw BackupProblem.damaged(path: path, reason: damage)
      }
      let expected = try DatabaseInspection.lists(in: database)
      sizes.before = Self.size(path)
      try DatabaseCopy.naming(file.place, path) {
        try database.execute(sql: "VACUUM INTO ?", arguments: [file.path])
      }
      try DatabaseCopy.verify(file, of: path, expected)
      sizes.after = Self.size(file.path)
      try file.finishReplacing()
    }
    (before, after) = sizes
  }

  private static func size(_ path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
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
    try Self.alone(with: file.place) { _ in try file.finish(keepingOldAt: kept) }
  }

  /// Throws if something has the database open.
  static func checkUnused(_ path: String) throws {
    if access(path, F_OK) == 0 { try alone(with: path) { _ in } }
  }

  /// Runs `body` while nothing else has the database open, nor can open it. A connection holds a lock on the file for
  /// as long as the database keeps a log, as a server's does; to give up the log needs the only one.
  /// `body` gets nil for a database that is too damaged to be opened. Its own errors are thrown unchanged.
  static func alone(with path: String, _ body: (Database?) throws -> Void) throws {
    var isAlone = false
    do {
      var configuration = Configuration()
      configuration.busyMode = .immediateError
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      try queue.writeWithoutTransaction { database in
        // Afterwards all of it is in the one file.
        let alone = "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE; COMMIT"
        try database.execute(sql: alone)
        isAlone = true
        try body(database)
      }
      try queue.close()
    } catch let error as DatabaseError where !isAlone && [.SQLITE_BUSY, .SQLITE_LOCKED].contains(error.resultCode) {
      throw BackupProblem.inUse(path: path)
    } catch let error as DatabaseError where !isAlone && error.isDamage {
      // It is damaged, which may be why another must take its place. It is kept unchanged, with its log.
      guard try !isLocked(path) else { throw BackupProblem.inUse(path: path) }
      try body(nil)
    }
  }

  /// Whether another program has a lock on the file, among the bytes where SQLite has its locks (its file format,
  /// 1.2.1). Not for a process that has the database open itself: its own locks would end with the question, as POSIX
  /// ends them when any descriptor of the file is closed.
  static func isLocked(_ path: String) throws -> Bool {
    let file = open(path, O_RDWR)
    guard file >= 0 else { throw BackupProblem.notAllowed(path: path) }
    defer { close(file) }
    var lock = flock(l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: 0x4000_0000, l_len: 512, l_pid: 0)
    guard fcntl(file, F_GETLK, &lock) == 0 else { return true }
    return lock.l_type != Int16(F_UNLCK)
  }
}
