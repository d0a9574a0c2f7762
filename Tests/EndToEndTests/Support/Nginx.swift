import Foundation

/// nginx as Debian ships it, before a server of ours. `deps.sh` unpacks it; nothing of the machine's own is used.
struct Nginx {
  static var program: String? {
    let unpacked = FileManager.default.currentDirectoryPath + "/.build/nginx/usr/sbin/nginx"
    return [unpacked, "/usr/sbin/nginx"].first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  let port: Int
  var url: String { "http://127.0.0.1:\(port)" }

  /// Starts it before the server, with nothing said of the way to it but `more`.
  static func start(_ workspace: Workspace, before server: ServerProcess, _ more: String = "") async throws -> Nginx {
    guard let program else { throw Failure("there is no nginx") }
    let (socket, port) = try Socket.listen()
    socket.close()
    let folder = workspace.path("nginx")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let kinds = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    let lines = kinds.map { "\($0)_temp_path \(folder)/\($0);" }.joined(separator: " ")
    let configuration = """
      daemon off; master_process off; pid \(folder)/pid; error_log \(folder)/error.log;
      events {}
      http {
        access_log off; \(lines)
        server {
          listen 127.0.0.1:\(port);
          location / { proxy_pass \(server.url); \(more) }
        }
      }
      """
    try configuration.write(toFile: folder + "/nginx.conf", atomically: true, encoding: .utf8)
    let child = try ChildProcess([program, "-p", folder, "-c", folder + "/nginx.conf"], in: workspace)
    workspace.whenClosing { child.destroy() }
    let nginx = Nginx(port: port)
    _ = try await waitFor {
      Socket.connect(to: port)
    } otherwise: {
      "nginx does not listen: \(child.error)"
    }
    return nginx
  }
}
