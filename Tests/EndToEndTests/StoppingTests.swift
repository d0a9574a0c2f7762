import Foundation
import Glibc
import Testing

@Suite("Stopping a sync", .serialized, .timeLimit(.minutes(5)))
struct StoppingTests {
  /// A device whose way to the server is held.
  private func held(
    _ workspace: Workspace
  ) async throws -> (device: Device, server: ServerProcess, proxy: CountingProxy) {
    let server = try await ServerProcess.start(workspace)
    let proxy = try CountingProxy(to: server)
    let device = Device(workspace, server: proxy.url)
    _ = try await device.add("milk")
    proxy.hold()
    return (device, server, proxy)
  }

  @Test("Esc in the list ends a refresh that gets no answer, loses nothing, and the next one does it all")
  func escape() async throws {
    try await Workspace.use { workspace in
      let (device, server, proxy) = try await held(workspace)
      let list = try await TerminalSession.list(device)
      try await list.press("r")
      try await list.wait("the way to stop it") { $0.status.contains("Esc stop") }
      try await proxy.waitForRequest()
      try await list.press("Escape")
      try await list.wait("the word that it was stopped") {
        $0.status.contains("Stopped, and nothing is lost. 1 change waits here")
      }
      #expect(try await list.screen().lines[1].contains("↑ [ ]   milk"))
      proxy.release()
      try await list.press("r")
      try await list.wait("the item to be sent") {
        !$0.status.contains("↑") && $0.status.contains("synced") && $0.shows("milk")
      }
      #expect(try await Curl(server: server).everything().map(\.text) == ["milk"])
    }
  }

  @Test("Esc also ends the waiting for another program")
  func escapeWhileWaiting() async throws {
    try await Workspace.use { workspace in
      let (device, _, proxy) = try await held(workspace)
      let other = try ChildProcess(try device.words(["sync"]), in: workspace)
      workspace.whenClosing { other.destroy() }
      try await proxy.waitForRequest()
      let list = try await TerminalSession.list(device)
      try await list.press("r")
      try await list.wait("its turn not to come") { $0.status.contains("another ebb is syncing") }
      try await list.press("Escape")
      try await list.wait("the word that it was stopped") { $0.status.contains("Stopped, and nothing is lost.") }
      #expect(other.exitStatus() == nil)
    }
  }

  @Test("others say that they wait for a sync that is stopped, and a reminder prints what is known after a few seconds")
  func stoppedSync() async throws {
    try await Workspace.use { workspace in
      let (device, _, proxy) = try await held(workspace)
      _ = try await device.add("rent due:2020-01-05")
      let stopped = try ChildProcess(try device.words(["sync"]), in: workspace)
      workspace.whenClosing { stopped.destroy() }
      try await proxy.waitForRequest()
      stopped.signal(SIGSTOP)
      let waiting = try ChildProcess(try device.words(["sync", "--json"]), in: workspace)
      workspace.whenClosing { waiting.destroy() }
      let reminded = try await device.attempt("remind")
      #expect(reminded.status == 1 && reminded.output.contains("rent"), "\(reminded)")
      #expect(reminded.complaints.count == 2 && reminded.error.contains("still syncing"), "\(reminded)")
      #expect(waiting.exitStatus() == nil && waiting.output.isEmpty)
      #expect(waiting.error == "ebb: Another ebb is syncing this list. Waiting for its end.\n")
      proxy.release()
      stopped.signal(SIGCONT)
      let status = try await waitFor {
        waiting.exitStatus()
      } otherwise: {
        "its turn does not come: \(waiting.error)"
      }
      #expect(status == 0 && waiting.output.hasPrefix("{"), "\(waiting.error)")
    }
  }

  @Test("a list that is stopped with Ctrl-Z lets others sync, and starts its refresh again when it goes on")
  func stoppedList() async throws {
    try await Workspace.use { workspace in
      let (device, _, proxy) = try await held(workspace)
      var terminal = try await RoughTerminal.open(device, number: 1, size: (80, 24))
      try await terminal.session.press("r")
      try await proxy.waitForRequest()
      try await terminal.session.send([26])
      try await terminal.waitUntilStopped()
      proxy.release()
      let other = try await device.attempt("sync")
      #expect(other.status == 0 && other.error.isEmpty, "\(other)")
      proxy.hold()
      try terminal.goOn()
      try await terminal.session.wait("the word of it") { $0.status.contains("its sync is started again") }
      proxy.release()
      try await terminal.session.wait("its end") {
        $0.status.contains("synced") && !$0.status.contains("started again")
      }
    }
  }

