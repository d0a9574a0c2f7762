import ArgumentParser
import Dispatch
import FoundationEssentials
import Glibc
import Logging
import OfflineSync
import Synchronization
import TableProtocol
import TableServer
import Words

/// `ebb serve`: the table server, until SIGINT or SIGTERM.
struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: ErrorMessages.usage(.serve),
    discussion: ErrorMessages.usage(.serveMore),
    subcommands: [
      InviteCommand.self, ServeBackupCommand.self, ServeRestoreCommand.self, ServeCheckCommand.self,
      ServeEpochCommand.self,
    ])

  @Option(help: .usage(.serveHost))
  var host = "127.0.0.1"

  @Option(help: .usage(.servePort))
  var port = 8080

  @Option(help: .usage(.serveSocket, valueName: "path"))
  var socket: String?

  @Option(help: .usage(.serveSocketMode, valueName: "mode"))
  var socketMode = "600"

  @Option(name: .customLong("name"), help: .usage(.serveName, valueName: "host"))
  var names: [String] = []

  @Option(help: .usage(.serveCertificate, valueName: "file"))
  var certificate: String?

  @Option(help: .usage(.serveKey, valueName: "file"))
  var key: String?

  @Option(help: .usage(.serveJWTIssuer, valueName: "url"))
  var jwtIssuer: String?

  @Option(help: .usage(.serveJWTAudience, valueName: "text"))
  var jwtAudience: String?

  @Option(help: .usage(.serveJWTKeys, valueName: "file"))
  var jwtKeys: String?

  @Option(name: .customLong("trust-proxy"), help: .usage(.serveTrustProxy, valueName: "range"))
  var proxies: [String] = []

  @Flag(help: .usage(.serveOpen))
  var open = false

  @Option(help: .usage(.serveTables))
  var tables = TablePolicy.Tables.fixed

  @Option(name: .customLong("alias"), help: .usage(.serveAlias, valueName: "column=name"))
  var aliases: [String] = []

  @OptionGroup var database: ServerDatabaseOption

  func validate() throws {
    guard columnNames != nil else { throw ValidationError(ErrorMessages.usage(.wrongAlias)) }
    guard (0...65_535).contains(port) else { throw ValidationError(ErrorMessages.usage(.wrongPort)) }
    guard !host.isEmpty else { throw ValidationError(ErrorMessages.usage(.wrongHost)) }
    guard Self.mode(socketMode) != nil else { throw ValidationError(ErrorMessages.usage(.wrongSocketMode)) }
    guard (certificate == nil) == (key == nil) else { throw ValidationError(ErrorMessages.usage(.wrongCertificate)) }
    let signIn = [jwtIssuer, jwtAudience, jwtKeys].compactMap(\.self)
    guard signIn.isEmpty || signIn.count == 3 && !signIn.contains("") else {
      throw ValidationError(ErrorMessages.usage(.wrongJWT))
    }
    guard proxies.allSatisfy({ NetworkAddress.Range($0) != nil }) else {
      throw ValidationError(ErrorMessages.usage(.wrongProxy))
    }
  }

  func run() throws {
    let path = database.path
    let catalogue = ErrorMessages.catalogue
    let configuration = configuration(path)
    if open && configuration.isReachable { StandardOutput.error(catalogue.text(.serveOpenToAll, ["host": host])) }
    let server = TableServer(configuration) { [host] port in
      let url =
        switch configuration.listening {
        case .port: "\(configuration.scheme)://\(host.contains(":") ? "[\(host)]" : host):\(port)"
        case .socket(let path, _): "unix:\(path)"
        case .inherited(let numbers): numbers.map { "fd:\($0)" }.joined(separator: " ")
        }
      StandardOutput.line(catalogue.text(.serveStarted, ["url": url, "path": path]))
      if case .port = configuration.listening { StandardOutput.line(catalogue.text(.serveHowTo, ["url": url])) }
    }
    if let error = Self.outcome(of: server) { throw CommandFailure.server(error, host: host) }
  }

  private func configuration(_ path: String) -> ServerConfiguration {
    var logger = Logger(label: "ebb.serve") { StreamLogHandler.standardError(label: $0) }
    logger.logLevel = .error
    var policy = TablePolicy(tables)
    policy.aliases = columnNames ?? .none
    let paths = DefaultPaths(.ofProcess)
    let files: CertificateFiles? =
      if let certificate, let key {
        CertificateFiles(certificate: paths.absolute(certificate), key: paths.absolute(key))
      } else { nil }
    return ServerConfiguration(
      listening: listening(paths), host: host, port: port, names: names, certificate: files, signIn: signIn(paths),
      proxies: proxies.compactMap(NetworkAddress.Range.init),
      databasePath: path, isOpen: open, tables: policy, clock: Environment.system.now, logger: logger)
  }

  /// Nil if the aliases can't be what they should be.
  private var columnNames: ColumnNames? {
    var pairs: [String: String] = [:]
    for alias in aliases {
      let parts = alias.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2, pairs.updateValue(parts[1], forKey: parts[0]) == nil else { return nil }
    }
    return ColumnNames(pairs)
  }

  private func signIn(_ paths: DefaultPaths) -> SignInConfiguration? {
    guard let jwtIssuer, let jwtAudience, let jwtKeys else { return nil }
    return SignInConfiguration(issuer: jwtIssuer, audience: jwtAudience, keys: paths.absolute(jwtKeys))
  }

  /// The sockets of a service manager come before those that are named here.
  private func listening(_ paths: DefaultPaths) -> ServerListening {
    let environment = EnvironmentVariables.ofProcess
    let names = ["LISTEN_PID", "LISTEN_FDS"].compactMap { name in environment[name].map { (name, $0) } }
    let inherited = InheritedSockets.numbers(Dictionary(names) { $1 }, process: getpid())
    if !inherited.isEmpty { return .inherited(inherited) }
    return socket.map { .socket(path: paths.absolute($0), mode: Self.mode(socketMode) ?? 0o600) } ?? .port
  }

  /// Nil for what are no permissions.
  private static func mode(_ text: String) -> UInt32? {
    UInt32(text, radix: 8).flatMap { (0...0o777).contains($0) ? $0 : nil }
  }

  /// Blocks this thread, which is the main one and has nothing else to do, until the server has ended.
  private static func outcome(of server: TableServer) -> ServerError? {
    let outcome = Outcome()
    let ended = DispatchSemaphore(value: 0)
    Task.detached {
      do throws(ServerError) {
        try await server.runUntilSignalled()
      } catch {
        outcome.error.withLock { $0 = error }
      }
      ended.signal()
    }
    ended.wait()
    return outcome.error.withLock { $0 }
  }

  private final class Outcome: Sendable {
    let error = Mutex<ServerError?>(nil)
  }
}

