import FoundationEssentials
import GRDB
import GRDBSQLite
package import TableProtocol

/// The contents of a server's database, and its faults.
package struct DatabaseReport: Hashable, Sendable {
  package var lists = 0
  /// Not deleted, in all lists together.
  package var items = 0
  package var findings: [DatabaseFinding] = []
  /// Not wrong, but devices see these items without a text: another program writes it under another name.
  package var unnamed: [HiddenColumn] = []
}

/// Something that is not well in a server's database. None has a text of a row.
package enum DatabaseFinding: Hashable, Sendable {
  /// The words are SQLite's.
  case damagedFile(String)
  /// The list's rows do not match what is kept of them.
  case otherRows(table: String, kept: Int, found: Int)
  /// Rows with another content than the server wrote. The first of them are named.
  case damagedRows(table: String, ids: [String], count: Int)
  /// Tokens that let nobody in, since they can't be read. The first of them are named.
  case damagedTokens(ids: [String], count: Int)
  /// Rows whose value in this column is of a type that the column does not have, as SQLite names it. The server can't
  /// read them. The first of them are named.
  case wrongType(String, column: String, table: String, ids: [String], count: Int)
  /// The clock of the list gives no moment any more, so that nothing can be written to it.
  case clockAtEnd(table: String)
  case missingTable(String)
  /// A table of a list that nobody has.
  case orphanTable(String)
  /// An alias has the name of this column, and hides its values.
  case hiddenColumn(HiddenColumn, table: String)
  /// A server had written to it until `reached`.
  case lacksWrites(path: String, reached: Timestamp, has: Timestamp)
  /// It can't be seen whether the database lacks writes.
  case unreadableMark(path: String, reason: String)
  case foreignTable(String)
  /// It can change what the server writes.
  case foreignTrigger(String, table: String)
  case foreignView(String)
  /// It may refuse rows.
  case foreignIndex(String, table: String)
  /// It was the server's own, and no start makes it again.
  case missingTrigger(String, table: String)
  /// The same of an index.
  case missingIndex(String, table: String)
  /// The column is not as the server makes it, and may not keep what is written to it.
  case alteredColumn(String, table: String)
  /// The column is not the same as in the backup that was put back.
  case changedColumn(String, table: String, ColumnChange)
  /// The table has constraints that no server gave it, or is of another kind.
  case alteredTable(String)
}

/// The change that a restore made to a column that somebody else than the server has made.
package enum ColumnChange: Hashable, Sendable {
  /// It had this type, which is none of the server's, and has texts now. This many values are blobs, which the server
  /// can't read.
  case retyped(from: String, blobs: Int)
  /// It had these rules, as SQL names them, and has none now.
  case relaxed(rules: [String])
  /// Its values were computed. It was left out.
  case computed
  /// It was in a table that is not that of a list. It was left out, with its values.
  case foreign
}

extension DatabaseFinding {
  /// Nil if there are none.
  init?(damagedTokens ids: [String]) {
    guard !ids.isEmpty else { return nil }
    self = .damagedTokens(ids: Array(ids.prefix(ListCheck.mostNamed)), count: ids.count)
  }
}

/// A thorough look at a database, in one state of it, that changes nothing.
struct DatabaseInspection {
  /// Before this version there were no lists.
  static let firstVersionWithLists: Int64 = 7
  private static let firstVersionWithAliases: Int64 = 11
  /// Those of no list.
  static let ownTables: Set<String> = ["StoredList", "KeptAnswer", StoredGrants.table, "ServerIdentity"]
  /// Errors of one part, after which the others can be read. TOOBIG comes from a table whose rows have no number.
  private static let unreadable: [ResultCode] = [.SQLITE_CORRUPT, .SQLITE_ERROR, .SQLITE_TOOBIG]

  private(set) var report = DatabaseReport()
  private let database: Database

  /// Of a database that is there.
  static func report(of path: String) throws -> DatabaseReport {
    // Before the database is read: a server may write to it.
    do {
      let marked = try identity(of: path).map { try WriteMark(database: path).moments($0) } ?? [:]
      return try report(of: path, marked)
    } catch ServerDatabaseError.unreadableMark(let mark, let reason) {
      var report = try report(of: path, [:])
      report.findings.append(.unreadableMark(path: mark, reason: reason))
      return report
    }
  }

  /// `marked` are the moments that the lists had reached, by their numbers.
  private static func report(of path: String, _ marked: [Int64: Timestamp]) throws -> DatabaseReport {
    let queue = try DatabaseCopy.openUnchanged(path)
    defer { try? queue.close() }
    var report: DatabaseReport?
    do {
      try queue.read { database in
        guard try version(of: database) >= firstVersionWithLists else { throw BackupProblem.olderVersion(path: path) }
        report = try DatabaseInspection(database).report
        if let lost = try LostWrites(marked, in: database) {
          report?.findings.append(.lacksWrites(path: path, reached: lost.reached, has: lost.has))
        }
      }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
      // SQLite ends no transaction well in which it met damage; what was found of it is in the report.
      guard let report else { return DatabaseReport(findings: [.damagedFile(error.reason)]) }
      return report
    }
    return report ?? DatabaseReport()
  }

