import FoundationEssentials
import GRDB
import Glibc
import TableProtocol

/// A file of SQLite as one end of a move.
extension SQLiteStorage: MovableStorage {
  func isUnused() throws -> Bool { try blocking(Self.isUnused) }

  /// Does nothing: no other program knows the file. See ``UnfinishedFile``.
  func claim() throws {}

  func giveUpMove() {}

  /// Does nothing: a program that has the file open is noticed by its locks. See ``HeldDatabase``.
  func refuseOthers() throws {}

  fileprivate static func isUnused(_ database: Database) throws -> Bool {
    let use = """
      SELECT 1 FROM AccessToken UNION ALL SELECT 1 FROM StoredList WHERE number > 1 OR lastUpdatedAt > 0
      UNION ALL SELECT * FROM (SELECT 1 FROM TodoItem LIMIT 1)
      """
    return try !database.hasRow(use)
  }

  func markMoveFinished() throws {}

  var tokenTable: String { StoredGrants.table }

  func allTokens() throws -> StoredTokens { try blockingRead(StoredGrants.tokens) }

  func begin(_ moved: MovedDatabase) throws {
    guard let owner = moved.lists.first?.list.owner else { return }
    try blocking { try $0.execute(sql: "UPDATE StoredList SET owner = ? WHERE number = 1", arguments: [owner.text]) }
  }

  func finish(_ moved: MovedDatabase) throws {
    try blocking { database in
      try database.execute(
        sql: "UPDATE ServerIdentity SET uuid = ?, epoch = ?, epochNonce = ?, address = ?",
        arguments: [moved.identity.text, moved.epoch.number, moved.epoch.nonce, moved.address])
      for list in moved.lists {
        guard let place = try ListPlace.of(list.list, in: database) else { continue }
        try database.execute(
          sql: """
            UPDATE StoredList SET lastUpdatedAt = ?, newestRemoved = ?, epochFrom = ?, answersKeptAfter = ?, tombstonesAfter = ?
            WHERE number = ?
            """,
          arguments: [
            list.state.lastMoment.milliseconds, list.state.newestMoment?.milliseconds,
            list.state.epoch.from?.milliseconds, moved.answersKeptAfter.milliseconds,
            list.state.tombstonesAfter?.milliseconds, place.number,
          ])
      }
      for token in moved.tokens.sound {
        let grant = token.grant
        try database.execute(
          sql: """
            INSERT INTO AccessToken (digest, id, user, label, scope, createdAt, expiresAt, lastUsedAt, revoked)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
          arguments: [
            Data(token.digest.bytes), grant.id, grant.user.text, grant.label, grant.scope.rawValue,
            grant.createdAt.milliseconds, grant.expiresAt?.milliseconds, grant.lastUsedAt?.milliseconds,
            grant.isRevoked,
          ])
      }
    }
    try keep(moved.aliases)
  }
}

/// A file that is moved, to which nobody else can write meanwhile: a server that is started on it gives up.
struct HeldDatabase {
  private let queue: DatabaseQueue

  /// Throws `BackupProblem.inUse` if somebody writes to it now.
  init(path: String) throws {
    var configuration = Configuration()
    configuration.busyMode = .timeout(1)
    configuration.allowsUnsafeTransactions = true
    do {
      queue = try DatabaseQueue(path: path, configuration: configuration)
      try queue.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
    } catch let error as DatabaseError where [.SQLITE_BUSY, .SQLITE_LOCKED].contains(error.resultCode) {
      throw BackupProblem.inUse(path: path)
    }
  }

  /// Before other connections of this process are closed, which leave no log.
  func end() {
    try? queue.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
    try? queue.close()
  }
}

/// A file into which a database is moved. It is made beside its place, and comes there when it was compared.
struct MovedFile {
  /// Where it belongs; no link.
  private let place: String
  /// True if there is a database that nothing was written to, or an empty file.
  private let isThere: Bool

  /// Looks at what is at both places before anything is opened or read: what would be in the way in the end, or is no
  /// file.
  static func check(source: String?, target: String) throws {
    var (old, new) = (stat(), stat())
    if let source, stat(source, &old) == 0, old.st_mode & S_IFMT != S_IFREG {
      throw ServerDatabaseError.move(.noFile(path: source))
    }
    // A link to nothing: `target` is what all others lead to.
    let isThere = lstat(target, &new) == 0
    if isThere, new.st_mode & S_IFMT == S_IFLNK { throw BackupProblem.exists(path: target) }
    guard isThere else { return try UnfinishedFile.checkLogs(of: target) }
    guard new.st_mode & S_IFMT == S_IFREG else { throw ServerDatabaseError.move(.noFile(path: target)) }
    // SQLite takes two names of one file for two databases, with a log each.
    guard old.st_ino != new.st_ino || old.st_dev != new.st_dev else {
      throw ServerDatabaseError.move(.targetUsed(database: target))
    }
  }

  /// Throws `ServerDatabaseError.move(.targetUsed)` if there is something at the place that is of use to somebody.
  init(place: String) throws {
    self.place = place
    isThere = access(place, F_OK) == 0
    guard isThere else {
      try PrivateFolder.make(URL(filePath: place).deletingLastPathComponent().path)
      return
    }
    guard try DatabaseHeader.check(path: place) else { return }
    let storage = try SQLiteStorage(path: place, makeUUID: { UUID() })
    let isUnused = Result { try storage.isUnused() }
    try storage.close()
    guard try isUnused.get() else { throw ServerDatabaseError.move(.targetUsed(database: place)) }
  }

  /// Runs `fill` with an empty storage, and `confirm` right before that comes to the place. If one throws, or this is
  /// killed, nothing comes there.
  func make<Value>(
    _ fill: (SQLiteStorage) async throws -> Value, confirm: () async throws -> Void
  ) async throws -> Value {
    try await UnfinishedFile.with(for: place) { file in
      let storage = try SQLiteStorage(path: file.path, makeUUID: { UUID() })
      let value: Value
      do {
        value = try await fill(storage)
      } catch {
        try? storage.close()
        throw error
      }
      try storage.close()
      // Without a log beside it: only the one file comes to the place.
      try DatabaseReplacement.alone(with: file.path) { _ in }
      try await confirm()
      try finish(file)
      return value
    }
  }

  private func finish(_ file: UnfinishedFile) throws {
    if isThere {
      try DatabaseReplacement.alone(with: place) { database in
        // A server may have run on it meanwhile. An empty file has no tables yet.
        let isUnused = try database.map { try !$0.tableExists("StoredList") || SQLiteStorage.isUnused($0) }
        guard isUnused == true else { throw ServerDatabaseError.move(.targetUsed(database: place)) }
        try file.finishReplacing(isPrivate: true)
      }
    } else {
      try file.finish()
    }
    // The mark may be that of an earlier database at this place.
    WriteMark(database: place).reset()
  }
}
