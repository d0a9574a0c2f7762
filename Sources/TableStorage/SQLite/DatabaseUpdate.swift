import GRDB
import Glibc
package import TableProtocol

/// Brings a database of an earlier version up to date, after a verified copy of it was made beside it.
package struct DatabaseUpdate: Sendable {
  let clock: @Sendable () -> Timestamp
  /// Is told where the copy is, once the database is up to date.
  let onCopy: @Sendable (String) -> Void

  package init(clock: @escaping @Sendable () -> Timestamp, onCopy: @escaping @Sendable (String) -> Void) {
    self.clock = clock
    self.onCopy = onCopy
  }

  /// Brings the database up to date, and runs `body` in the same transaction. Without an update that says where the
  /// copy belongs none is made.
  static func run<Value>(
    _ update: DatabaseUpdate?, on pool: DatabasePool, path: String, _ body: (Database) throws -> Value
  ) throws -> Value {
    let copy = try update?.copy(of: path, pool)
    let value: Value
    do {
      value = try pool.write { database in
        try SchemaMigration.run(in: database, path: path)
        return try body(database)
      }
    } catch {
      // The database is unchanged; a server that is started again and again would fill the disk with copies.
      if let copy { unlink(copy) }
      throw error
    }
    if let copy { update?.onCopy(copy) }
    return value
  }

  /// Makes the copy, and returns where it is. Nil if the database is not of an earlier version, or is made only now.
  private func copy(of path: String, _ pool: DatabasePool) throws -> String? {
    let version = try pool.read { try DatabaseInspection.version(of: $0) }
    guard (1..<Int64(DatabaseHeader.schemaVersion)).contains(version) else { return nil }
    let place = "\(path).before-version-\(DatabaseHeader.schemaVersion).\(clock().inFileName)"
    do {
      try UnfinishedFile.with(for: place) { file in
        _ = try DatabaseCopy(of: path, into: file)
        try file.finish()
      }
    } catch BackupProblem.failed(_, let reason) {
      throw ServerDatabaseError.noCopyBeforeUpdate(path: path, reason: reason)
    } catch BackupProblem.notAllowed {
      throw ServerDatabaseError.noCopyBeforeUpdate(path: path, reason: "no permission to write to its folder")
    } catch BackupProblem.exists(let place) {
      throw ServerDatabaseError.noCopyBeforeUpdate(path: path, reason: "\(place) is there already")
    } catch let problem as BackupProblem {
      throw ServerDatabaseError.backup(problem)
    }
    return place
  }
}
