package import FoundationEssentials
package import TableProtocol

/// Where a server's database is, as `--database` has it.
package enum DatabaseLocation: Hashable, Sendable {
  case file(String)
  case postgreSQL(PostgreSQLAddress)

  /// Of the path of a file, or a URL. A URL of anything else has been refused before: see ``isUnknownURL(_:)``.
  package init(_ text: String) {
    self = PostgreSQLAddress(text).map(DatabaseLocation.postgreSQL) ?? .file(text)
  }

  /// True for a text with a scheme that is none of a database that a server can have. As the path of a file it would
  /// make folders of that name.
  package static func isUnknownURL(_ text: String) -> Bool {
    guard let end = text.firstRange(of: "://"), PostgreSQLAddress(text) == nil else { return false }
    let scheme = text[..<end.lowerBound].utf8
    return scheme.first?.isLetterOfScheme == true
      && scheme.allSatisfy { $0.isLetterOfScheme || $0.isDigit || "+-.".utf8.contains($0) }
  }

  /// For people and for the log: without a password.
  package var shown: String {
    switch self {
    case .file(let path): path
    case .postgreSQL(let address): address.shown
    }
  }

  /// Nil for a database that is no file.
  package var path: String? {
    switch self {
    case .file(let path): path
    case .postgreSQL: nil
    }
  }

  /// True if another program has the file open, as a server does for as long as it runs. Ask before this program opens
  /// it. False for PostgreSQL, which servers share by design, and if the file can't be asked.
  package var isOpenElsewhere: Bool {
    guard let path else { return false }
    return (try? DatabaseReplacement.isLocked(path)) ?? false
  }

  /// When a server last wrote to a database that was in this place and is gone; nil if the database is there, or if
  /// none was. Ask before one is made.
  package var lastWriteOfMissing: Timestamp? {
    guard let path, let isThere = try? DatabaseHeader.check(path: path), !isThere else { return nil }
    return WriteMark(database: path).lastWrite
  }

  /// Whether tokens were given out, as far as that is clear before the database is opened or made; nil if it is not, as
  /// of PostgreSQL. Leaves the file and its log unchanged, also those of a server that was killed.
  package var wereTokensGiven: Bool? {
    guard let path, let isThere = try? DatabaseHeader.check(path: path) else { return nil }
    return isThere ? DatabaseInspection.wereTokensGiven(by: path) : false
  }

  /// The error that reports a failure on it.
  package func failure(_ error: any Error) -> ServerDatabaseError {
    switch self {
    case .file(let path): ServerDatabaseError(database: error, path: path)
    case .postgreSQL(let address): ServerDatabaseError(postgreSQL: error, address)
    }
  }

  /// Opens it for a command, which has nothing else to do. If `makesDatabase` is true, a file is made that is not
  /// there, and tables in a database of PostgreSQL that has none.
  package func open(
    makesDatabase: Bool = false, update: DatabaseUpdate?, makeUUID: () -> UUID = { UUID() }
  ) throws(ServerDatabaseError) -> any ServerStorage {
    try open(makesDatabase: makesDatabase, move: nil, update: update, makeUUID: makeUUID)
  }

  /// The same for a command that changes how the database is served: throws `BackupProblem.inUse` if a program has the
  /// file open.
  package func openAlone(update: DatabaseUpdate) throws -> any ServerStorage {
    if let path, try DatabaseHeader.check(path: path) { try DatabaseReplacement.checkUnused(path) }
    return try open(update: update)
  }

  /// Opens it for a command. `move` is the name of the move that it is opened for; if that makes the database, it takes
  /// over another one.
  func open(
    makesDatabase: Bool = false, move: String?, update: DatabaseUpdate? = nil, makeUUID: () -> UUID = { UUID() }
  ) throws(ServerDatabaseError) -> any MovableStorage {
    switch self {
    case .postgreSQL(let address):
      let use: PostgreSQLSchema.Use = !makesDatabase ? .looking : move == nil ? .serving : .moving
      var options = PostgreSQLStorage.Options()
      options.move = move
      return try PostgreSQLStorage(address, options, for: use, makeUUID: makeUUID)
    case .file(let path):
      do {
        guard try DatabaseHeader.check(path: path) || makesDatabase else {
          throw ServerDatabaseError.noDatabase(path: path)
        }
      } catch {
        throw ServerDatabaseError(database: error, path: path)
      }
      return try SQLiteStorage(path: path, update: update, makeUUID: makeUUID)
    }
  }
}

extension UInt8 {
  fileprivate var isLetterOfScheme: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
}
