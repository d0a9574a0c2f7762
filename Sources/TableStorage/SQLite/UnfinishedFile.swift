import FoundationEssentials
import Glibc
package import TableProtocol

/// A database that is made beside its place, and comes there when it is whole: nobody ever finds half of one there.
///
/// The process that makes it holds a lock on it (flock(2)), which ends with the process. So the file of a process that
/// was killed can be told from one that is being written.
struct UnfinishedFile {
  private static let prefix = ".ebb-unfinished-"
  /// Files that SQLite makes beside a database.
  private static let companions = ["-journal", "-wal", "-shm"]

  /// Where it is made.
  let path: String
  /// Where it belongs.
  let place: String
  /// Holds the lock.
  private let lock: Int32

  private init(_ path: String, for place: String, lock: Int32) {
    self.path = path
    self.place = place
    self.lock = lock
  }

  /// Makes an empty file that only the owner can read, in the folder of `place`.
  private static func make(for place: String) throws(BackupProblem) -> UnfinishedFile {
    while true {
      let name = prefix + UUID().uuidString.prefix(8)
      let path = URL(filePath: place).deletingLastPathComponent().appending(path: name).path
      let file = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
      guard file >= 0 else { throw BackupProblem(place) }
      while flock(file, LOCK_EX) != 0, errno == EINTR {}
      var status = stat()
      if fstat(file, &status) != 0 || status.st_nlink > 0 { return UnfinishedFile(path, for: place, lock: file) }
      // A process that removes abandoned files was faster than the lock.
      close(file)
    }
  }

  /// Runs `body` with a file for `place`. If `body` throws, the rest of the file is removed, and so is what other
  /// processes left in the folder that were killed.
  static func with<Value>(for place: String, _ body: (UnfinishedFile) throws -> Value) throws -> Value {
    removeAbandoned(beside: place)
    let file = try make(for: place)
    return try file.end(Result { try body(file) })
  }

  /// The same for a body that waits.
  static func with<Value>(for place: String, _ body: (UnfinishedFile) async throws -> Value) async throws -> Value {
    removeAbandoned(beside: place)
    let file = try make(for: place)
    let outcome: Result<Value, any Error>
    do {
      outcome = .success(try await body(file))
    } catch {
      outcome = .failure(error)
    }
    return try file.end(outcome)
  }

  private func end<Value>(_ outcome: Result<Value, any Error>) throws -> Value {
    // After the last connection to the file has ended: closing it ends the locks that SQLite has on it.
    defer { close(lock) }
    if case .failure = outcome { discard() }
    return try outcome.get()
  }

  /// Puts the file in its place, where nothing may be: no log either, which SQLite would take for one of this database.
  func finish() throws(BackupProblem) {
    try sync()
    try Self.checkLogs(of: place)
    guard link(path, place) == 0 else { throw BackupProblem(place) }
    discard()
    try Self.syncFolder(of: place)
  }

  /// Throws if SQLite would find a log at the place.
  static func checkLogs(of place: String) throws(BackupProblem) {
    for log in companions where access(place + log, F_OK) == 0 { throw .exists(path: place + log) }
  }

  /// Puts the file in its place instead of what is there, which is kept at `other`: at each moment one of both is
  /// there.
  func finish(keepingOldAt other: String) throws(BackupProblem) {
    try takeOwner()
    try sync()
    guard link(place, other) == 0 else { throw BackupProblem(other) }
    // A log of the old database must not be taken for one of the new.
    let logs = ["-wal", "-shm"]
    for log in logs where access(place + log, F_OK) == 0 {
      guard rename(place + log, other + log) == 0 else { throw BackupProblem(place + log) }
    }
    guard rename(path, place) == 0 else {
      let problem = BackupProblem(place)
      for log in logs { rename(other + log, place + log) }
      unlink(other)
      throw problem
    }
    discard()
    try Self.syncFolder(of: place)
  }

  /// Puts the file in its place instead of what is there, which is gone then. If `isPrivate` is true, only the owner
  /// can read it, whatever was there.
  func finishReplacing(isPrivate: Bool = false) throws(BackupProblem) {
    try takeOwner(isPrivate: isPrivate)
    try sync()
    guard rename(path, place) == 0 else { throw BackupProblem(place) }
    discard()
    try Self.syncFolder(of: place)
  }

