import Foundation
import Glibc
import TableProtocol
import Testing

/// As long as a sign of life may fail to come: the real time, for no setting shortens it.
@Suite("A live list after a long sleep", .timeLimit(.minutes(10)))
struct SleepTests {
  private func list(of server: ServerProcess, _ workspace: Workspace) async throws -> TerminalSession {
    let folder = workspace.path("config/ebb")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try "sync:\n  when: launch, live\n".write(toFile: folder + "/config.yaml", atomically: true, encoding: .utf8)
    let list = try await TerminalSession.list(Device(workspace, name: "list", server: server.url))
    try await list.wait("the list to be live") { $0.isLive }
    return list
  }

  private func change(_ text: String, at server: ServerProcess, _ workspace: Workspace) async throws {
    let other = Device(workspace, name: "other", server: server.url)
    _ = try await other.add(text)
    try await other.ebb("sync")
  }

  @Test("shows at once what came meanwhile, whether its own machine slept or that of the server")
  func sleeps() async throws {
    try await Workspace.use { sleeping in
      try await Workspace.use { waiting in
        let (awake, stopped) = (try await ServerProcess.start(sleeping), try await ServerProcess.start(waiting))
        let (sleeper, waiter) = (try await list(of: awake, sleeping), try await list(of: stopped, waiting))
        try await sleeper.signal(SIGSTOP)
        stopped.child.signal(SIGSTOP)
        try await change("While the list slept", at: awake, sleeping)
        let patience = Duration.seconds(ListLevel.heartbeatSeconds * 5 / 2) + Patience.long
        _ = try await waitFor(within: patience) {
          try await waiter.screen().words.contains("no answer in time") ? true : nil
        } otherwise: {
          "a server that says nothing is taken for a live one"
        }
        // As long has the other one slept.
        try await sleeper.signal(SIGCONT)
        try await sleeper.wait("what came while it slept") { $0.shows("While the list slept") }
        try await sleeper.wait("the list to be live") { $0.isLive }
        try await change("After the list slept", at: awake, sleeping)
        try await sleeper.wait("what came later") { $0.shows("After the list slept") }
        stopped.child.signal(SIGCONT)
        try await waiter.wait("the list to be live again") { $0.isLive }
        try await change("After the server slept", at: stopped, waiting)
        try await waiter.wait("what came after it") { $0.shows("After the server slept") }
      }
    }
  }
}
