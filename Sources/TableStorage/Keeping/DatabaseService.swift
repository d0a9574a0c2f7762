package import FoundationEssentials

/// How a server wants its database, which it opens to keep it open.
package struct DatabaseService: Sendable {
  /// For the queries of one request.
  let reading: Duration
  /// For another program that uses the file, for the lock of a list that others write to, and for a session while
  /// PostgreSQL lets no more begin.
  let busy: Duration
  /// True if moments are those of PostgreSQL's clock, which all servers of a database share; else they are those of
  /// this machine's.
  let goesByDatabaseClock: Bool
  /// True for PostgreSQL behind a pooler that gives each transaction another session.
  let isPooled: Bool
  /// For a database of an earlier version.
  let update: DatabaseUpdate
  /// Makes the identity of a database that has none yet.
  let makeUUID: @Sendable () -> UUID

  package init(
    reading: Duration, busy: Duration, goesByDatabaseClock: Bool, isPooled: Bool, update: DatabaseUpdate,
    makeUUID: @escaping @Sendable () -> UUID
  ) {
    self.reading = reading
    self.busy = busy
    self.goesByDatabaseClock = goesByDatabaseClock
    self.isPooled = isPooled
    self.update = update
    self.makeUUID = makeUUID
  }

  /// Opens the database, and makes it when there is none. Others may have it open too.
  package func open(_ location: DatabaseLocation) throws(ServerDatabaseError) -> any ServerStorage {
    switch location {
    case .file(let path):
      // Before it is open: what is left may be this file under another name.
      UnfinishedFile.removeAbandoned(beside: path)
      return try SQLiteStorage(
        path: path, patience: SQLiteStorage.Patience(reading: reading, busy: busy), update: update, makeUUID: makeUUID)
    case .postgreSQL(let address):
      var options = PostgreSQLStorage.Options()
      options.patience.reading = reading
      options.patience.busy = busy
      options.isPooled = isPooled
      options.goesByDatabaseClock = goesByDatabaseClock
      return try PostgreSQLStorage(address, options, makeUUID: makeUUID)
    }
  }
}
