import Foundation
import Glibc

/// The list under a shell with job control, and what the kernel knows of both.
struct RoughTerminal {
  let session: TerminalSession
  private let note: String
  private let device: String
  private let pid: pid_t
  private var stops = 0

  /// Starts a command as a person does who types its name. Without words that is the list: then it waits until that is
  /// painted.
  static func open(
    _ laptop: Device, _ words: [String] = [], number: Int, size: (columns: Int, rows: Int)
  ) async throws -> RoughTerminal {
    let script = laptop.workspace.path("rough-shell")
    try shell.write(toFile: script, atomically: true, encoding: .utf8)
    let note = laptop.workspace.path("rough-\(number).")
    let session = try await TerminalSession.open(
      laptop.workspace, ["sh", script, note] + (try laptop.words(words)), size: size)
    if words.isEmpty { try await session.wait("the list to be painted") { $0.isPainted } }
    let pid = try await waitFor {
      let written = try? String(contentsOfFile: note + "pid", encoding: .utf8)
      return written.flatMap { pid_t($0.trimmingCharacters(in: .newlines)) }
    } otherwise: {
      "the command did not start"
    }
    return RoughTerminal(session: session, note: note, device: try await session.told("#{pane_tty}"), pid: pid)
  }

  private init(session: TerminalSession, note: String, device: String, pid: pid_t) {
    (self.session, self.note, self.device, self.pid) = (session, note, device, pid)
  }

  var hasEnded: Bool { session.hasEnded() }
  var isStopped: Bool { FileManager.default.fileExists(atPath: note + "stopped.\(stops + 1)") }

  func signal(_ number: Int32) { kill(pid, number) }

  func waitUntilStopped() async throws {
    _ = try await waitFor {
      isStopped ? true : nil
    } otherwise: {
      "the list did not stop"
    }
  }

  /// The terminal's settings while the list is stopped.
  func settingsWhileStopped() throws -> String {
    try String(contentsOfFile: note + "stopped.\(stops + 1)", encoding: .utf8).trimmingCharacters(in: .newlines)
  }

  /// Has the shell take the list to the foreground again.
  mutating func goOn() throws {
    stops += 1
    try "".write(toFile: note + "go.\(stops)", atomically: true, encoding: .utf8)
  }

  /// Waits until the list has read all that was sent and its screen has come to rest, and gives the screen.
  func settle(_ size: (columns: Int, rows: Int)) async throws -> Screen {
    var last = Screen("")
    var rests = 0
    return try await waitFor {
      let screen = try await session.screen()
      if hasEnded || isStopped { return screen }
      rests = isIdle(size) && screen.atRest == last.atRest ? rests + 1 : 0
      last = screen
      return rests >= 3 ? screen : nil
    } otherwise: {
      "the screen does not come to rest:\n\(last)"
    }
  }

  /// The terminal has its size, the list has read all that was sent, and waits for something to happen.
  private func isIdle(_ size: (columns: Int, rows: Int)) -> Bool {
    let descriptor = Glibc.open(device, O_RDONLY | O_NOCTTY | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { Glibc.close(descriptor) }
    var unread: Int32 = 0
    guard ioctl(descriptor, UInt(FIONREAD), &unread) == 0, unread == 0 else { return false }
    let window = Self.window(of: descriptor)
    guard window.ws_col == size.columns, window.ws_row == size.rows else { return false }
    let state = try? String(contentsOfFile: "/proc/\(pid)/task/\(pid)/stat", encoding: .utf8)
    return state?.split(separator: ")").last?.hasPrefix(" S") == true
  }

  private static func window(of descriptor: Int32) -> winsize {
    var window = winsize()
    _ = ioctl(descriptor, UInt(TIOCGWINSZ), &window)
    return window
  }

  /// `set -m` gives the list a process group of its own, as an interactive shell does. Each time it is stopped the
  /// shell waits to be told to take it up again.
  private static let shell = """
    note=$1; shift
    set -m
    sh -c 'echo $$ >"$0pid"; exec "$@"' "$note" "$@"
    status=$?
    count=0
    while [ "$status" -eq 148 ] || [ "$status" -eq 147 ]; do
      count=$((count + 1))
      stty -g >"${note}stopping"
      mv "${note}stopping" "${note}stopped.$count"
      while [ ! -e "${note}go.$count" ]; do sleep 0.01; done
      fg >/dev/null 2>&1
      status=$?
    done
    exit "$status"
    """
}

extension Screen {
  /// The list is on it, or the word that there is no room for it.
  var isPainted: Bool {
    lines.first?.hasPrefix("too s") == true || lines.count >= 5 && !lines[lines.count - 1].isEmpty
  }

  func shows(words: String) -> Bool { lines.contains { $0.contains(words) } }

  /// Without what moves while a refresh runs: the rows with its spinner, the title among them.
  var atRest: [String] {
    lines.map { $0.contains(#/(^\s*|\s{2,})[|/\\-](\s|$)/#) ? "~" : $0 }
  }

  /// The text of an item is typed here.
  var isTyping: Bool {
    lines.last?.hasPrefix(" Enter save") == true
  }

  /// Keys are commands of the list here.
  var isHome: Bool {
    lines.last?.hasPrefix(" ? help") == true
  }
}
