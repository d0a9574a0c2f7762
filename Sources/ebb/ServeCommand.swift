import ArgumentParser
import Dispatch
import FoundationEssentials
import Glibc
import Logging
import Synchronization
import TableProtocol
import TableServer

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
    let path = database ?? Self.defaultDatabase
    if !isLoopback {
      Self.say("Warning: anyone who can reach \(host) can read and change every item; there is no sign-in yet.", on: 2)
    }
    let server = TableServer(configuration(path)) { [host] port in
      let url = "http://\(host.contains(":") ? "[\(host)]" : host):\(port)"
      Self.say("Serving \(url) (database \(path))\nRefresh a list with it: ebb --server \(url)", on: 1)
    }
    if let error = Self.outcome(of: server) {
      Self.say(sentence(error), on: 2)
      throw ExitCode(error.isRefusal ? 77 : 1)
    }
  }

  private func configuration(_ path: String) -> ServerConfiguration {
    var logger = Logger(label: "ebb.serve") { StreamLogHandler.standardError(label: $0) }
    logger.logLevel = .error
    return ServerConfiguration(
      host: host, port: port, databasePath: path,
      clock: { Timestamp(milliseconds: Int64((Date().timeIntervalSince1970 * 1_000).rounded(.down))) },
      logger: logger)
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

  private static var defaultDatabase: String {
    let environment = ProcessInfo.processInfo.environment
    if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") { return "\(data)/ebb/server.sqlite" }
    return "\(environment["HOME"] ?? ".")/.local/share/ebb/server.sqlite"
  }

  private var isLoopback: Bool {
    host == "localhost" || host == "::1" || host.hasPrefix("127.")
  }

  /// Writes at once: whoever started the server waits for the first line.
  private static func say(_ line: String, on descriptor: Int32) {
    var rest = Array("\(line)\n".utf8)[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { return }
      rest = rest.dropFirst(written)
    }
  }

  private func sentence(_ error: ServerError) -> String {
    switch error {
    case .portInUse(let port):
      "Port \(port) is in use by another program: stop that one, or choose another with --port (0 takes a free one)."
    case .portNotAllowed(let port):
      "You are not allowed to listen on port \(port): choose one above 1023 with --port (0 takes a free one)."
    case .hostNotUsable(let host):
      "'\(host)' is not an address of this machine: give one with --host, such as 127.0.0.1."
    case .cannotListen(let reason):
      "The server could not listen on \(host), port \(port): \(reason)."
    case .notAllowed(let path):
      "You are not allowed to use \(path): change its permissions, or choose another file with --database."
    case .notADatabase(let path):
      "\(path) is not a database; it was left alone. Choose another file with --database."
    case .otherDatabase(let path):
      "\(path) is a database of another program; it was left alone. Choose another file with --database."
    case .newerVersion(let path):
      "\(path) was written by a newer version of Ebb; it was left alone. Update Ebb, or choose another file "
        + "with --database."
    case .cannotOpen(let path, let reason):
      "The database \(path) can't be opened: \(reason). Choose another file with --database."
    }
  }
}

extension ServerError {
  /// True when the system does not let this user do it.
  fileprivate var isRefusal: Bool {
    switch self {
    case .notAllowed, .portNotAllowed: true
    default: false
    }
  }
}