extension TablePolicy.Tables: ExpressibleByArgument {}

/// `ebb serve epoch`: says that the server's database was replaced by an older copy (sync-rules W4).
struct ServeEpochCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "epoch",
    abstract: ErrorMessages.usage(.serveEpoch),
    discussion: ErrorMessages.usage(.serveEpochMore))

  @OptionGroup var database: ServerDatabaseOption

  func run() throws {
    let epoch = try ServerDatabaseOption.attempt { () throws(ServerError) in
      try TableServer.raiseEpoch(ofDatabase: database.path, clock: Environment.system.now)
    }
    StandardOutput.line(ErrorMessages.catalogue.text(.serveEpochRaised, ["number": String(epoch.number)]))
  }
}

/// `--database FILE` of `ebb serve` and of the commands below it.
struct ServerDatabaseOption: ParsableArguments {
  @Option(help: .usage(.serveDatabase, valueName: "file"))
  var database: String?

  func validate() throws {
    guard database?.isEmpty != true else { throw ValidationError(ErrorMessages.usage(.wrongDatabase)) }
  }

  /// Absolute.
  var path: String {
    let paths = DefaultPaths(.ofProcess)
    return database.map(paths.absolute) ?? paths.data("server.sqlite")
  }

  /// Works on the database without serving it: what fails becomes the failure of the command.
  static func attempt<Value>(_ body: () throws(ServerError) -> Value) throws -> Value {
    do throws(ServerError) {
      return try body()
    } catch {
      throw CommandFailure.server(error, host: "")
    }
  }
}
