import Foundation
import Glibc

/// The list in a real terminal: a tmux server of its own with one window, in which a person could sit.
final class TerminalSession: Sendable {
  private let workspace: Workspace
  private let runner: CommandRunner
  private let name: String

  /// Opens a terminal of the given size and runs the command in it.
  static func open(
    _ workspace: Workspace, _ command: [String], size: (columns: Int, rows: Int) = (80, 24),
    environment: [String: String] = [:]
  ) async throws -> TerminalSession {
    let session = TerminalSession(workspace)
    try session.writeFiles()
    workspace.whenClosing { session.endServer() }
    let settings = environment.map { "\($0.key)=\($0.value)" }
    try await session.tmux(
      ["new-session", "-d", "-x", "\(size.columns)", "-y", "\(size.rows)", "sh", session.file("run"), session.file("")]
        + ["env"] + settings + command)
    return session
  }

  /// Opens a device's list and waits until it is on the screen.
  static func list(
    _ device: Device, size: (columns: Int, rows: Int) = (80, 24), environment: [String: String] = [:]
  ) async throws -> TerminalSession {
    let session = try await open(device.workspace, try device.words([]), size: size, environment: environment)
    try await session.wait("the list to be painted") { !$0.status.allSatisfy(\.isWhitespace) }
    return session
  }

  private init(_ workspace: Workspace) {
    self.workspace = workspace
    runner = CommandRunner(workspace: workspace)
    name = String(UUID().uuidString.prefix(6))
  }

  /// Moves to an item that is on the screen, from the first row down.
  func select(_ text: String, complete: Bool = false) async throws {
    let screen = try await wait("\(text) to be on the screen") { $0.shows(text, complete: complete) }
    try await press("g")
    for _ in 0..<(screen.index(of: text, complete: complete) ?? 0) { try await press("j") }
  }

  /// Adds an item with the editor of the list, and waits until it is one of the rows.
  func add(_ text: String) async throws {
    try await press("a")
    try await type(text)
    try await press("Enter")
    try await wait("\(text) to be added") { $0.shows(text) }
    // The next line is open: an empty one ends.
    try await press("Enter")
  }

  /// Presses keys by the names tmux has for them: `Enter`, `Space`, `F5`, `g`.
  func press(_ keys: String...) async throws {
    try await tmux(["send-keys"] + keys)
  }

  /// Types text as it stands.
  func type(_ text: String) async throws {
    try await tmux(["send-keys", "-l", "--", text])
  }

  /// Sends bytes as a terminal would, all at once.
  func send(_ bytes: String) async throws {
    try await send(Array(bytes.utf8))
  }

  func send(_ bytes: [UInt8]) async throws {
    try await tmux(["send-keys", "-H"] + bytes.map { String($0, radix: 16) })
  }

  /// Pastes text as a terminal does that marks what is pasted.
  func paste(_ text: String) async throws {
    try await tmux(["set-buffer", "-b", "pasted", "--", text])
    try await tmux(["paste-buffer", "-p", "-r", "-b", "pasted"])
  }

  func resize(columns: Int, rows: Int) async throws {
    try await tmux(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
  }

  func screen() async throws -> Screen {
    Screen(String(try await tmux(["capture-pane", "-p"]).dropLast()))
  }

  /// Waits until the screen is as the condition says, and gives it.
  @discardableResult
  func wait(_ what: String, until condition: (Screen) -> Bool) async throws -> Screen {
    var last = Screen("")
    return try await waitFor {
      last = try await screen()
      return condition(last) ? last : nil
    } otherwise: {
      "waited for \(what), but the screen is\n\(last)"
    }
  }

  /// Ends the program from outside.
  func signal(_ number: Int32) async throws {
    guard let pid = pid_t(try await fileText("pid")) else { throw Failure("the terminal has no program") }
    kill(pid, number)
  }

  /// How the program ended, as a shell has it: 128 and the signal's number for a signal.
  func exitStatus() async throws -> Int32 {
    guard let status = Int32(try await fileText("status")) else { throw Failure("no exit status") }
    return status
  }

  /// The terminal's own settings before the program and after it, as `stty -g` gives them.
  func settings() async throws -> (before: String, after: String) {
    (try await fileText("before"), try await fileText("after"))
  }

  /// The same before the program alone.
  func settingsBefore() async throws -> String { try await fileText("before") }

  /// What a program might have left switched on: the alternate screen, a hidden cursor, the mouse.
  func leftOn() async throws -> String {
    try await told("alternate #{alternate_on}, cursor #{cursor_flag}, mouse #{mouse_any_flag}, keypad #{keypad_flag}")
  }

  /// What tmux says of the terminal, in its own format.
  func told(_ format: String) async throws -> String {
    try await tmux(["display-message", "-p", format]).trimmingCharacters(in: .newlines)
  }

  func hasEnded() -> Bool { FileManager.default.fileExists(atPath: file("status")) }

  /// Takes the terminal away, with what runs in it.
  func close() { endServer() }
}

extension TerminalSession {
  private func file(_ suffix: String) -> String {
    workspace.path("tmux-\(name).\(suffix)")
  }

  private func fileText(_ suffix: String) async throws -> String {
    let path = file(suffix)
    return try await waitFor {
      let text = try? String(contentsOfFile: path, encoding: .utf8)
      return text.flatMap { $0.hasSuffix("\n") ? $0.trimmingCharacters(in: .newlines) : nil }
    } otherwise: {
      let screen = (try? await screen()).map { "\($0)" } ?? "none"
      return "no file of the terminal's \(suffix) came; its screen is\n\(screen)"
    }
  }

  @discardableResult
  private func tmux(_ words: [String]) async throws -> String {
    let outcome = try await runner.run(
      ["tmux", "-u", "-S", file("socket"), "-f", file("conf")] + words, environment: ["TERM": "xterm-256color"])
    guard outcome.status == 0 else { throw Failure("\(outcome)") }
    return outcome.output
  }

  private func endServer() {
    let child = try? ChildProcess(["tmux", "-S", file("socket"), "kill-server"], in: workspace)
    while let child, child.exitStatus() == nil { usleep(1000) }
  }

  /// The script notes who runs, how it ended and what it did to the terminal, and then keeps the terminal open.
  private func writeFiles() throws {
    try """
    set -g status off
    set -s escape-time 0
    set -g default-terminal screen-256color
    """.write(toFile: file("conf"), atomically: true, encoding: .utf8)
    try """
    note=$1; shift
    stty -g >"${note}before"
    sh -c 'echo $$ >"$0pid"; exec "$@"' "$note" "$@"
    status=$?
    stty -g >"${note}after"
    echo "$status" >"${note}status"
    stty raw -echo
    exec cat >/dev/null
    """.write(toFile: file("run"), atomically: true, encoding: .utf8)
  }
}
