import TableProtocol
import TableStorage
import Words

/// Why a server's database can't be used, and what to do.
extension ErrorMessages {
  static func sentence(ofDatabase error: ServerDatabaseError) -> String {
    switch error {
    case .notAllowed(let path): catalogue.text(.serveNotAllowed, ["path": path])
    case .notADatabase(let path): catalogue.text(.serveNotADatabase, ["path": path])
    case .noDatabase(let path): catalogue.text(.serveNoDatabase, ["path": path, "argument": path.shellWord])
    case .onlyLog(let path): catalogue.text(.serveOnlyLog, ["path": path])
    case .otherDatabase(let path): catalogue.text(.serveOtherDatabase, ["path": path])
    case .newerVersion(let path): catalogue.text(.serveNewerVersion, ["path": path])
    case .damaged(let path, let reason): catalogue.text(.serveDamaged, ["path": path, "reason": said(reason)])
    case .lacksWrites(let path, let reached, let has): lacksWrites(path: path, reached: reached, has: has)
    case .diskFull(let path): catalogue.text(.storeDiskFull, ["path": path])
    case .diskFailed(let path, let reason): catalogue.text(.serveDiskFailed, ["path": path, "reason": said(reason)])
    case .unreadableMark(let path, let reason): unreadableMark(path: path, reason: reason)
    case .busy(let path): catalogue.text(.serveBusy, ["path": path])
    case .cannotOpen(let path, let reason): catalogue.text(.serveCannotOpen, ["path": path, "reason": said(reason)])
    case .noCopyBeforeUpdate(let path, let reason):
      catalogue.text(.serveNoCopyBeforeUpdate, ["path": path, "reason": said(reason)])
    case .backup(let problem): sentence(ofBackup: problem)
    case .move(let problem): sentence(ofMove: problem)
    case .noPostgreSQLLibrary(let reason): catalogue.text(.serveNoPostgreSQLLibrary, ["reason": said(reason)])
    case .databaseServer(let problem, let database): sentence(ofDatabaseServer: problem, database)
    case .hasOwnTools(.backup, let database): catalogue.text(.serveOwnBackup, ["database": database])
    case .hasOwnTools(.restore, let database): catalogue.text(.serveOwnRestore, ["database": database])
    case .hasOwnTools(.compact, let database): catalogue.text(.serveOwnCompact, ["database": database])
    case .unexpected(let name, let database):
      catalogue.text(.serveUnexpected, ["name": name, "database": database])
    case .tokensTakenBack(.databaseServer(.outcomeUnknown, let database)):
      catalogue.text(.serveTokensTakenBackListsUnknown, ["database": database])
    case .tokensTakenBack(let problem):
      catalogue.text(.serveTokensTakenBack, ["problem": sentence(ofDatabase: problem)])
    }
  }

  /// A list of which nothing is left has no moment to name.
  static func lacksWrites(path: String, reached: Timestamp, has: Timestamp) -> String {
    let isEmpty = has == .epoch
    return catalogue.text(
      isEmpty ? .serveLacksAllWrites : .serveLacksWrites,
      ["path": path, "argument": path.shellWord, "reached": reached.text, "has": has.text])
  }

  /// `4.2 MB`, in thousands as disks are sold.
  static func size(_ bytes: Int) -> String {
    let units = ["kB", "MB", "GB", "TB"]
    var tenths = bytes / 100 + (bytes % 100 + 50) / 100
    var unit = 0
    while tenths >= 10_000, unit + 1 < units.count {
      tenths = (tenths + 500) / 1_000
      unit += 1
    }
    return "\(tenths / 10).\(tenths % 10) \(units[unit])"
  }

  static func unreadableMark(path: String, reason: String) -> String {
    catalogue.text(.serveUnreadableMark, ["path": path, "reason": said(reason)])
  }

  private static func sentence(ofBackup problem: BackupProblem) -> String {
    switch problem {
    case .exists(let path): catalogue.text(.serveBackupExists, ["path": path])
    case .notABackup(let path): catalogue.text(.serveBackupNone, ["path": path])
    case .newerVersion(let path): catalogue.text(.serveBackupNewer, ["path": path])
    case .olderVersion(let path): catalogue.text(.serveBackupOlder, ["path": path])
    case .damaged(let path, let reason): catalogue.text(.serveBackupDamaged, ["path": path, "reason": said(reason)])
    case .notAllowed(let path): catalogue.text(.serveBackupNotAllowed, ["path": path])
    case .failed(let path, let reason): catalogue.text(.serveBackupFailed, ["path": path, "reason": said(reason)])
    case .noRoom(let path, let needed, let free):
      catalogue.text(.serveBackupNoRoom, ["path": path, "needed": size(needed), "free": size(free)])
    case .inUse(let path): catalogue.text(.serveBackupInUse, ["path": path])
    case .ofOtherServer(let backup, let path):
      catalogue.text(.serveBackupOfOtherServer, ["backup": backup, "path": path])
    case .withoutIdentity(let backup): catalogue.text(.serveBackupWithoutIdentity, ["backup": backup])
    }
  }

