import TableProtocol
import TableServer
import TableStorage
import Words

/// Why `ebb serve` and its commands can't begin or go on, and what to do.
extension ErrorMessages {
  static func sentence(ofServer error: ServerError, _ host: String) -> String {
    switch error {
    case .portInUse(let port): catalogue.text(.servePortInUse, ["port": String(port)])
    case .portNotAllowed(let port): catalogue.text(.servePortNotAllowed, ["port": String(port)])
    case .hostNotUsable(let host): catalogue.text(.serveHostNotUsable, ["host": host])
    case .cannotListen(let reason): catalogue.text(.serveCannotListen, ["host": host, "reason": said(reason)])
    case .certificate(let problem): sentence(ofCertificate: problem)
    case .signIn(.cannotRead(let path, let reason)):
      catalogue.text(.serveKeysCannotBeRead, ["path": path, "reason": said(reason)])
    case .signIn(.noKey(let path)): catalogue.text(.serveNoSignInKey, ["path": path])
    case .socketPathTooLong(let path): catalogue.text(.serveSocketPathTooLong, ["path": path])
    case .notASocket(let path): catalogue.text(.serveNotASocket, ["path": path])
    case .socketInUse(let path): catalogue.text(.serveSocketInUse, ["path": path])
    case .socketFailed(let path, let reason):
      catalogue.text(.serveSocketFailed, ["path": path, "reason": said(reason)])
    case .addressUnknown: catalogue.text(.serveAddressUnknown)
    case .needsToken(let host): catalogue.text(.serveNeedsToken, ["host": host])
    case .needsTokenBehindProxy: catalogue.text(.serveNeedsTokenBehindProxy)
    case .notAllowed(let path): catalogue.text(.serveNotAllowed, ["path": path])
    case .notADatabase(let path): catalogue.text(.serveNotADatabase, ["path": path])
    case .noDatabase(let path): catalogue.text(.serveNoDatabase, ["path": path])
    case .otherDatabase(let path): catalogue.text(.serveOtherDatabase, ["path": path])
    case .newerVersion(let path): catalogue.text(.serveNewerVersion, ["path": path])
    case .damaged(let path, let reason): catalogue.text(.serveDamaged, ["path": path, "reason": said(reason)])
    case .lacksWrites(let path, let reached, let has):
      lacksWrites(path: path, reached: reached, has: has)
    case .diskFull(let path): catalogue.text(.storeDiskFull, ["path": path])
    case .busy(let path): catalogue.text(.serveBusy, ["path": path])
    case .cannotOpen(let path, let reason): catalogue.text(.serveCannotOpen, ["path": path, "reason": said(reason)])
    case .noPostgreSQLLibrary(let reason): catalogue.text(.serveNoPostgreSQLLibrary, ["reason": said(reason)])
    case .databaseServer(let problem, let database): sentence(ofDatabaseServer: problem, database)
    case .hasOwnTools(.backup, let database): catalogue.text(.serveOwnBackup, ["database": database])
    case .hasOwnTools(.restore, let database): catalogue.text(.serveOwnRestore, ["database": database])
    case .hasOwnTools(.compact, let database): catalogue.text(.serveOwnCompact, ["database": database])
    case .moveTargetUsed(let database): catalogue.text(.serveMoveTargetUsed, ["database": database])
    case .moveUnfinished(let database): catalogue.text(.serveMoveUnfinished, ["database": database])
    case .moveDiffers(let database, let list):
      catalogue.text(.serveMoveDiffers, ["database": database, "list": list])
    case .moveInUse(let database): catalogue.text(.serveMoveInUse, ["database": database])
    case .moveSourceChanged(let database): catalogue.text(.serveMoveSourceChanged, ["database": database])
    case .moveTooSlow(let database): catalogue.text(.serveMoveTooSlow, ["database": database])
    case .moveNotAllowed(let database): catalogue.text(.serveMoveNotAllowed, ["database": database])
    case .moveNoFile(let path): catalogue.text(.serveMoveNoFile, ["path": path])
    case .moveFailed(let database, let reason):
      catalogue.text(.serveMoveFailed, ["database": database, "reason": said(reason)])
    case .commitsUnsafely(let database): catalogue.text(.serveCommitsUnsafely, ["database": database])
    case .mayNotMakeTables(let database): catalogue.text(.serveMayNotMakeTables, ["database": database])
    case .othersMayCreate(nil, let schema, let database):
      catalogue.text(.serveOthersMayCreate, ["schema": schema, "database": database])
    case .othersMayCreate(let role?, let schema, let database):
      catalogue.text(
        .serveRoleMayCreate, ["role": role.printable, "schema": schema.printable, "database": database])
    case .othersOwn(let kind, let name, let role, let user, let database):
      catalogue.text(
        .serveOthersOwn,
        [
          "kind": kind, "name": name.printable, "role": role.printable, "user": user.printable, "database": database,
        ])
    case .hasRule(let rule, let table, let database):
      catalogue.text(
        .serveHasRule, ["rule": rule.printable, "table": table.printable, "database": database.printable])
    case .severalSchemas(let schemas, let database):
      catalogue.text(
        .serveSeveralSchemas, ["schemas": schemas.joined(separator: ", ").printable, "database": database])
    case .noCopyBeforeUpdate(let path, let reason):
      catalogue.text(.serveNoCopyBeforeUpdate, ["path": path, "reason": said(reason)])
    case .backup(let problem): sentence(ofBackup: problem)
    case .aliasHides(let hidden, let path): hidden.sentence(.serveAliasHides, path: path)
    case .aliasDiffers(let kept, let path): catalogue.text(.serveAliasDiffers, ["kept": kept, "path": path])
    case .aliasOfOtherKind(let alias): catalogue.text(.serveAliasOfOtherKind, ["alias": alias])
    }
  }

