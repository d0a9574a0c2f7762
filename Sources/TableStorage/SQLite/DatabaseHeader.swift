import CSQLite
import FoundationEssentials
import Glibc

/// The first bytes of a file, read before SQLite touches it: a file that is not ours is left alone.
struct DatabaseHeader: Hashable {
  /// "EbbS": marks a database as a table server's.
  static let applicationID: UInt32 = 0x4562_6253
  /// The version of `server.sql` this program knows.
  static let schemaVersion: UInt32 = 11

  private static let magic = Array("SQLite format 3\0".utf8)

  let applicationID: UInt32
  let schemaVersion: UInt32

  /// Reads the file header of SQLite (its file format, 1.3). Nil when the bytes are not one.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 100, bytes.starts(with: Self.magic) else { return nil }
    schemaVersion = Self.number(bytes, at: 60)
    applicationID = Self.number(bytes, at: 68)
  }

  private static func number(_ bytes: [UInt8], at offset: Int) -> UInt32 {
    bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// Throws unless the file at `path` is a server's database, empty, or not there. Gives false for
  /// the latter two.
  static func check(path: String) throws -> Bool {
    guard let bytes = try start(of: path), !bytes.isEmpty else { return false }
    guard let header = DatabaseHeader(bytes) else { throw ServerDatabaseError.notADatabase(path: path) }
    guard header.applicationID == applicationID else { throw ServerDatabaseError.otherDatabase(path: path) }
    guard header.schemaVersion <= schemaVersion else { throw ServerDatabaseError.newerVersion(path: path) }
    return true
  }

  /// The first bytes of a file; nil if it is not there. Not by a descriptor of our own: if this process serves the
  /// database, SQLite's locks on it would end with the closing.
  private static func start(of path: String) throws(ServerDatabaseError) -> [UInt8]? {
    var status = stat()
    guard stat(path, &status) == 0 else {
      guard errno == ENOENT else { throw ServerDatabaseError(errno, path: path) }
      return nil
    }
    guard status.st_mode & S_IFMT != S_IFDIR else { throw ServerDatabaseError(EISDIR, path: path) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw ServerDatabaseError.notADatabase(path: path) }
    guard access(path, R_OK) == 0 else { throw ServerDatabaseError(errno, path: path) }
    var bytes = [UInt8](repeating: 0, count: 100)
    let count = sqlite_read_start(path, &bytes, CInt(bytes.count))
    guard count >= 0 else { throw ServerDatabaseError(EIO, path: path) }
    return Array(bytes.prefix(Int(count)))
  }
}

extension ServerDatabaseError {
  /// `code` is the number of the system's error.
  fileprivate init(_ code: Int32, path: String) {
    switch code {
    case EACCES, EPERM, EROFS: self = .notAllowed(path: path)
    case ENOSPC, EDQUOT: self = .diskFull(path: path)
    case EIO: self = .diskFailed(path: path, reason: String(cString: strerror(code)))
    default: self = .cannotOpen(path: path, reason: String(cString: strerror(code)))
    }
  }
}

extension ServerDatabaseError {
  /// Why the system does not let the file be used.
  init(file error: any Error, path: String) {
    let cocoa = error as? CocoaError
    switch cocoa?.code {
    case .fileReadNoPermission?, .fileWriteNoPermission?, .fileWriteVolumeReadOnly?: self = .notAllowed(path: path)
    case .fileWriteOutOfSpace?: self = .diskFull(path: path)
    default:
      if let system = cocoa?.underlying as? POSIXError ?? error as? POSIXError {
        self.init(system.code.rawValue, path: path)
      } else {
        let name = cocoa.map { "CocoaError \($0.code.rawValue)" }
        self = .unexpected(name: name ?? "\(type(of: error))", database: path)
      }
    }
  }
}
