import FoundationEssentials
import TableProtocol

/// A look at everything in a database of PostgreSQL, which changes nothing. Its own damage PostgreSQL finds itself.
enum PostgreSQLInspection {
  static func report(of address: PostgreSQLAddress) throws(ServerDatabaseError) -> DatabaseReport {
    let storage = try PostgreSQLStorage(address, for: .looking, makeUUID: { UUID() })
    defer { try? storage.close() }
    do {
      return try storage.blocking(beginning: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY") { connection in
        let lists = try connection.run("SELECT owner, name FROM ebb_list ORDER BY made_at, list_id")
        let aliases = try connection.run("SELECT aliases FROM ebb_database").text(0, 0)
        let names = aliases.flatMap { ColumnNames(words: $0.split(separator: " ").map(String.init)) } ?? .none
        var report = DatabaseReport()
        for row in 0..<lists.count {
          guard let list = PostgreSQLHeader.list(lists, row, owner: 0, name: 1) else {
            report.findings.append(.damagedFile("a name in ebb_list is damaged"))
            continue
          }
          try look(at: list, connection, names, &report)
        }
        let damaged = try PostgreSQLGrants.tokens(connection).damaged
        if let tokens = DatabaseFinding(damagedTokens: damaged) { report.findings.append(tokens) }
        return report
      }
    } catch {
      throw ServerDatabaseError(postgreSQL: error, address)
    }
  }

  private static func look(
    at list: ListID, _ connection: PostgreSQLConnection, _ names: ColumnNames, _ report: inout DatabaseReport
  ) throws {
    let header = try PostgreSQLHeader(try connection.run([PostgreSQLHeader.one(list)])[0], 0)
    let stored = PostgreSQLStoredList(list, header, connection, longestReading: .seconds(3_600))
    let check = try stored.check()
    report.lists += 1
    report.items += check.counted.count
    let table = list.description
    if header.state.lastMoment >= .lastOfDates { report.findings.append(.clockAtEnd(table: table)) }
    if check.stored != check.counted {
      report.findings.append(.otherRows(table: table, kept: check.stored.count, found: check.counted.count))
    }
    if check.damaged > 0 {
      report.findings.append(.damagedRows(table: table, ids: check.named, count: check.damaged))
    }
    guard list.table == .todoItem else { return }
    let hidden = try HiddenColumns.all(in: stored, under: names)
    report.findings += hidden.map { .hiddenColumn($0, table: table) }
    report.unnamed += try HiddenColumns.unnamed(in: stored).filter { column in
      !hidden.contains { $0.name == column.name }
    }
  }
}