  /// A list of which nothing is left has no moment to name.
  static func lacksWrites(path: String, reached: Timestamp, has: Timestamp) -> String {
    let isEmpty = has == .epoch
    return catalogue.text(
      isEmpty ? .serveLacksAllWrites : .serveLacksWrites, ["path": path, "reached": reached.text, "has": has.text])
  }

  private static func sentence(ofDatabaseServer problem: DatabaseServerProblem, _ database: String) -> String {
    func text(_ key: ServerKey) -> String { catalogue.text(key, ["database": database.printable]) }
    func text(_ key: ServerKey, _ name: String, _ value: String) -> String {
      catalogue.text(key, ["database": database.printable, name: value.printable])
    }
    return switch problem {
    case .noAnswer(let reason): text(.serveUnreachable, "reason", said(reason))
    case .notReady(let reason): text(.servePostgreSQLNotReady, "reason", reason)
    case .tooManySessions: text(.servePostgreSQLTooManySessions)
    case .wrongPassword: text(.servePostgreSQLWrongPassword)
    case .notLetIn(let reason): text(.servePostgreSQLNotLetIn, "reason", reason)
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
    case .outcomeUnknown: text(.servePostgreSQLOutcomeUnknown)
    case .other(let reason): text(.servePostgreSQLOther, "reason", reason)
    }
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
    case .inUse(let path): catalogue.text(.serveBackupInUse, ["path": path])
    case .ofOtherServer(let backup, let path):
      catalogue.text(.serveBackupOfOtherServer, ["backup": backup, "path": path])
    }
  }

  private static func sentence(ofCertificate problem: CertificateProblem) -> String {
    switch problem {
    case .cannotRead(let path, let reason): catalogue.text(.serveCannotRead, ["path": path, "reason": said(reason)])
    case .notACertificate(let path): catalogue.text(.serveNotACertificate, ["path": path])
    case .notAKey(let path): catalogue.text(.serveNotAKey, ["path": path])
    case .keyDoesNotFit(let certificate, let key):
      catalogue.text(.serveKeyDoesNotFit, ["certificate": certificate, "key": key])
    }
  }
}
