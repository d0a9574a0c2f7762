package import FoundationEssentials
import Glibc
package import TableProtocol

/// A server's database as its keeper has it: to be backed up, put back, and looked at.
package struct ServerDatabase {
  package let path: String
  package var location: DatabaseLocation { DatabaseLocation(path) }

  /// Behind a link, so that the link stays and leads to what is put there. `path` may be a URL of PostgreSQL.
  package init(path: String) {
    guard case .file = DatabaseLocation(path), let real = realpath(path, nil) else {
      self.path = path
      return
    }
    defer { free(real) }
    self.path = String(cString: real)
  }

  /// Bytes of the file and of the log beside it; 0 for one that is not there.
  package var size: Int {
    [path, path + "-wal"].reduce(0) { sum, file in
      var status = stat()
      return stat(file, &status) == 0 ? sum + Int(status.st_size) : sum
    }
  }

  /// Writes a backup to a file that is not there yet, and returns what is in it. A server may run meanwhile.
  package func backUp(to backup: String) throws(ServerDatabaseError) -> DatabaseReport {
    try named { try makeBackup(backup) { false } }
  }

  /// The same, until `isStopped` says so: then it throws `CancellationError`, and nothing is left.
  package func backUp(to backup: String, isStopped: @escaping () -> Bool) throws -> DatabaseReport {
    do {
      return try makeBackup(backup, isStopped)
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      return try named { throw error }
    }
  }

  private func makeBackup(_ backup: String, _ isStopped: @escaping () -> Bool) throws -> DatabaseReport {
    try checkIsFile(for: .backup)
    guard try DatabaseHeader.check(path: path) else { throw ServerDatabaseError.noDatabase(path: path) }
    var status = stat()
    guard lstat(backup, &status) != 0 else { throw BackupProblem.exists(path: backup) }
    return try UnfinishedFile.with(for: backup) { file in
      let copy = try DatabaseCopy(of: path, into: file, isStopped: isStopped)
      guard let lists = copy.lists else { throw BackupProblem.olderVersion(path: path) }
      try file.finish()
      return DatabaseReport(lists)
    }
  }

  /// A backup that was put back.
  package struct Restoration: Sendable {
    package let epoch: DatabaseEpoch
    /// The database's contents now.
    package let report: DatabaseReport
    /// Where the database is that was there; nil if none was.
    package fileprivate(set) var old: String?
    /// Tokens that were given out since the backup, which let nobody in any more.
    package let lostTokens: [Grant]
    /// True if the database that was there was another server's: the devices that know it refuse this one.
    package let isOfOtherServer: Bool
  }

  /// Puts a backup in the place of the database, and begins its next epoch, by which devices notice. A token that was
  /// taken back since the backup stays so. Lists, tokens, kept answers and the identity come along, in tables that the
  /// server itself makes, and nothing else of the file does. No server may run. Throws for a backup of another server's
  /// database, or of none that can be told, unless `allowsOtherServer` is true, and if there is no room for it.
  package func restore(
    from backup: String, allowsOtherServer: Bool = false, clock: @escaping @Sendable () -> Timestamp,
    makeUUID: () -> UUID = { UUID() }
  ) throws(ServerDatabaseError) -> Restoration {
    try checkIsFile(for: .restore)
    return try named {
      try Self.checkBackup(backup)
      let hasOld = try DatabaseHeader.check(path: path)
      try DatabaseReplacement.checkUnused(path)
      let foreign = try Self.naming(backup, in: path) { try ForeignDatabase(path: backup) }
      let copied = foreign.isCurrent ? 0 : foreign.size
      try UnfinishedFile.checkRoom(copied + foreign.sizeInUse, for: path)
      return try UnfinishedFile.with(for: path) { file in
        var restoration = try Self.naming(backup, in: path) {
          try fill(
            file, from: foreign, hasOld: hasOld, allowsOtherServer: allowsOtherServer, at: clock(), makeUUID: makeUUID)
        }
        restoration.old = try DatabaseReplacement(file, suffix: ".\(clock().inFileName)").old
        WriteMark(database: path).reset()
        return restoration
      }
    }
  }

  /// Makes the file what the backup becomes in the place of the database, which is there if `hasOld` is true.
  private func fill(
    _ file: UnfinishedFile, from backup: ForeignDatabase, hasOld: Bool, allowsOtherServer: Bool, at now: Timestamp,
    makeUUID: () -> UUID
  ) throws -> Restoration {
    var isOther = false
    // Not before damage was looked for: then an identity that is not there is no damage.
    func confirm() throws {
      let identity = DatabaseInspection.identity(of: backup.path)
      isOther = hasOld && !Self.isThat(ofDatabaseAt: path, identity)
      guard isOther, !allowsOtherServer else { return }
      throw identity == nil
        ? BackupProblem.withoutIdentity(backup: backup.path) : .ofOtherServer(backup: backup.path, path: path)
    }
    let expected = try copyRows(of: backup, to: file, confirm)
    let storage = try SQLiteStorage(path: file.path, makeUUID: makeUUID)
    let former = hasOld && !isOther ? DatabaseInspection.epoch(of: path) ?? 0 : 0
    let epoch = try storage.raiseEpoch(now: now, nonce: makeUUID().epochNonce, above: former)
    if hasOld { try storage.revokeTokens(revokedIn: path) }
    let lostTokens = hasOld ? try storage.grants(missingFrom: path, at: now) : []
    let lists = try storage.blocking { try DatabaseInspection.lists(in: $0) ?? [] }
    // Before there were lists, nothing else can be compared.
    let isWhole = try storage.blocking { try ListPlace.first.countRows(in: $0) == expected.first }
    try storage.close()
    // Without a log beside it: only the one file comes to the place.
    try DatabaseReplacement.alone(with: file.path) { _ in }
    guard isWhole, expected.lists.map({ $0.map(\.counted) == lists.map(\.counted) }) ?? true else {
      throw BackupProblem.failed(path: path, reason: "it differs from the backup")
    }
    var report = DatabaseReport(lists)
    report.findings += expected.changed
    return Restoration(
      epoch: epoch, report: report, old: nil, lostTokens: lostTokens, isOfOtherServer: isOther)
  }

  /// Copies the rows straight from the backup, so that there must be room for them once. One of an earlier version is
  /// copied as a whole first, and brought up to date there.
  private func copyRows(
    of backup: ForeignDatabase, to file: UnfinishedFile, _ confirm: () throws -> Void
  ) throws -> ForeignDatabase.Rows {
    guard !backup.isCurrent else { return try backup.copyRows(to: file.path, confirm: confirm) }
    return try UnfinishedFile.with(for: path) { copied in
      let lists = try DatabaseCopy(of: backup.path, into: copied).lists
      try confirm()
      let foreign = try ForeignDatabase(path: copied.path)
      let first = try foreign.update()
      let changed = try foreign.copyRows(to: file.path).changed
      copied.discard()
      return ForeignDatabase.Rows(lists: lists, first: first, changed: changed)
    }
  }

  /// Runs what makes a database of a backup in a file beside `path`. If the content is at fault, that is the backup's;
  /// if the disk is, that of the database.
  private static func naming<Value>(_ backup: String, in path: String, _ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch {
      let cause = ServerDatabaseError(database: error, path: path)
      if case .damaged(_, let reason) = cause { throw BackupProblem.damaged(path: backup, reason: reason) }
      if case .cannotOpen(_, let reason) = cause { throw BackupProblem.damaged(path: backup, reason: reason) }
      if case .newerVersion = cause { throw BackupProblem.newerVersion(path: backup) }
      if case .diskFull = cause { throw ServerDatabaseError.diskFull(path: path) }
      if case .diskFailed(_, let reason) = cause { throw ServerDatabaseError.diskFailed(path: path, reason: reason) }
      if case .notAllowed = cause { throw ServerDatabaseError.notAllowed(path: path) }
      throw cause
    }
  }

  /// Rewrites the database without the room that nothing uses any more, and returns how many bytes it had and has. No
  /// server may run.
  package func compact() throws(ServerDatabaseError) -> (before: Int, after: Int) {
    try checkIsFile(for: .compact)
    return try named {
      guard try DatabaseHeader.check(path: path) else { throw ServerDatabaseError.noDatabase(path: path) }
      let compact = try UnfinishedFile.with(for: path) { file in try CompactDatabase(of: path, into: file) }
      return (compact.before, compact.after)
    }
  }

  /// Whether the identity of a backup is that of the database in whose place it would come. True also if that one can't
  /// be read, which may be why the backup is wanted. A backup without one would get another: all devices would find
  /// another server.
  private static func isThat(ofDatabaseAt path: String, _ identity: DatabaseIdentity?) -> Bool {
    guard let identity else { return false }
    return DatabaseInspection.identity(of: path).map { $0 == identity } ?? true
  }

  /// The words for a file that was named as a backup.
  private static func checkBackup(_ path: String) throws {
    do {
      guard try DatabaseHeader.check(path: path) else { throw BackupProblem.notABackup(path: path) }
    } catch ServerDatabaseError.notADatabase, ServerDatabaseError.otherDatabase, ServerDatabaseError.cannotOpen {
      throw BackupProblem.notABackup(path: path)
    } catch ServerDatabaseError.newerVersion {
      throw BackupProblem.newerVersion(path: path)
    } catch ServerDatabaseError.notAllowed {
      throw BackupProblem.notAllowed(path: path)
    }
  }

  private func checkIsFile(for task: DatabaseTask) throws(ServerDatabaseError) {
    if location.path == nil { throw .hasOwnTools(task, database: location.shown) }
  }

  /// Looks at everything, and changes nothing. A server may run meanwhile.
  package func check() throws(ServerDatabaseError) -> DatabaseReport {
    if case .postgreSQL(let address) = location { return try PostgreSQLInspection.report(of: address) }
    return try named {
      guard try DatabaseHeader.check(path: path) else { throw ServerDatabaseError.noDatabase(path: path) }
      return try DatabaseInspection.report(of: path)
    }
  }

  private func named<Value>(_ body: () throws -> Value) throws(ServerDatabaseError) -> Value {
    do {
      return try body()
    } catch {
      throw ServerDatabaseError(database: error, path: path)
    }
  }
}

extension DatabaseReport {
  /// Of a look at the rows of each list: how many there are, and which are damaged.
  fileprivate init(_ lists: [ListCheck]) {
    self.lists = lists.count
    items = lists.map(\.counted.count).reduce(0, +)
    findings = lists.filter { $0.damaged > 0 }
      .map { .damagedRows(table: $0.list.table.name, ids: $0.named, count: $0.damaged) }
  }
}

extension UUID {
  /// Hexadecimal digits that no epoch had before, short enough for a header.
  package var epochNonce: String { uuidString.prefix(8).lowercased() }
}
