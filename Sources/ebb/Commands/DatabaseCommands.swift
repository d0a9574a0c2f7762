import ArgumentParser
import OfflineSync
import TableProtocol
import TableServer
import TableStorage
import Words

/// `ebb serve backup`: writes the server's database to a new file, also while the server runs.
struct ServeBackupCommand: ParsableCommand {
  static let configuration = CommandConfiguration.of(
    .serveBackup, "backup", examples: .serveBackup, more: .serveBackupMore)

  @Argument(help: .usage(.serveBackupFile))
  var file: String

  @OptionGroup var database: ServerDatabaseOption

  func run() throws {
    let backup = DefaultPaths(.ofProcess).absolute(file)
    let report = try database.keeping { database throws(ServerDatabaseError) in try database.backUp(to: backup) }
    StandardOutput.report(
      ErrorMessages.catalogue.text(.serveBackedUp, ["path": backup.printable, "content": report.content]))
    report.warn()
  }
}

/// `ebb serve restore`: puts a backup in the place of the server's database (sync-rules W4).
struct ServeRestoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration.of(
    .serveRestore, "restore", examples: .serveRestore, more: .serveRestoreMore)

  @Argument(help: .usage(.serveRestoreFile))
  var file: String

  @Flag(help: .usage(.serveRestoreOtherServer))
  var otherServer = false

  @OptionGroup var database: ServerDatabaseOption

  func run() throws {
    let backup = DefaultPaths(.ofProcess).absolute(file)
    let restoration = try database.keeping { database throws(ServerDatabaseError) in
      try database.restore(from: backup, allowsOtherServer: otherServer, clock: Environment.system.now)
    }
    let words = ErrorMessages.catalogue
    StandardOutput.report(
      words.text(.serveRestored, ["path": database.shown, "content": restoration.report.content]))
    if let old = restoration.old { StandardOutput.report(words.text(.serveKeptOld, ["path": old.printable])) }
    if restoration.isOfOtherServer {
      StandardOutput.report(words.text(.serveRestoredOther))
    } else {
      StandardOutput.report(words.text(.serveEpochRaised, ["number": String(restoration.epoch.number)]))
    }
    if !restoration.lostTokens.isEmpty {
      let tokens = restoration.lostTokens.map { "\($0.label.isEmpty ? $0.id : $0.label) (\($0.user.text))".printable }
      StandardOutput.report(
        words.text(.serveLostTokens, ["tokens": tokens.joined(separator: words.text(.listSeparator))]))
    }
    restoration.report.warn()
  }
}

/// `ebb serve check`: looks at everything in the server's database, and changes nothing.
struct ServeCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration.of(
    .serveCheck, "check", examples: .serveCheck, more: .serveCheckMore)

  @OptionGroup var database: ServerDatabaseOption

  func run() throws {
    let report = try database.keeping { database throws(ServerDatabaseError) in try database.check() }
    for column in report.unnamed {
      StandardOutput.error(column.sentence(.serveFoundUnnamed, path: database.shown))
    }
    guard !report.findings.isEmpty else {
      StandardOutput.line(
        ErrorMessages.catalogue.text(
          .serveCheckWell, ["path": database.shown, "content": report.content]))
      return
    }
    for finding in report.findings { StandardOutput.line(finding.words.printable) }
    throw ExitCode(ExitStatus.failed)
  }
}

/// `ebb serve compact`: makes the file of the server's database as small as its content.
struct ServeCompactCommand: ParsableCommand {
  static let configuration = CommandConfiguration.of(
    .serveCompact, "compact", examples: .serveCompact, more: .serveCompactMore)

  @OptionGroup var database: ServerDatabaseOption

  func run() throws {
    let sizes = try database.keeping { database throws(ServerDatabaseError) in try database.compact() }
    StandardOutput.report(
      ErrorMessages.catalogue.text(
        .serveCompacted,
        [
          "path": database.shown, "before": ErrorMessages.size(sizes.before),
          "after": ErrorMessages.size(sizes.after),
        ]))
  }
}

/// `ebb serve move`: takes the server's database over into another storage.
struct ServeMoveCommand: ParsableCommand {
  static let configuration = CommandConfiguration.of(.serveMove, "move", examples: .serveMove, more: .serveMoveMore)

  @Option(help: .usage(.serveMoveFrom, valueName: "file|url"))
  var from: String

  @Option(help: .usage(.serveMoveTo, valueName: "file|url"))
  var to: String

  func validate() throws {
    guard [from, to].allSatisfy({ !$0.isEmpty && !DatabaseLocation.isUnknownURL($0) }) else {
      throw ValidationError(ErrorMessages.usage(.wrongDatabase))
    }
  }