  /// Gives the file the owner and the permissions of the one in its place: a server that runs as another user than the
  /// one who works here must be able to open it.
  private func takeOwner(isPrivate: Bool = false) throws(BackupProblem) {
    var status = stat()
    guard stat(place, &status) == 0 else { throw BackupProblem(place) }
    let isOurs = status.st_uid == geteuid() && status.st_gid == getegid()
    let mode = isPrivate ? 0o600 : status.st_mode & 0o777
    guard isOurs || chown(path, status.st_uid, status.st_gid) == 0, chmod(path, mode) == 0 else {
      throw BackupProblem(path)
    }
  }

  /// Throws `BackupProblem.noRoom` if the disk of `place` has less free room than `bytes`. Passes if the system does
  /// not say how much there is.
  static func checkRoom(_ bytes: Int, for place: String) throws(BackupProblem) {
    var disk = statvfs()
    let folder = URL(filePath: place).deletingLastPathComponent().path
    // Some file systems of other machines have no size.
    guard statvfs(folder, &disk) == 0, disk.f_blocks > 0 else { return }
    let (free, isMore) = UInt64(disk.f_bavail).multipliedReportingOverflow(by: UInt64(disk.f_frsize))
    guard !isMore, free < UInt64(max(0, bytes)) else { return }
    throw .noRoom(path: place, needed: bytes, free: Int(clamping: free))
  }

  /// Removes what is left of it.
  func discard() { Self.remove(path) }

  private static func remove(_ path: String) {
    for ending in companions + [""] { unlink(path + ending) }
  }

  /// Removes the unfinished files in the folder of `place` that no process holds. A file system without such locks
  /// keeps them.
  static func removeAbandoned(beside place: String) {
    let folder = URL(filePath: place).deletingLastPathComponent().path
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
      guard name.hasPrefix(prefix), name.dropFirst(prefix.count).wholeMatch(of: /[0-9A-F]{8}/) != nil else { continue }
      let path = folder + "/" + name
      var status = stat()
      guard lstat(path, &status) == 0 else { continue }
      if status.st_nlink > 1 {
        // It came to its place, and the process was killed before it took this name away. It is not opened: if this
        // process serves it, SQLite's locks on it would end with the closing.
        unlink(path)
        continue
      }
      let file = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
      guard file >= 0 else { continue }
      // If this process itself writes the file, SQLite's own locks on it end here. No other process opens it.
      defer { close(file) }
      guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, flock(file, LOCK_EX | LOCK_NB) == 0 else {
        continue
      }
      remove(path)
    }
  }

  private func sync() throws(BackupProblem) { try Self.sync(path, for: place) }

  private static func syncFolder(of place: String) throws(BackupProblem) {
    try sync(URL(filePath: place).deletingLastPathComponent().path, for: place)
  }

  private static func sync(_ path: String, for place: String) throws(BackupProblem) {
    let file = open(path, O_RDONLY)
    guard file >= 0 else { throw BackupProblem(place) }
    defer { close(file) }
    guard fsync(file) == 0 else { throw BackupProblem(place) }
  }
}

extension Timestamp {
  /// The moment to the second, as part of a file's name: `2026-11-22T20-30-00Z`.
  package var inFileName: String { text.prefix(19).replacing(":", with: "-") + "Z" }
}

/// A folder that only its owner can read.
package enum PrivateFolder {
  /// Makes the folder, and those above it that are missing. Does nothing if it is there.
  package static func make(_ path: String) throws(ServerDatabaseError) {
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw ServerDatabaseError(file: error, path: path)
    }
  }
}

extension BackupProblem {
  /// The problem behind `errno` at `path`.
  fileprivate init(_ path: String) {
    let code = errno
    switch code {
    case EEXIST: self = .exists(path: path)
    case EACCES, EPERM, EROFS: self = .notAllowed(path: path)
    default: self = .failed(path: path, reason: String(cString: strerror(code)).lowercased())
    }
  }
}
