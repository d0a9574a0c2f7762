import ArgumentParser
import OfflineSync
import TableProtocol
import TableStorage
import Words

/// `ebb serve tables`: the tables of the server's database.
struct ServeTablesCommand: ParsableCommand {
  static let configuration = CommandConfiguration.of(
    .tables, "tables", examples: .serveTables, more: .tablesMore, subcommands: [ServeTablesRemoveCommand.self])

  @Flag(help: .usage(.jsonArray))
  var json = false

  @OptionGroup var database: ServerDatabaseOption

  func run() throws {
    let tables = try database.tables()
    if json { return StandardOutput.bytes(Self.json(tables)) }
    let words = ErrorMessages.catalogue
    StandardOutput.text(TextColumns.lines(tables.map { Self.columns($0, words) }))
    if tables.contains(where: { $0.table != .todoItem }) { StandardOutput.error(words.text(.tablesOpenOnly)) }
  }

  private static func columns(_ table: KeptTable, _ words: Catalogue) -> [String] {
    [
      table.table.name, words.text(.serveLists, count: table.lists), words.text(.serveItems, count: table.items),
      words.text(.serveTombstones, count: table.tombstones),
      table.columns.map(\.name.printable).joined(separator: words.text(.listSeparator)),
    ]
  }

  /// `[{name, lists, items, deleted, columns}]`.
  private static func json(_ tables: [KeptTable]) -> [UInt8] {
    var writer = JSONWriter(isForTerminal: true)
    writer.raw("[")
    for (index, table) in tables.enumerated() {
      if index > 0 { writer.raw(",\n ") }
      writer.raw("{")
      writer.members([
        "name": .text(table.table.name), "lists": FieldValue(table.lists), "items": FieldValue(table.items),
        "deleted": FieldValue(table.tombstones),
      ])
      writer.member("columns", isFirst: false)
      writer.raw("[")
      for (place, column) in table.columns.enumerated() {
        if place > 0 { writer.raw(",") }
        writer.string(column.name)
      }
      writer.raw("]}")
    }
    writer.raw("]\n")
    return writer.bytes
  }
}

/// `ebb serve tables remove`: removes tables of all users.
struct ServeTablesRemoveCommand: ParsableCommand {
  static let configuration = CommandConfiguration.of(
    .tablesRemove, "remove", examples: .serveTablesRemove, more: .tablesRemoveMore)

  @Argument(help: .usage(.tablesName))
  var names: [String]

  @OptionGroup var removal: RemovalOptions
  @OptionGroup var database: ServerDatabaseOption

  func run() throws {
    guard !names.contains(where: { ServedTable(named: $0) == .todoItem }) else {
      throw CommandFailure.removal(.builtInTable)
    }
    let words = ErrorMessages.catalogue
    let (tables, shown) = try removal.ask(
      about: names, in: database.tables(), unknown: RemovalFailure.unknownTable
    ) { tables, items, count in
      words.text(.tablesQuestion, count: count, ["tables": tables, "items": items])
    }
    let removed = try database.withDatabase { database, update async throws(ServerDatabaseError) in
      try await database.remove(tables, update)
    }
    guard removed.lists > 0 else { throw CommandFailure.removal(.unknownTable(shown)) }
    StandardOutput.report(
      words.text(.tablesRemoved, count: tables.count, ["tables": shown, "content": removed.content]))
  }
}

extension ServerDatabaseOption {
  fileprivate func tables() throws -> [KeptTable] {
    try withDatabase { database, update async throws(ServerDatabaseError) in try await database.tables(update) }
  }
}