  private init(_ database: Database) throws {
    self.database = database
    for line in try Self.fileDamage(in: database) { report.findings.append(.damagedFile(line)) }
    try noting { try $0.look() }
  }

  /// Notes unreadable parts as findings, and the look goes on with the next.
  private mutating func noting(_ body: (inout DatabaseInspection) throws -> Void) throws {
    do {
      try body(&self)
    } catch let error as DatabaseError where Self.unreadable.contains(error.resultCode) {
      report.findings.append(.damagedFile(error.reason))
    }
  }

  /// SQLite's report on the pages and indexes, at most a hundred lines; nothing if all is well.
  static func fileDamage(in database: Database) throws -> [String] {
    var lines: [String] = []
    do {
      try database.forEach("PRAGMA integrity_check", isKept: false) { row in
        if let text = row.text(0), text != "ok" {
          // A heading names the file, and nothing that is wrong with it.
          lines += text.split(separator: "\n").filter { !$0.hasPrefix("*** in database ") }.map(String.init)
        }
        return true
      }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
      lines.append(error.reason)
    }
    return lines
  }

  /// One look at the rows of each list. Nil for a database of a version that had none.
  static func lists(in database: Database) throws -> [ListCheck]? {
    guard try version(of: database) >= firstVersionWithLists else { return nil }
    return try ListPlace.all(in: database).map { place in
      try RowCheck(of: place, TableSchema(of: place, in: database), in: database).list
    }
  }

  /// Nil if it can't be read, or the database is of a version that had none.
  static func identity(of path: String) -> DatabaseIdentity? {
    guard let queue = try? DatabaseCopy.openUnchanged(path) else { return nil }
    defer { try? queue.close() }
    let text = try? queue.read { try String.fetchOne($0, sql: "SELECT uuid FROM ServerIdentity") }
    return text.flatMap(UUID.init(uuidString:)).map(DatabaseIdentity.init)
  }

  /// The number of its epoch. Nil if it can't be read, or the database is of a version that had none.
  static func epoch(of path: String) -> Int? {
    guard let queue = try? DatabaseCopy.openUnchanged(path) else { return nil }
    defer { try? queue.close() }
    let number = try? queue.read { try Int.fetchOne($0, sql: "SELECT epoch FROM ServerIdentity") }
    // A damaged number could be the last one there is.
    return number.flatMap { (1..<Int(Int32.max)).contains($0) ? $0 : nil }
  }

  /// Whether tokens were given out. Nil if that can't be read, or the database is of a version that had none.
  static func wereTokensGiven(by path: String) -> Bool? {
    guard let queue = try? DatabaseCopy.openUnchanged(path) else { return nil }
    defer { try? queue.close() }
    return try? queue.read { try StoredGrants.exist(in: $0) }
  }

  static func version(of database: Database) throws -> Int64 {
    try database.integer("PRAGMA user_version", isKept: false) ?? 0
  }

  private mutating func look() throws {
    let places = try ListPlace.all(in: database)
    report.lists = places.count
    let tables = try tables()
    lookAtNames(of: places, tables)
    try noting { try $0.lookAtDefinitions(of: places) }
    for place in places where tables.contains(place.table) { try noting { try $0.look(at: place) } }
    if tables.contains(StoredGrants.table) { try noting { try $0.lookAtTokens() } }
  }

  private mutating func lookAtTokens() throws {
    let damaged = try StoredGrants.tokens(in: database).damaged
    if let finding = DatabaseFinding(damagedTokens: damaged) { report.findings.append(finding) }
  }

  private func tables() throws -> [String] {
    var names: [String] = []
    let sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_*' ORDER BY name"
    try database.forEach(sql, isKept: false) { row in
      names.append(row.text(0) ?? "")
      return true
    }
    return names
  }

  private mutating func lookAtNames(of places: [ListPlace], _ tables: [String]) {
    let expected = Self.ownTables.union(places.map(\.table))
    for name in expected.subtracting(tables).sorted() { report.findings.append(.missingTable(name)) }
    for name in tables where !expected.contains(name) {
      let isList = name.wholeMatch(of: /TodoItem(_\d+)?|Table_.+_\d+/) != nil
      report.findings.append(isList ? .orphanTable(name) : .foreignTable(name))
    }
  }

