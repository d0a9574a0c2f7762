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
    let words = ErrorMessages.catalogue
    let meant = try found()
    let (tables, items) = (Set(meant.keys), meant.values.reduce(0) { $0 + $1.items })
    let shown = tables.map(\.name).sorted().joined(separator: words.text(.listSeparator))
    let question = ["tables": shown, "items": words.text(.serveItems, count: items)] as KeyValuePairs
    try removal.ask(words.text(.tablesQuestion, count: tables.count, question))
    let removed = try database.withDatabase { database, update async throws(ServerDatabaseError) in
      try await database.remove(tables, update)
    }
    guard removed.lists > 0 else { throw CommandFailure.keeper(.unknownTable(shown)) }
    StandardOutput.report(
      words.text(.tablesRemoved, count: tables.count, ["tables": shown, "content": removed.content]))
  }

  /// Throws `CommandFailure` unless all of them are there and may be removed.
  private func found() throws -> [ServedTable: KeptTable] {
    let named = names.map { (name: $0, table: ServedTable(named: $0)) }
    guard !named.contains(where: { $0.table == .todoItem }) else { throw CommandFailure.keeper(.builtInTable) }
    let all = try database.tables()
    var found: [ServedTable: KeptTable] = [:]
    for (name, table) in named {
      guard let table, let kept = all.first(where: { $0.table == table }) else {
        throw CommandFailure.keeper(.unknownTable(name))
      }
      found[table] = kept
    }
    return found
  }
}

extension RemovedLists {
  /// `2 lists, 41 items, 3 traces of deleted items`.
  var content: String {
    let words = ErrorMessages.catalogue
    var parts = [words.text(.serveLists, count: lists), words.text(.serveItems, count: items)]
    if tombstones > 0 { parts.append(words.text(.serveTraces, count: tombstones)) }
    return parts.joined(separator: words.text(.listSeparator))
  }
}

/// For the commands that remove something from the server's database for good.
struct RemovalOptions: ParsableArguments {
  @Flag(name: .shortAndLong, help: .usage(.removeYes))
  var yes = false

  @OptionGroup var asking: AskingOptions

  /// Asks at the terminal. Throws `CommandFailure` for any answer but yes, and if there is none to ask at.
  func ask(_ question: String) throws {
    guard !yes else { return }
    guard !asking.noInput, SyncQuestion.canBeAsked else { throw CommandFailure.keeper(.notAsked) }
    guard YesOrNo.isAgreed(question, ErrorMessages.catalogue.text(.joinChoices)) else {
      throw CommandFailure.keeper(.declined)
    }
  }
}

extension ServerDatabaseOption {
  func tables() throws -> [KeptTable] {
    try withDatabase { database, update async throws(ServerDatabaseError) in try await database.tables(update) }
  }

  /// Works on the database, on which a server may run. One of an earlier version is brought up to date first.
  func withDatabase<Value: Sendable>(
    _ body: @escaping @Sendable (ServerDatabase, DatabaseUpdate) async throws(ServerDatabaseError) -> Value
  ) throws -> Value {
    let path = self.path
    let update = DatabaseUpdate(clock: Environment.system.now, onCopy: Self.tellCopy)
    let outcome = ServerWork.wait { () async throws(ServerDatabaseError) in
      try await body(ServerDatabase(path: path), update)
    }
    return try Self.attemptOnDatabase { () throws(ServerDatabaseError) in try outcome.get() }
  }
}