  func run() throws {
    let places = [from, to].map(ServerDatabaseOption.absolute)
    let outcome = ServerWork.wait { () async throws(ServerDatabaseError) in
      try await DatabaseMove(from: places[0], to: places[1], clock: Environment.system.now).run()
    }
    let report = try ServerDatabaseOption.attemptOnDatabase { () throws(ServerDatabaseError) in try outcome.get() }
    let shown = DatabaseLocation(places[1]).shown.printable
    StandardOutput.report(
      ErrorMessages.catalogue.text(.serveMoved, ["database": shown, "content": report.content]))
    report.warn()
    if !report.findings.isEmpty { StandardOutput.error(ErrorMessages.catalogue.text(.serveMoveTokensLeft)) }
  }
}

extension ServerDatabaseOption {
  fileprivate func keeping<Value>(_ body: (ServerDatabase) throws(ServerDatabaseError) -> Value) throws -> Value {
    try Self.attemptOnDatabase { () throws(ServerDatabaseError) in try body(ServerDatabase(path: path)) }
  }
}

extension DatabaseReport {
  /// `2 lists, 41 items`.
  fileprivate var content: String {
    let words = ErrorMessages.catalogue
    return [words.text(.serveLists, count: lists), words.text(.serveItems, count: items)]
      .joined(separator: words.text(.listSeparator))
  }

  /// Says which items of a copy are damaged, as they are in the original: better than no copy.
  fileprivate func warn() {
    for finding in findings { StandardOutput.error(finding.words.printable) }
  }
}

extension DatabaseFinding {
  /// A line, without a text of an item.
  fileprivate var words: String {
    let words = ErrorMessages.catalogue
    return switch self {
    case .damagedFile(let reason): words.text(.serveFoundFile, ["reason": reason])
    case .otherRows(let table, let kept, let found):
      words.text(.serveFoundRows, ["table": table, "kept": String(kept), "found": String(found)])
    case .damagedRows(let table, let ids, let count):
      words.text(
        .serveFoundDamaged, ["table": table, "count": String(count), "ids": Self.list(ids, of: count)])
    case .damagedTokens(let ids, let count):
      words.text(.serveFoundDamagedTokens, ["count": String(count), "ids": Self.list(ids, of: count)])
    case .wrongType(let type, let column, let table, let ids, let count):
      words.text(
        .serveFoundType,
        ["table": table, "column": column, "type": type, "count": String(count), "ids": Self.list(ids, of: count)])
    case .clockAtEnd(let table): words.text(.serveFoundClock, ["table": table])
    case .missingTable(let table): words.text(.serveFoundMissing, ["table": table])
    case .orphanTable(let table): words.text(.serveFoundOrphan, ["table": table])
    case .foreignTable(let table): words.text(.serveFoundForeign, ["table": table])
    case .foreignTrigger(let name, let table): words.text(.serveFoundTrigger, ["table": table, "name": name])
    case .foreignView(let name): words.text(.serveFoundView, ["name": name])
    case .foreignIndex(let name, let table): words.text(.serveFoundIndex, ["table": table, "name": name])
    case .missingTrigger(let name, let table): words.text(.serveFoundNoTrigger, ["table": table, "name": name])
    case .missingIndex(let name, let table): words.text(.serveFoundNoIndex, ["table": table, "name": name])
    case .alteredColumn(let name, let table): words.text(.serveFoundColumn, ["table": table, "name": name])
    case .changedColumn(let name, let table, let change): change.words(of: name, table: table)
    case .alteredTable(let table): words.text(.serveFoundAltered, ["table": table])
    case .lacksWrites(let path, let reached, let has):
      ErrorMessages.lacksWrites(path: path, reached: reached, has: has)
    case .unreadableMark(let path, let reason): ErrorMessages.unreadableMark(path: path, reason: reason)
    case .hiddenColumn(let hidden, let table): hidden.sentence(.serveFoundHidden, table: table)
    }
  }

  /// `3f0c1a22, 41be0d77, …` if there are more than are named.
  private static func list(_ ids: [String], of count: Int) -> String {
    (ids + (count > ids.count ? ["…"] : [])).joined(separator: ErrorMessages.catalogue.text(.listSeparator))
  }
}

extension ColumnChange {
  fileprivate func words(of name: String, table: String) -> String {
    let words = ErrorMessages.catalogue
    return switch self {
    case .retyped(from: let type, blobs: 0):
      words.text(.serveFoundRetyped, ["table": table, "name": name, "type": type])
    case .retyped(from: let type, let blobs):
      words.text(.serveFoundRetypedBlobs, ["table": table, "name": name, "type": type, "count": String(blobs)])
    case .relaxed(let rules):
      words.text(
        .serveFoundRelaxed,
        ["table": table, "name": name, "rules": rules.joined(separator: words.text(.listSeparator))])
    case .computed: words.text(.serveFoundComputed, ["table": table, "name": name])
    case .foreign: words.text(.serveFoundLeftOut, ["table": table, "name": name])
    }
  }
}