  private mutating func lookAtDefinitions(of places: [ListPlace]) throws {
    let isCurrent = try Self.version(of: database) == Int64(DatabaseHeader.schemaVersion)
    let found = try TableParts.all(in: database)
    let lists = Set(places.map(\.table))
    let server = try ServerSchema(for: places)
    for (name, own) in server.tables.sorted(by: { $0.key < $1.key }) {
      // A table that is missing has a finding of its own, which stands for its triggers and indexes too.
      guard let parts = found[name] else { continue }
      // Updates have not added all of its columns to a table of an earlier version.
      let difference = parts?.difference(from: own, isWhole: isCurrent, isList: lists.contains(name))
      report.findings += (difference?.columns ?? []).map { .alteredColumn($0, table: name) }
      if difference?.hasConstraints ?? true { report.findings.append(.alteredTable(name)) }
    }
    let code = try SchemaCode.all(in: database)
    let names = Set(code.map(\.ownName))
    // The next start gives a database of an earlier version what that version lacked.
    let missing =
      isCurrent ? server.code.filter { found.keys.contains($0.table) && !names.contains($0.ownName) } : []
    report.findings += missing.sorted { $0.ownName.lexicographicallyPrecedes($1.ownName) }
      .compactMap(\.missingFinding)
    report.findings += code.filter { !server.code.contains($0) }.map(\.foreignFinding)
  }

  private mutating func look(at place: ListPlace) throws {
    let schema = try TableSchema(of: place, in: database)
    if place.list.table == .todoItem { try lookAtNames(of: place) }
    let check = try RowCheck(of: place, schema, in: database).list
    report.items += check.counted.count
    if check.stored != check.counted {
      report.findings.append(
        .otherRows(table: place.table, kept: check.stored.count, found: check.counted.count))
    }
    try lookAtClock(of: place)
    if check.damaged > 0 {
      report.findings.append(.damagedRows(table: place.table, ids: check.named, count: check.damaged))
    }
    try lookAtTypes(of: place, schema)
  }

  private mutating func lookAtClock(of place: ListPlace) throws {
    let sql = "SELECT lastUpdatedAt FROM StoredList WHERE number = ?"
    let last = try database.integer(sql, [place.number]).map(Timestamp.init(milliseconds:))
    if last.map({ $0 >= .lastOfDates }) ?? true { report.findings.append(.clockAtEnd(table: place.table)) }
  }

  private mutating func lookAtNames(of place: ListPlace) throws {
    guard try Self.version(of: database) >= Self.firstVersionWithAliases else { return }
    let list = try SQLiteStoredList(place, database, StatementWatch(), longestReading: .seconds(3_600))
    let hidden = try HiddenColumns.all(in: list, under: StoredState.aliases(in: database))
    report.findings += hidden.map { .hiddenColumn($0, table: place.table) }
    report.unnamed += try HiddenColumns.unnamed(in: list).filter { column in
      !hidden.contains { $0.name == column.name }
    }
  }

  private mutating func lookAtTypes(of place: ListPlace, _ schema: TableSchema) throws {
    let system: [(name: String, type: Int32)] = [
      (SystemColumn.id, SQLITE_TEXT), (SystemColumn.version, SQLITE_TEXT), (SystemColumn.createdAt, SQLITE_INTEGER),
      (SystemColumn.updatedAt, SQLITE_INTEGER), (SystemColumn.deleted, SQLITE_INTEGER),
    ]
    var found: [Misfit: (ids: [String], count: Int)] = [:]
    let names = system.map(\.name) + schema.columns.map(\.name)
    let walk = TableWalk(place, names, schema, in: database)
    try walk.visit { row in
      // A row that is too large is named with the damaged ones.
      guard case .read(let row) = row else { return }
      let last = Int32(names.count)
      let wrong =
        zip(system, 0...).filter { row.type($1) != $0.type }.map(\.1)
        + zip(schema.columns, Int32(system.count)...).filter { !row.fits($0.kind, $1) }.map(\.1)
      for column in wrong {
        let misfit = Misfit(column: column, type: row.type(column))
        var rows = found[misfit] ?? (ids: [], count: 0)
        rows.count += 1
        if rows.count <= ListCheck.mostNamed { rows.ids.append(row.text(0) ?? "rowid \(row.integer(last) ?? 0)") }
        found[misfit] = rows
      }
    }
    report.findings += found.sorted { $0.key < $1.key }.map { misfit, rows in
      DatabaseFinding.wrongType(
        misfit.typeName, column: names[Int(misfit.column)], table: place.table, ids: rows.ids, count: rows.count)
    }
  }

  /// A column, by its place in the rows of a look, with a type of SQLite that its values must not have.
  private struct Misfit: Hashable, Comparable {
    let column: Int32
    let type: Int32

    var typeName: String {
      switch type {
      case SQLITE_INTEGER: "INTEGER"
      case SQLITE_FLOAT: "REAL"
      case SQLITE_TEXT: "TEXT"
      case SQLITE_BLOB: "BLOB"
      default: "NULL"
      }
    }

    static func < (one: Misfit, other: Misfit) -> Bool { (one.column, one.type) < (other.column, other.type) }
  }
}
