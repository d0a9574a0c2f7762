import ArgumentParser
import Dispatch
import FoundationEssentials
import Glibc
import OfflineSync
import Synchronization
import TableProtocol
import TableServer
import TableStorage
import Words

/// `ebb serve`: the table server, until SIGINT or SIGTERM.
struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration.of(
    .serve, "serve", examples: .serve, more: .serveMore,
    subcommands: [
      InviteCommand.self, ServeBackupCommand.self, ServeRestoreCommand.self, ServeCheckCommand.self,
      ServeCompactCommand.self, ServeMoveCommand.self, ServeEpochCommand.self, ServeAliasCommand.self,
      ServeTablesCommand.self, ServeUsersCommand.self,
    ])

  @OptionGroup var listening: ListeningOptions
  @OptionGroup var access: AccessOptions
  @OptionGroup var tables: TableOptions
  @OptionGroup var backups: BackupOptions
  @OptionGroup var log: LogOptions
  @OptionGroup var database: ServerDatabaseOption

  @Flag(help: .usage(.servePooled))
  var pooled = false

  func validate() throws {
    if pooled, DatabaseLocation(database.path).path != nil {
      throw WrongUsage.needless("--pooled", without: "--database postgresql://HOST/NAME")
    }
  }

  func run() throws {
    let path = database.path
    let shown = database.shown
    let catalogue = ErrorMessages.catalogue
    if backups.backupEvery != nil, case .postgreSQL = DatabaseLocation(path) {
      throw log.ending(with: .server(.database(.hasOwnTools(.backup, database: shown)), host: ""))
    }
    let configuration = configuration(path)
    let host = listening.host
    if access.open, let reachable = configuration.reachableHost {
      log.say(catalogue.text(.serveOpenToAll, ["host": reachable]))
    }
    // It loses nothing, so it is allowed; but no server gets a notice of what another one writes to a file.
    if DatabaseLocation(path).isOpenElsewhere { log.say(catalogue.text(.serveOpenElsewhere, ["path": shown])) }
    tables.policy.aliases.reportStrangers(log.say)
    let (say, announce, lastWrite) = (log.say, log.announce, DatabaseLocation(path).lastWriteOfMissing)
    let server = TableServer(configuration) { started in
      // Only now was another one made: a server that does not start begins with none.
      if let lastWrite {
        let time = TokenTable.minute(lastWrite)
        say(ErrorMessages.catalogue.text(.serveDatabaseGone, ["path": shown, "time": time]))
      }
      for line in configuration.lines(for: started, host: host, database: shown) { announce(line) }
    }
    let outcome = ServerWork.wait { () async throws(ServerError) in try await server.runUntilSignalled() }
    if case .failure(let error) = outcome {
      // Otherwise the way out that the error names may be that to an empty database.
      if let missing = database.sentenceIfMissing { log.say(missing) }
      throw log.ending(with: .server(error, host: host))
    }
  }

  private func configuration(_ path: String) -> ServerConfiguration {
    let paths = DefaultPaths(.ofProcess)
    var configuration = ServerConfiguration(
      listening: listening.place(paths), host: listening.host, port: listening.port, names: listening.names,
      certificate: listening.files(paths), signIn: access.signIn(paths), proxies: listening.ranges,
      databasePath: path, isOpen: access.open, tables: tables.policy, clock: Environment.system.now, logger: log.logger)
    configuration.backups = backups.plan(paths, database: path)
    configuration.isPooled = pooled
    let environment = EnvironmentVariables.ofProcess
    configuration.notice = ServiceNotice({ environment[$0] }, process: getpid())
    let say = log.say
    configuration.onCopy = { say(ServerDatabaseOption.sentence(ofCopy: $0)) }
    configuration.onKeptAliases = { words in
      say(ErrorMessages.catalogue.text(.serveAliasKept, ["aliases": words.joined(separator: " ")]))
    }
    return configuration
  }
}