  private static func sentence(ofMove problem: DatabaseMoveProblem) -> String {
    switch problem {
    case .targetUsed(let database): catalogue.text(.serveMoveTargetUsed, ["database": database])
    case .unfinished(let database): catalogue.text(.serveMoveUnfinished, ["database": database])
    case .noSoundToken(let database): catalogue.text(.serveMoveNoSoundToken, ["database": database])
    case .differs(let database, let list): catalogue.text(.serveMoveDiffers, ["database": database, "list": list])
    case .inUse(let database): catalogue.text(.serveMoveInUse, ["database": database])
    case .sourceChanged(let database): catalogue.text(.serveMoveSourceChanged, ["database": database])
    case .tooSlow(let database): catalogue.text(.serveMoveTooSlow, ["database": database])
    case .notAllowed(let database): catalogue.text(.serveMoveNotAllowed, ["database": database])
    case .noFile(let path): catalogue.text(.serveMoveNoFile, ["path": path])
    case .noDatabase(let path): catalogue.text(.serveMoveNoDatabase, ["path": path])
    case .failed(let database, let reason):
      catalogue.text(.serveMoveFailed, ["database": database, "reason": said(reason)])
    }
  }

  private static func sentence(ofDatabaseServer problem: DatabaseServerProblem, _ database: String) -> String {
    func text(_ key: ServerKey) -> String { catalogue.text(key, ["database": database]) }
    func text(_ key: ServerKey, _ name: String, _ value: String) -> String {
      catalogue.text(key, ["database": database, name: value])
    }
    return switch problem {
    case .noAnswer(let reason): text(.serveUnreachable, "reason", said(reason))
    case .notReady(let reason): text(.servePostgreSQLNotReady, "reason", said(reason))
    case .tooManySessions: text(.servePostgreSQLTooManySessions)
    case .wrongPassword: text(.servePostgreSQLWrongPassword)
    case .notLetIn(let reason): text(.servePostgreSQLNotLetIn, "reason", said(reason))
    case .noDatabase: text(.servePostgreSQLNoDatabase)
    case .mayNotConnect: text(.servePostgreSQLMayNotConnect)
    case .standby: text(.servePostgreSQLStandby)
    case .readOnly: text(.servePostgreSQLReadOnly)
    case .lacksRights(let statement): text(.servePostgreSQLLacksRights, "statement", statement)
    case .notAllowed: text(.servePostgreSQLNotAllowed)
    case .tooOld(let version): text(.servePostgreSQLTooOld, "version", version)
    case .wrongEncoding(let encoding): text(.servePostgreSQLWrongEncoding, "encoding", encoding)
    case .newerVersion: text(.servePostgreSQLNewerVersion)
    case .noTables: text(.servePostgreSQLNoTables)
    case .full: text(.servePostgreSQLFull)
    case .busy: text(.servePostgreSQLBusy)
    case .commitsUnsafely: text(.serveCommitsUnsafely)
    case .mayNotMakeTables: text(.serveMayNotMakeTables)
    case .severalSchemas(let schemas): text(.serveSeveralSchemas, "schemas", schemas.joined(separator: ", "))
    case .othersMayCreate(let role, let schema): othersMayCreate(role, schema, database)
    case .othersOwn(let kind, let name, let role, let user):
      catalogue.text(
        .serveOthersOwn, ["kind": kind, "name": name, "role": role, "user": user, "database": database])
    case .hasRule(let rule, let table):
      catalogue.text(.serveHasRule, ["rule": rule, "table": table, "database": database])
    case .outcomeUnknown: text(.servePostgreSQLOutcomeUnknown)
    case .other(let reason): text(.servePostgreSQLOther, "reason", said(reason))
    }
  }

  /// `role` is nil for everybody.
  private static func othersMayCreate(_ role: String?, _ schema: String, _ database: String) -> String {
    guard let role else { return catalogue.text(.serveOthersMayCreate, ["schema": schema, "database": database]) }
    return catalogue.text(.serveRoleMayCreate, ["role": role, "schema": schema, "database": database])
  }
}
