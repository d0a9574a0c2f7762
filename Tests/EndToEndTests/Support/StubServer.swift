import Foundation

/// A server that gives the same answer to whatever it is asked, until its workspace is closed.
struct StubServer {
  let port: Int

  var url: String { "http://127.0.0.1:\(port)" }

  init(_ workspace: Workspace, status: Int, _ body: String = "", headers: [String: String] = [:]) throws {
    let (listener, port) = try Socket.listen()
    self.port = port
    let fields = headers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)\r\n" }.joined()
    let head = "HTTP/1.1 \(status) Said\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\(fields)\r\n"
    let answer = Data((head + body).utf8)
    Thread.detachNewThread {
      while let connection = listener.accept() {
        if connection.read() != nil { _ = connection.write(answer) }
        connection.shut()
        connection.close()
      }
    }
    workspace.whenClosing { listener.shut() }
  }
}
