import Foundation
import Glibc
import Synchronization

/// Ports for servers that are stopped and started again, each given once.
///
/// They are below those that the system gives to whoever asks for any (ip_local_port_range in ip(7)): while such a server
/// is away, no other test's server gets its port, and no device that looks for it finds a stranger.
private enum KeptPorts {
  private static let range = 10_000..<32_000
  /// Where a run begins differs, since another may be under way on the same machine.
  private static let given = Mutex(Int(getpid()) * 251)

  static func next() -> Int {
    given.withLock { given in
      given += 1
      return range.lowerBound + given % range.count
    }
  }
}

/// A server of ours, `ebb serve`, on a port that was free.
final class ServerProcess: Sendable {
  let workspace: Workspace
  let port: Int
  let database: String
  let child: ChildProcess

  /// Further options that it was started with.
  private let words: [String]

  var url: String { "\(words.contains("--certificate") ? "https" : "http")://127.0.0.1:\(port)" }

  /// Starts a server and gives it once it says where it is.
  static func start(
    _ workspace: Workspace, database: String? = nil, port: Int? = nil, words: [String] = []
  ) async throws -> ServerProcess {
    let database = database ?? workspace.path("server.sqlite")
    var asked = port ?? KeptPorts.next()
    var child = try spawn(workspace, database: database, port: asked, words)
    let said = try await waitFor {
      // One that was given up may not be free again at once; a new one may be another program's.
      if child.error.contains("Port \(asked) is in use") {
        child.destroy()
        asked = port ?? KeptPorts.next()
        child = try spawn(workspace, database: database, port: asked, words)
      }
      return portNamed(in: child.output)
    } otherwise: {
      "the server named no port:\n\(child.output)\n\(child.error)"
    }
    return ServerProcess(workspace, port: said, database: database, words, child: child)
  }

  private static func spawn(
    _ workspace: Workspace, database: String, port: Int, _ words: [String]
  ) throws -> ChildProcess {
    let child = try ChildProcess(
      [try Binary.ebb(), "serve", "--port", "\(port)", "--database", database] + words, in: workspace)
    workspace.whenClosing { child.destroy() }
    return child
  }

  private init(_ workspace: Workspace, port: Int, database: String, _ words: [String], child: ChildProcess) {
    self.words = words
    self.workspace = workspace
    self.port = port
    self.database = database
    self.child = child
  }

  /// Asks it to end and gives its exit status.
  @discardableResult
  func stop(with signal: Int32 = SIGTERM) async throws -> Int32 {
    child.signal(signal)
    return try await waitFor {
      child.exitStatus()
    } otherwise: {
      "the server did not stop: \(child.error)"
    }
  }

  /// Stops it and starts another on the same port and database.
  func restarted() async throws -> ServerProcess {
    try await stop()
    return try await ServerProcess.start(workspace, database: database, port: port, words: words)
  }

  private static func portNamed(in output: String) -> Int? {
    guard let line = output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().first,
      let match = line.firstMatch(of: /https?:\/\/127\.0\.0\.1:(\d+)/)
    else { return nil }
    return Int(match.1)
  }
}
