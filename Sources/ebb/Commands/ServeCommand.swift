import ArgumentParser
import Dispatch
import FoundationEssentials
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
    subcommands: [InviteCommand.self, ServeEpochCommand.self])

  @Option(help: .usage(.serveHost))
  var host = "127.0.0.1"

  @Option(help: .usage(.servePort))
  var port = 8080

  @Option(name: .customLong("name"), help: .usage(.serveName, valueName: "host"))
  var names: [String] = []

  @Option(help: .usage(.serveCertificate, valueName: "file"))
  var certificate: String?

  @Option(help: .usage(.serveKey, valueName: "file"))
  var key: String?

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
    guard (certificate == nil) == (key == nil) else { throw ValidationError(ErrorMessages.usage(.wrongCertificate)) }
    guard proxies.allSatisfy({ NetworkAddress.Range($0) != nil }) else {
      throw ValidationError(ErrorMessages.usage(.wrongProxy))
    }
  }

  func run() throws {
    let path = database.path
    let catalogue = ErrorMessages.catalogue
    let isReachable = !HostName(plain: host).isLoopback
    if open && isReachable { StandardOutput.error(catalogue.text(.serveOpenToAll, ["host": host])) }
    let configuration = configuration(path)
    let server = TableServer(configuration) { [host] port in
      let url = "\(configuration.scheme)://\(host.contains(":") ? "[\(host)]" : host):\(port)"
      StandardOutput.line(catalogue.text(.serveStarted, ["url": url, "path": path]))
      StandardOutput.line(catalogue.text(.serveHowTo, ["url": url]))
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
      host: host, port: port, names: names, certificate: files, proxies: proxies.compactMap(NetworkAddress.Range.init),
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
    do throws(ServerError) {
      let epoch = try TableServer.raiseEpoch(ofDatabase: database.path, clock: Environment.system.now)
      StandardOutput.line(ErrorMessages.catalogue.text(.serveEpochRaised, ["number": String(epoch.number)]))
    } catch {
      throw CommandFailure.server(error, host: "")
    }
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
}
