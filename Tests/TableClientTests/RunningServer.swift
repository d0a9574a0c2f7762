import Logging
import ServiceLifecycle
import Support
import TableServer

/// The real server, over a real socket, for as long as `body` runs.
func withServer(_ body: (_ address: String) async throws -> Void) async throws {
  let folder = try TemporaryFolder()
  let world = TestEnvironment()
  let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
  let (ports, port) = AsyncStream.makeStream(of: Int.self)
  let server = TableServer(
    ServerConfiguration(
      port: 0, databasePath: folder.file("server.sqlite"), clock: { world.now }, logger: logger)
  ) { port.yield($0.port) }
  let group = ServiceGroup(services: [server], logger: logger)
  try await withThrowingTaskGroup(of: Void.self) { tasks in
    tasks.addTask { try await group.run() }
    for await bound in ports {
      try await body("http://127.0.0.1:\(bound)")
      break
    }
    await group.triggerGracefulShutdown()
    try await tasks.waitForAll()
  }
}
