import FoundationEssentials
import GRDB
import HTTPTypes
import TableProtocol

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
