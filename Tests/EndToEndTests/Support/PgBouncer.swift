import Foundation
import Glibc
import Support

/// PgBouncer as Debian ships it, before the PostgreSQL of the tests: a session for each transaction, and few of them.
struct PgBouncer {
  static let program = UnpackedProgram("pgbouncer")

  let child: ChildProcess
  private let port: Int

  /// The address of a database behind it.
  func url(of database: String) -> String { "postgresql://postgres@127.0.0.1:\(port)/\(database)" }

  /// Starts it on a port, a free one if none is given.
  static func start(
    _ workspace: Workspace, before cluster: PostgreSQLCluster, port: Int? = nil
  ) async throws -> PgBouncer {
    let port = try port ?? Socket.freePort()
    // As root it becomes another user, who can't come to the folder of the workspace.
    let file = "/tmp/ebb-pgbouncer-\(getpid())-\(port).ini"
    let configuration = """
      [databases]
      * = host=\(cluster.folder) user=postgres
      [pgbouncer]
      listen_addr = 127.0.0.1
      listen_port = \(port)
      unix_socket_dir =
      auth_type = any
      pool_mode = transaction
      default_pool_size = 3
      """
    try configuration.write(toFile: file, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
    workspace.whenClosing { try? FileManager.default.removeItem(atPath: file) }
    let child = try program.start((getuid() == 0 ? ["-u", "postgres"] : []) + [file], in: workspace)
    _ = try await waitFor {
      child.error.contains("process up") ? true : nil
    } otherwise: {
      "PgBouncer did not start: \(child.error)"
    }
    return PgBouncer(child: child, port: port)
  }

  /// Ends it as a crash would.
  func kill() { child.destroy() }

  /// Another in its place.
  func started(_ workspace: Workspace, before cluster: PostgreSQLCluster) async throws -> PgBouncer {
    try await Self.start(workspace, before: cluster, port: port)
  }
}