  @Test("a command that is stopped with Ctrl-Z lets others sync, and does its sync again when it goes on")
  func stoppedCommand() async throws {
    try await Workspace.use { workspace in
      let (device, server, proxy) = try await held(workspace)
      var terminal = try await RoughTerminal.open(device, ["sync"], number: 1, size: (80, 24))
      try await proxy.waitForRequest()
      try await terminal.session.send([26])
      try await terminal.waitUntilStopped()
      proxy.release()
      let other = try await device.attempt("sync")
      #expect(other.status == 0 && other.error.isEmpty, "\(other)")
      proxy.forget()
      try await expectSync(of: &terminal, through: proxy, to: server)
    }
  }

  /// The command that was stopped goes on, and does its sync again.
  private func expectSync(
    of terminal: inout RoughTerminal, through proxy: CountingProxy, to server: ServerProcess
  ) async throws {
    try terminal.goOn()
    try await proxy.waitForRequest()
    #expect(try await terminal.session.exitStatus() == 0)
    #expect(try await Curl(server: server).everything().map(\.text) == ["milk"])
  }

  @Test("Ctrl-Z pressed again before the command has stopped stops it once")
  func stoppedOnce() async throws {
    try await Workspace.use { workspace in
      let (device, server, proxy) = try await held(workspace)
      var terminal = try await RoughTerminal.open(device, ["sync"], number: 1, size: (80, 24))
      try await proxy.waitForRequest()
      while !terminal.isStopped {
        terminal.signal(SIGTSTP)
        try await Task.sleep(for: .milliseconds(1))
      }
      proxy.release()
      proxy.forget()
      try await expectSync(of: &terminal, through: proxy, to: server)
    }
  }

  @Test("Ctrl-Z right after Ctrl-C leaves no lock behind, and the sync is not begun again")
  func stoppedAfterInterrupt() async throws {
    try await Workspace.use { workspace in
      let (device, _, proxy) = try await held(workspace)
      var terminal = try await RoughTerminal.open(device, ["sync"], number: 1, size: (80, 24))
      try await proxy.waitForRequest()
      try await terminal.session.send([3, 26])
      // The sync may also have ended before the second key.
      _ = try await waitFor {
        terminal.isStopped || terminal.hasEnded ? true : nil
      } otherwise: {
        "the command goes on"
      }
      proxy.release()
      let other = try await device.attempt("sync")
      #expect(other.status == 0 && other.error.isEmpty, "\(other)")
      if terminal.isStopped { try terminal.goOn() }
      #expect(try await terminal.session.exitStatus() == 130)
    }
  }

  @Test("while the user's editor is open others can sync, and the refresh of the list is started again after it")
  func editor() async throws {
    try await Workspace.use { workspace in
      let (device, _, proxy) = try await held(workspace)
      let script = workspace.path("editor")
      try "printf 'in the editor: '; read answer\n".write(toFile: script, atomically: true, encoding: .utf8)
      let list = try await TerminalSession.list(device, environment: ["VISUAL": "sh \(script)"])
      try await list.press("r")
      try await proxy.waitForRequest()
      try await list.press("E")
      try await list.wait("the editor") { $0.lines.contains { $0.hasSuffix("in the editor:") } }
      proxy.release()
      let other = try await device.attempt("sync")
      #expect(other.status == 0 && other.error.isEmpty, "\(other)")
      proxy.forget()
      try await list.press("Enter")
      try await list.wait("what came of the editor") { $0.words.contains("The editor changed nothing.") }
      try await proxy.waitForRequest()
    }
  }

  @Test("SIGINT ends sync at a safe point: what was done is said, exit code 130, and the change waits")
  func interrupted() async throws {
    try await Workspace.use { workspace in
      let (device, server, proxy) = try await held(workspace)
      let terminal = try await TerminalSession.open(workspace, try device.words(["sync"]))
      try await proxy.waitForRequest()
      try await terminal.signal(SIGINT)
      #expect(try await terminal.exitStatus() == 130)
      let said = try await terminal.screen()
      #expect(said.lines.contains("sent 0 · received 0") && said.words.contains("nothing is lost"), "\(said)")
      #expect(try await device.status().pending == 1)
      proxy.release()
      try await device.ebb("sync")
      #expect(try await Curl(server: server).everything().map(\.text) == ["milk"])
    }
  }

  @Test("SIGINT at a question ends sync as usual, with nothing done")
  func interruptedQuestion() async throws {
    try await Workspace.use { workspace in
      let (device, _, proxy) = try await held(workspace)
      proxy.release()
      try await device.ebb("sync")
      var moved = device
      moved.server = try await ServerProcess.start(workspace, database: workspace.path("other.sqlite")).url
      let terminal = try await TerminalSession.open(workspace, try moved.words(["sync"]))
      try await terminal.wait("the question") { $0.words.contains("t: send all as new") }
      try await terminal.signal(SIGINT)
      #expect(try await terminal.exitStatus() == 130)
    }
  }
}
