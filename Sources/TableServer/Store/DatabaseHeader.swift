import FoundationEssentials
import GRDB
import Glibc
import HTTPTypes
import TableProtocol

/// What the first bytes of a file say about it, read before SQLite touches it: a file that is not
/// ours is left alone.
struct DatabaseHeader: Hashable {
  /// "EbbS": marks a database as a table server's.
  static let applicationID: UInt32 = 0x4562_6253
  /// The version of `server.sql` this program knows.
  static let schemaVersion: UInt32 = 6

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
    guard FileManager.default.fileExists(atPath: path) else { return false }
    let file: Data
    do {
      file = try Data(contentsOf: URL(filePath: path), options: .alwaysMapped)
    } catch {
      throw ServerError(file: error, path: path)
    }
    if file.isEmpty { return false }
    guard let header = DatabaseHeader(Array(file.prefix(100))) else { throw ServerError.notADatabase(path: path) }
    guard header.applicationID == applicationID else { throw ServerError.otherDatabase(path: path) }
    guard header.schemaVersion <= schemaVersion else { throw ServerError.newerVersion(path: path) }
    return true
  }
}

extension ServerError {
  init(file error: any Error, path: String) {
    guard let cocoa = error as? CocoaError else {
      self = .cannotOpen(path: path, reason: "\(error)")
      return
    }
    switch cocoa.code {
    case .fileReadNoPermission, .fileWriteNoPermission, .fileWriteVolumeReadOnly:
      self = .notAllowed(path: path)
    default:
      let reason = (cocoa.underlying as? POSIXError).map { String(cString: strerror($0.code.rawValue)) }
      self = .cannotOpen(path: path, reason: reason ?? "\(error)")
    }
  }
}

/// Which database this is, for as long as it exists (``ZumoHeader/database``). A copy of the file is the
/// same database; one made anew at its place is another.
struct DatabaseIdentity: Hashable, Sendable {
  /// A UUID in lower case.
  let text: String

  /// Reads it, and makes it when the database has none yet.
  init(in database: Database, makeUUID: () -> UUID) throws {
    if let stored = try String.fetchOne(database, sql: "SELECT uuid FROM ServerIdentity") {
      guard let uuid = UUID(uuidString: stored) else {
        throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the database's identity is damaged")
      }
      text = uuid.uuidString.lowercased()
    } else {
      text = makeUUID().uuidString.lowercased()
      try database.execute(sql: "INSERT INTO ServerIdentity (id, uuid) VALUES (1, ?)", arguments: [text])
    }
  }

  /// Throws when the request is meant for another database. One that does not say is meant for any.
  func check(_ headers: HTTPFields) throws(RequestError) {
    guard let wanted = headers[.database] else { return }
    guard wanted.lowercased() == text else { throw .otherDatabase }
  }
}
