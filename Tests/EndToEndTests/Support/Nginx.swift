import Foundation
import Support

/// nginx as Debian ships it, before servers of ours.
struct Nginx {
  static let program = UnpackedProgram("nginx")

  let port: Int
  let child: ChildProcess
  var url: String { "http://127.0.0.1:\(port)" }

  /// Starts it before the servers, with nothing said of the way to them but `more`. Several are one address: each gets
  /// some of the requests, and one that is gone gets none for a second.
  static func start(
    _ workspace: Workspace, before servers: [ServerProcess], _ more: String = ""
  ) async throws -> Nginx {
    let port = try Socket.freePort()
    let folder = workspace.path("nginx")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let kinds = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    let lines = kinds.map { "\($0)_temp_path \(folder)/\($0);" }.joined(separator: " ")
    let several = servers.map { "server 127.0.0.1:\($0.port) max_fails=1 fail_timeout=1s;" }.joined(separator: " ")
    let (upstream, way) =
      servers.count == 1
      ? ("", "proxy_pass \(servers[0].url);")
      : ("upstream ebb { \(several) }", "proxy_pass http://ebb; proxy_set_header Host $http_host;")
    let configuration = """
      daemon off; master_process off; pid \(folder)/pid; error_log \(folder)/error.log;
      events {}
      http {
        access_log off; \(lines) \(upstream)
        server {
          listen 127.0.0.1:\(port);
          location / { \(way) \(more) }
        }
      }
      """
    try configuration.write(toFile: folder + "/nginx.conf", atomically: true, encoding: .utf8)
    let child = try program.start(["-p", folder, "-c", folder + "/nginx.conf"], in: workspace)
    _ = try await waitFor {
      Socket.connect(to: port)
    } otherwise: {
      "nginx does not listen: \(child.error)"
    }
    return Nginx(port: port, child: child)
  }
}

extension UnpackedProgram {
  /// Starts it with these words, until the workspace is closed.
  func start(_ words: [String], in workspace: Workspace) throws -> ChildProcess {
    guard let path else { throw Failure("there is no \(name)") }
    let child = try ChildProcess([path] + words, in: workspace, environment: environment)
    workspace.whenClosing { child.destroy() }
    return child
  }
}
