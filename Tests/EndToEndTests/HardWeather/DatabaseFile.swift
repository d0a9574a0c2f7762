import Foundation
import GRDB

/// A database of ours, a device's store or the server's, read from outside while nobody is asked.
struct DatabaseFile {
  let path: String

  /// The items that are not deleted, by their text, for ids differ each time a story is told; none where the file was
  /// not made yet.
  func rows() throws -> [StoredRow] {
    try read(orElse: []) { database in
      let columns = "id, coalesce(text, ''), coalesce(complete, 0), version"
      return try Row.fetchAll(database, sql: "SELECT \(columns) FROM TodoItem WHERE NOT deleted ORDER BY text, id")
        .map { StoredRow(id: $0[0], text: $0[1], complete: $0[2], version: $0[3]) }
    }
  }

  /// What SQLite finds wrong with the file, and in a store changes without a row or a reason.
  func damage() throws -> [String] {
    try read(orElse: []) { database in
      let found = try String.fetchAll(database, sql: "PRAGMA integrity_check").filter { $0 != "ok" }
      guard try database.tableExists("MS_TableOperations") else { return found }
      return try found + String.fetchAll(database, sql: Self.unexplained)
    }
  }

  /// The text that is kept while it is typed, as the store has it.
  func draft() throws -> String? {
    try read(orElse: nil) { try String.fetchOne($0, sql: "SELECT value FROM Ebb_Facts WHERE name = 'draft'") }
  }

  /// Gives a server's database another identity, as if somebody had made it anew from a copy of its rows.
  func rename(to identity: String) throws {
    let queue = try DatabaseQueue(path: path)
    try queue.write { try $0.execute(sql: "UPDATE ServerIdentity SET uuid = ?", arguments: [identity]) }
    try queue.close()
  }

  /// The last change of an item is of a row that is there, unless it is its deletion (2), whose row is not; and an
  /// error is of a change that still waits.
  private static let unexplained = """
    SELECT 'change ' || id || ' does not fit its row ' || itemId FROM MS_TableOperations AS operation
    WHERE id = (SELECT max(id) FROM MS_TableOperations WHERE itemId = operation.itemId)
    AND (json_extract(CAST(properties AS TEXT), '$.type') = 2) = EXISTS (SELECT 1 FROM TodoItem WHERE id = operation.itemId)
    UNION ALL
    SELECT 'error of no change: ' || operationId FROM MS_TableOperationErrors
    WHERE operationId NOT IN (SELECT id FROM MS_TableOperations)
    """

  /// A program that was killed while it made the file leaves one without tables, which is as good as none.
  private func read<Value>(orElse none: Value, _ body: (Database) throws -> Value) throws -> Value {
    guard FileManager.default.fileExists(atPath: path) else { return none }
    do {
      return try Self.read(path, isReadOnly: true, orElse: none, body)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_READONLY {
      // What the killed program left has to be rolled back first. That is for the next program to do, and here for a
      // reader of a copy.
      return try Self.read(try copy(), isReadOnly: false, orElse: none, body)
    }
  }

  private static func read<Value>(
    _ path: String, isReadOnly: Bool, orElse none: Value, _ body: (Database) throws -> Value
  ) throws -> Value {
    var configuration = Configuration()
    configuration.readonly = isReadOnly
    configuration.busyMode = .timeout(10)
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    defer { try? queue.close() }
    return try queue.read { try $0.tableExists("TodoItem") ? try body($0) : none }
  }

  private func copy() throws -> String {
    let copy = path + "." + UUID().uuidString
    for suffix in ["", "-wal", "-journal"] where FileManager.default.fileExists(atPath: path + suffix) {
      try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
    }
    return copy
  }
}
