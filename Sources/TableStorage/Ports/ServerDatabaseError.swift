package import TableProtocol

/// Why a server's database can't be used, or a command could not do its work on it.
package enum ServerDatabaseError: Error, Hashable, Sendable {
  /// The system does not let this user read or write the file or its folder.
  case notAllowed(path: String)
  case notADatabase(path: String)
  /// There is no file, or an empty one, where a database must be.
  case noDatabase(path: String)
  /// There is no file, and the log beside its place has the last writes of one that was there. SQLite would begin that
  /// log again for a new file.
  case onlyLog(path: String)
  /// An SQLite database, but not one of a table server.
  case otherDatabase(path: String)
  /// Written by a later version of Ebb, which this one can't read.
  case newerVersion(path: String)
  /// Its pages contradict each other. The words are SQLite's.
  case damaged(path: String, reason: String)
  /// A server had written to it until `reached`; it has what was written until `has`.
  case lacksWrites(path: String, reached: Timestamp, has: Timestamp)
  /// The mark beside it, which says how far a server had come, is there and can't be read.
  case unreadableMark(path: String, reason: String)
  case diskFull(path: String)
  /// Its disk could not be read or written. The words are SQLite's or the system's.
  case diskFailed(path: String, reason: String)
  /// Another program writes to it, and did not end in time.
  case busy(path: String)
  case cannotOpen(path: String, reason: String)
  /// Written by an earlier version of Ebb. It has to be brought up to date, and the copy that is made first can't be
  /// made.
  case noCopyBeforeUpdate(path: String, reason: String)
  case backup(BackupProblem)
  case move(DatabaseMoveProblem)
  /// There is no libpq, which knows how to talk to PostgreSQL.
  case noPostgreSQLLibrary(reason: String)
  /// PostgreSQL does not let the database be used.
  case databaseServer(DatabaseServerProblem, database: String)
  /// It is a database of PostgreSQL, whose own tools do this.
  case hasOwnTools(DatabaseTask, database: String)
  /// An error that is none of SQLite, PostgreSQL or the system. `name` is that of its type, for a report: its own words
  /// are for programmers, and may have anything in them.
  case unexpected(name: String, database: String)
  /// The tokens of users were taken back, and then their lists could not be removed: the same removal ends it. If the
  /// problem is `outcomeUnknown`, the lists may be removed all the same.
  indirect case tokensTakenBack(ServerDatabaseError)
}

/// Why a database could not be moved.
package enum DatabaseMoveProblem: Hashable, Sendable {
  /// There is something in it already, over which nothing is moved.
  case targetUsed(database: String)
  /// A move into it was stopped before its end, so that items are missing.
  case unfinished(database: String)
  /// There are tokens in the old one, and none can be read: the new one would have none, and let everybody in.
  case noSoundToken(database: String)
  /// After a move this list, or the table of the tokens, is not the same in both.
  case differs(database: String, list: String)
  /// A server, or another move, has it open, or has begun to.
  case inUse(database: String)
  /// Somebody wrote to the old database while it was moved.
  case sourceChanged(database: String)
  case tooSlow(database: String)
  /// PostgreSQL does not let this user do what a move needs.
  case notAllowed(database: String)
  /// A folder, a pipe or a device.
  case noFile(path: String)
  /// There is no file, or an empty one, to read.
  case noDatabase(path: String)
  case failed(database: String, reason: String)
}

/// A task on a database of PostgreSQL that its own tools do.
package enum DatabaseTask: Hashable, Sendable {
  case backup, restore, compact
}

/// Why a database of PostgreSQL can't be used. Words of libpq have no password in them, and may be those of any server.
package enum DatabaseServerProblem: Hashable, Sendable {
  /// No server answers there.
  case noAnswer(reason: String)
  /// The server starts, stops or recovers.
  case notReady(reason: String)
  case tooManySessions
  /// The password is wrong, or there is none.
  case wrongPassword
  /// The role is not there, may not log in, or no rule of `pg_hba.conf` lets it in.
  case notLetIn(reason: String)
  case noDatabase
  case mayNotConnect
  case standby
  /// Sessions begin as read-only ones.
  case readOnly
  /// The user may not read or write all tables of Ebb, and could after this statement.
  case lacksRights(statement: String)
  /// The user may not do what was asked for.
  case notAllowed
  /// Older than the oldest one whose answers were compared with those of SQLite.
  case tooOld(version: String)
  case wrongEncoding(String)
  /// A later version of Ebb made the tables.
  case newerVersion
  /// There are no tables of Ebb, and none may be made.
  case noTables
  case full
  /// Others have it locked, or it took too long.
  case busy
  /// It is set to confirm what is not on the disk yet.
  case commitsUnsafely
  /// The user that the server is has no right to make its tables.
  case mayNotMakeTables
  /// Tables of Ebb are in each of these schemas, as SQL has them.
  case severalSchemas([String])
  /// Somebody else may make functions in this schema, where the server would run them: this role, or everybody if it is
  /// nil. Both names are as SQL has them.
  case othersMayCreate(role: String?, schema: String)
  /// Somebody else owns the schema of the tables or one of them: this role. `kind` and the names are as SQL has them;
  /// `user` is the role that the server has.
  case othersOwn(kind: String, name: String, role: String, user: String)
  /// A table of Ebb has a rule, which PostgreSQL runs with each statement on it. The names are as SQL has them.
  case hasRule(String, table: String)
  /// The connection was cut during a commit.
  case outcomeUnknown
  case other(reason: String)
}

/// Why a backup could not be made or put back. Nothing was changed, and nothing was left behind.
package enum BackupProblem: Error, Hashable, Sendable {
  /// Something is there already, which is never overwritten.
  case exists(path: String)
  /// The file is not there, or is no database of a table server.
  case notABackup(path: String)
  case newerVersion(path: String)
  /// Written by an early version of Ebb: a server has to bring it up to date before it can be looked at.
  case olderVersion(path: String)
  case damaged(path: String, reason: String)
  /// The system does not let this user read the file, or write it or its folder.
  case notAllowed(path: String)
  case failed(path: String, reason: String)
  /// In bytes, on the disk of the database in whose place the backup would come.
  case noRoom(path: String, needed: Int, free: Int)
  /// A server, or another program, has the database open.
  case inUse(path: String)
  /// The backup is of another server's database than the one in whose place it would come.
  case ofOtherServer(backup: String, path: String)
  /// The backup has no identity and would get a new one.
  case withoutIdentity(backup: String)
}
