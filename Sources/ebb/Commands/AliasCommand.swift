import ArgumentParser
import OfflineSync
import TableProtocol
import TableServer
import TableStorage
import TodoCore
import Words

/// `ebb serve alias`: under which other names clients know the columns of to-do items (wire 1.1).
struct ServeAliasCommand: ParsableCommand {
  static let configuration = CommandConfiguration.of(
    .serveAliases, "alias", examples: .serveAlias, more: .serveAliasesMore)

  @Argument(help: .usage(.serveAlias, valueName: "column=name"))
  var aliases: [String] = []

  @Flag(help: .usage(.serveAliasesRemove))
  var remove = false

  @OptionGroup var database: ServerDatabaseOption

  func validate() throws {
    guard !remove || aliases.isEmpty else { throw ValidationError(ErrorMessages.usage(.wrongAliasRemove)) }
    guard ColumnNames(words: aliases) != nil else { throw ValidationError(ErrorMessages.usage(.wrongAlias)) }
  }

  func run() throws {
    let path = database.path
    let names = ColumnNames(words: aliases) ?? .none
    let words = ErrorMessages.catalogue
    let (clock, tellCopy, remove) = (Environment.system.now, ServerDatabaseOption.tellCopy, remove)
    let outcome = ServerWork.wait { () async throws(ServerError) in
      let database = ServerDatabase(path: path)
      return remove
        ? try await database.removeAliases(clock: clock, onCopy: tellCopy)
        : try await database.add(aliases: names, clock: clock, onCopy: tellCopy)
    }
    let served = try ServerDatabaseOption.attempt { () throws(ServerError) in try outcome.get() }
    for moved in served.moved { StandardOutput.report(moved.sentence(.serveAliasMoved)) }
    if let copy = served.copy { StandardOutput.report(words.text(.serveAliasCopy, ["path": copy.printable])) }
    for alias in served.words { StandardOutput.line(alias) }
    if served.words.isEmpty { StandardOutput.report(words.text(.serveAliasNone)) }
    names.reportStrangers()
  }
}

extension ColumnNames {
  /// Says which of the columns are not those of Ebb's own items: one of them may be mistyped.
  func reportStrangers(_ say: (String) -> Void = { StandardOutput.error($0) }) {
    let (words, own) = (ErrorMessages.catalogue, TodoList.definition.columns.keys.sorted())
    for column in self.words.map({ String($0.prefix { $0 != "=" }) }) where !own.contains(column) {
      let columns = own.joined(separator: words.text(.listSeparator))
      say(words.text(.serveAliasStranger, ["column": column, "columns": columns]))
    }
  }
}

extension HiddenColumn {
  func sentence(_ key: ServerKey, path: String = "", table: String = "") -> String {
    let words = ErrorMessages.catalogue
    return words.text(
      key,
      [
        "column": column, "name": name, "alias": alias, "count": words.number(items), "argument": path.shellWord,
        "table": table,
      ]
    ).printable
  }
}
