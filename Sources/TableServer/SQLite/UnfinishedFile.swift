import FoundationEssentials
import Glibc
import TableProtocol

/// A database that is made beside its place, and comes there when it is whole: nobody ever finds half of one there.
struct UnfinishedFile {
  /// Where it is made.
  let path: String
  /// Where it belongs.
  let place: String

  /// Makes an empty file that only the owner can read, in the folder of `place`.
  private init(for place: String) throws(BackupProblem) {
    let url = URL(filePath: place)
    let name = ".\(url.lastPathComponent).\(UUID().uuidString.prefix(8))"
    self.place = place
    path = url.deletingLastPathComponent().appending(path: name).path
    let file = open(path, O_CREAT | O_EXCL | O_WRONLY, 0o600)
    guard file >= 0 else { throw BackupProblem(place) }
    close(file)
  }

  /// Runs `body` with a file for `place`. What `body` leaves of it if it throws is removed.
  static func with<Value>(for place: String, _ body: (UnfinishedFile) throws -> Value) throws -> Value {
    let file = try UnfinishedFile(for: place)
    do {
      return try body(file)
    } catch {
      file.discard()
      throw error
    }
  }

  /// Puts the file in its place, where nothing may be.
  func finish() throws(BackupProblem) {
    try sync()
    guard link(path, place) == 0 else { throw BackupProblem(place) }
    discard()
    try Self.syncFolder(of: place)
  }

  /// Puts the file in its place instead of what is there, which is kept at `other`: at each moment one of both is there.
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

  /// Puts the file in its place instead of what is there, which is gone then.
  func finishReplacing() throws(BackupProblem) {
    try takeOwner()
    try sync()
    guard rename(path, place) == 0 else { throw BackupProblem(place) }
    discard()
    try Self.syncFolder(of: place)
  }

  /// Gives the file the owner and the permissions of the one in its place: a server that runs as another user than the one
  /// who works here must be able to open it.
  private func takeOwner() throws(BackupProblem) {
    var status = stat()
    guard stat(place, &status) == 0 else { throw BackupProblem(place) }
    let isOurs = status.st_uid == geteuid() && status.st_gid == getegid()
    guard isOurs || chown(path, status.st_uid, status.st_gid) == 0, chmod(path, status.st_mode & 0o777) == 0 else {
      throw BackupProblem(path)
    }
  }

  /// Removes what is left of it.
  func discard() {
    for ending in ["", "-journal", "-wal", "-shm"] { unlink(path + ending) }
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
  var inFileName: String { text.prefix(19).replacing(":", with: "-") + "Z" }
}

extension BackupProblem {
  /// What `errno` means for the file at `path`.
  fileprivate init(_ path: String) {
    let code = errno
    switch code {
    case EEXIST: self = .exists(path: path)
    case EACCES, EPERM, EROFS: self = .notAllowed(path: path)
    default: self = .failed(path: path, reason: String(cString: strerror(code)).lowercased())
    }
  }
}