extension ServerConfiguration {
  /// Says where the server is, and how to use it from this machine or to let a device in.
  fileprivate func lines(for started: StartedServer, host: String, database: String) -> [String] {
    let catalogue = ErrorMessages.catalogue
    let url =
      switch listening {
      case .port: "\(scheme)://\(HostName(plain: host).inURL):\(started.port)"
      case .socket(let path, _): "unix:\(path)".printable
      case .inherited(let numbers): numbers.map { "fd:\($0)" }.joined(separator: " ")
      }
    let place = catalogue.text(.serveStarted, ["url": url, "path": database])
    // With a sign-in of its own, that says how devices come in.
    guard case .port = listening, signIn == nil, let address = address(port: started.port) else { return [place] }
    let how =
      started.needsToken
      ? catalogue.text(.serveHowToInvite, ["argument": database.shellWord])
      : catalogue.text(.serveHowTo, ["url": address.shellWord])
    return [place, how]
  }
}

/// Work of the server that is asynchronous, waited for by a command.
enum ServerWork {
  /// Blocks this thread, which is the main one and has nothing else to do, until the work has ended.
  static func wait<Value: Sendable, Failure>(
    _ body: @escaping @Sendable () async throws(Failure) -> Value
  ) -> Result<Value, Failure> {
    let outcome = Outcome<Value, Failure>()
    let ended = DispatchSemaphore(value: 0)
    Task.detached {
      let result: Result<Value, Failure>
      do throws(Failure) {
        result = .success(try await body())
      } catch {
        result = .failure(error)
      }
      outcome.result.withLock { $0 = result }
      ended.signal()
    }
    while true {
      ended.wait()
      if let result = outcome.result.withLock(\.self) { return result }
    }
  }

  private final class Outcome<Value: Sendable, Failure: Error>: Sendable {
    let result = Mutex<Result<Value, Failure>?>(nil)
  }
}

/// `ebb serve epoch`: says that the server's database was replaced by an older copy (sync-rules W4).
struct ServeEpochCommand: ParsableCommand {
  static let configuration = CommandConfiguration.of(
    .serveEpoch, "epoch", examples: .serveEpoch, more: .serveEpochMore)

  @OptionGroup var database: ServerDatabaseOption

  func run() throws {
    let epoch = try ServerDatabaseOption.attempt { () throws(ServerError) in
      try TableServer.raiseEpoch(
        ofDatabase: database.path, clock: Environment.system.now, onCopy: ServerDatabaseOption.tellCopy)
    }
    StandardOutput.line(ErrorMessages.catalogue.text(.serveEpochRaised, ["number": String(epoch.number)]))
  }
}

/// `--database FILE|URL` of `ebb serve` and of the commands below it.
struct ServerDatabaseOption: ParsableArguments {
  @Option(help: .usage(.serveDatabase, valueName: "file|url"))
  var database: String?

  func validate() throws {
    guard database?.isEmpty != true, database.map(DatabaseLocation.isUnknownURL) != true else {
      throw ValidationError(ErrorMessages.usage(.wrongDatabase))
    }
  }

  /// An absolute path, or a URL of PostgreSQL, which may have a password in it: ``shown`` has none.
  var path: String { database.map(Self.absolute) ?? DefaultPaths(.ofProcess).data("server.sqlite") }

  static func absolute(_ database: String) -> String {
    switch DatabaseLocation(database) {
    case .file: DefaultPaths(.ofProcess).absolute(database)
    case .postgreSQL: database
    }
  }

  var shown: String { DatabaseLocation(path).shown.printable }

  /// Says where the copy of a database is that was brought up to date. Not where the answer of a command goes.
  static let tellCopy: @Sendable (String) -> Void = { StandardOutput.error(ServerDatabaseOption.sentence(ofCopy: $0)) }

  static func sentence(ofCopy place: String) -> String {
    ErrorMessages.catalogue.text(.serveCopiedBeforeUpdate, ["path": place.printable])
  }

  /// Works on the database without serving it: what fails becomes the failure of the command.
  static func attempt<Value>(_ body: () throws(ServerError) -> Value) throws -> Value {
    do throws(ServerError) {
      return try body()
    } catch {
      throw CommandFailure.server(error, host: "")
    }
  }

  /// The same for work of the database alone.
  static func attemptOnDatabase<Value>(_ body: () throws(ServerDatabaseError) -> Value) throws -> Value {
    try attempt { () throws(ServerError) in
      do throws(ServerDatabaseError) { return try body() } catch { throw .database(error) }
    }
  }
}
