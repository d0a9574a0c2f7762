import FoundationEssentials
import GRDB
import GRDBSQLite
import SQLiteStatements
import Testing

@Suite("A statement that is run directly")
struct DirectStatementTests {
  private let database: DatabaseQueue

  init() throws {
    database = try DatabaseQueue()
    try database.write { try $0.execute(sql: "CREATE TABLE pair (first, second)") }
  }

  private func add(_ values: [DatabaseValue]) throws {
    try database.write { try $0.cachedStatement(sql: "INSERT INTO pair VALUES (?, ?)").run(values) }
  }

  @Test("gives each parameter its value, of whatever kind")
  func kinds() throws {
    let values: [any DatabaseValueConvertible] = [1, 1.5, "", "two words", Data(), Data([0, 255]), DatabaseValue.null]
    for value in values {
      try add([value.databaseValue, value.databaseValue])
      try database.write { database in
        var seen = 0
        let statement = try database.cachedStatement(sql: "SELECT first FROM pair WHERE first IS ? AND second IS ?")
        try statement.walk([value, value]) {
          #expect(DatabaseValue(sqliteStatement: $0, index: 0) == value.databaseValue)
          seen += 1
          return true
        }
        #expect(seen == 1)
      }
    }
  }

  @Test("does not run with too few or too many values, also not with those of the last time", arguments: [0, 1, 3])
  func wrongCount(count: Int) throws {
    try add([1.databaseValue, 2.databaseValue])
    #expect(throws: DatabaseError.self) { try add(Array(repeating: 3.databaseValue, count: count)) }
    let values = Array(repeating: 1 as any DatabaseValueConvertible, count: count)
    try database.write { database in
      let statement = try database.cachedStatement(sql: "SELECT * FROM pair WHERE first = ? AND second = ?")
      try statement.walk([1, 2]) { _ in false }
      #expect(throws: DatabaseError.self) {
        try statement.walk(values) { _ in
          Issue.record("a row of a statement that must not run")
          return false
        }
      }
      #expect(try Int.fetchOne(database, sql: "SELECT count(*) FROM pair") == 1)
    }
  }

  @Test("ends its walk when it is told to, and begins the next one at the first row")
  func ended() throws {
    for number in 1...3 { try add([number.databaseValue, .null]) }
    try database.write { database in
      let statement = try database.cachedStatement(sql: "SELECT first FROM pair ORDER BY first")
      for _ in 1...2 {
        var found: [Int64] = []
        try statement.walk {
          found.append(sqlite3_column_int64($0, 0))
          return found.count < 2
        }
        #expect(found == [1, 2])
      }
    }
  }
}
