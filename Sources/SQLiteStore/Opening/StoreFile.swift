import CSQLite
import FoundationEssentials
import GRDB
import Glibc
import OfflineSync
import SQLiteStatements

/// The file of a store before it is opened. Creates a missing file, and refuses a file of another program.
struct StoreFile {
  let path: String

  /// Leaves a file that can be opened for writing without harm: a new empty one, or one of ours. Returns true if it is
  /// ready: a store of this version with a log beside it, as this program leaves one. Then it can be opened without
  /// creating, upgrading or recovering anything.
  ///
  /// Throws `StoreError`.
  @discardableResult
  func prepare() throws -> Bool {
    guard let size = try size() else {
      try makeFolder()
      try create(at: path)
      return false
    }
    if size == 0 { return false }
    let header = header()
    if header?.isCurrent != true {
      try checkIdentity()
      return false
    }
    return header?.hasLog == true && access(OpenedFiles.log(of: path), R_OK | W_OK) == 0
  }

  /// Creates an empty file for its owner only, also where a link leads to a file that is not there yet: SQLite would
  /// make that one for everybody to read.
  private func create(at place: String, linksLeft: Int = 16) throws {
    let descriptor = open(place, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
    if descriptor >= 0 {
      close(descriptor)
      return
    }
    guard errno == EEXIST, linksLeft > 0 else { throw failure(errno) }
    // No link: made meanwhile, perhaps by another store of this process. It is not closed under that.
    guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: place) else { return }
    let folder = URL(filePath: place).deletingLastPathComponent()
    try create(at: target.hasPrefix("/") ? target : folder.appending(path: target).path, linksLeft: linksLeft - 1)
  }

  /// Returns the size in bytes; nil if there is no file yet. Throws `StoreError` if the path is not a file, may not be
  /// read and written, or is empty or missing beside a log: SQLite would remove that log, and with it what is left of
  /// the list.
  func size() throws -> Int? {
    var status = stat()
    guard stat(path, &status) == 0 else {
      guard errno == ENOENT else { throw failure(errno) }
      // Another program that made the file a moment ago may have written to its log already.
      if OpenedFiles.hasPagesInLog(of: path), access(path, F_OK) != 0 { throw StoreError.missing(path: path) }
      return nil
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw StoreError.cannotOpen(path: path, reason: "it is not a file")
    }
    guard access(path, R_OK | W_OK) == 0 else { throw StoreError.notAllowed(path: path) }
    if status.st_size == 0, OpenedFiles.hasPagesInLog(of: path) { throw StoreError.emptied(path: path) }
    return Int(status.st_size)
  }

  /// The folder is for its owner only, since lists are private.
  private func makeFolder() throws {
    let folder = URL(filePath: path).deletingLastPathComponent().path
    guard access(folder, F_OK) != 0 else { return }
    var missing = [folder]
    while let parent = missing.last.map({ URL(filePath: $0).deletingLastPathComponent().path }),
      parent != missing.last, access(parent, F_OK) != 0
    {
      missing.append(parent)
    }
    for folder in missing.reversed() where mkdir(folder, 0o700) != 0 && errno != EEXIST {
      throw failure(errno)
    }
  }

  private func failure(_ code: Int32) -> StoreError {
    switch code {
    case EACCES, EPERM, EROFS: .notAllowed(path: path)
    case ENOSPC, EDQUOT: .diskFull(path: path)
    default: .cannotOpen(path: path, reason: String(cString: strerror(code)).lowercased())
    }
  }

  /// Reads whose database it is, without opening it for writing: turning a stranger's database into
  /// write-ahead mode would change it.
  private func checkIdentity() throws {
    do {
      try checkIdentity(readonly: true)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_READONLY && hasJournal {
      // A program was killed in the middle of a change of the file. Its unfinished change has to be taken back before
      // anything can be read, as any program that opens the file would.
      try checkIdentity(readonly: false)
    }
  }

  private var hasJournal: Bool { access(path + "-journal", F_OK) == 0 }

  private func checkIdentity(readonly: Bool) throws {
    var configuration = Configuration()
    configuration.readonly = readonly
    configuration.busyMode = .timeout(1)
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.read { try StoreSchema.check($0, path: path) }
    try queue.close()
  }

  private func header() -> StoreHeader? {
    // Not by a descriptor of our own: another store of this process may have the file open.
    var bytes = [UInt8](repeating: 0, count: 100)
    return sqlite_read_start(path, &bytes, CInt(bytes.count)) == bytes.count ? StoreHeader(bytes) : nil
  }
}

/// The first bytes of the file (SQLite file format, 1.3). The log may hold newer ones, so only a match is sure.
private struct StoreHeader {
  /// True if the file is a store in the version that this program writes.
  let isCurrent: Bool
  /// True if the file is in write-ahead mode.
  let hasLog: Bool

  init(_ bytes: [UInt8]) {
    func number(at offset: Int) -> Int32 {
      bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int32($1) }
    }
    isCurrent = number(at: 68) == StoreSchema.applicationID && number(at: 60) == StoreSchema.version
    hasLog = bytes[18] == 2 && bytes[19] == 2
  }
}
