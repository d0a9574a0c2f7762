import ArgumentParser
import Dispatch
import FoundationEssentials
import Logging
import OfflineSync
import Synchronization
import TableServer
import TodoUI

/// `ebb serve`: the table server, until SIGINT or SIGTERM.
struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Run the server that lists are synced with.",
    discussion: "Stops cleanly on Ctrl-C or SIGTERM. There is no sign-in yet: listen beyond this machine with care.")

  @Option(help: "The name or address to listen on.")
  var host = "127.0.0.1"

  @Option(help: "The port to listen on; 0 takes a free one.")
  var port = 8080

  @Option(
    help: ArgumentHelp(
      "The server's database; made when it is not there. Default: $XDG_DATA_HOME/ebb/server.sqlite",
      valueName: "file"))
  var database: String?

  func validate() throws {
    guard (0...65_535).contains(port) else { throw ValidationError("The port must be a number from 0 to 65535.") }
    guard !host.isEmpty else { throw ValidationError("The host must not be empty.") }
    guard database?.isEmpty != true else { throw ValidationError("The database must be the path of a file.") }
  }

  func run() throws {
    let places = StandardPlaces(ProcessInfo.processInfo.environment)
    let path = database.map(places.absolute) ?? places.data("server.sqlite")
    let catalogue = Explanation.catalogue
    if !isLoopback { StandardOutput.error(catalogue.text(.serveOpenToAll, ["host": host])) }
    let server = TableServer(configuration(path)) { [host] port in
      let url = "http://\(host.contains(":") ? "[\(host)]" : host):\(port)"
      StandardOutput.line(catalogue.text(.serveStarted, ["url": url, "path": path]))
      StandardOutput.line(catalogue.text(.serveHowTo, ["url": url]))
    }
    if let error = Self.outcome(of: server) { throw CommandFailure.server(error, host: host) }
  }

  private func configuration(_ path: String) -> ServerConfiguration {
    var logger = Logger(label: "ebb.serve") { StreamLogHandler.standardError(label: $0) }
    logger.logLevel = .error
    return ServerConfiguration(
      host: host, port: port, databasePath: path, clock: Environment.system.now, logger: logger)
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

  private var isLoopback: Bool {
    host == "localhost" || host == "::1" || host.hasPrefix("127.")
  }
}
