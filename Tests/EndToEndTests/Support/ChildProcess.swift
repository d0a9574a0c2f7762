import Foundation
import Glibc

/// One program of ours, started in a process group of its own with default signals, its output in files.
///
/// Written on `posix_spawn` because the threads of tests have signals blocked, and a child started from them in the
/// usual way inherits that: it could then not be ended politely.
struct ChildProcess: Sendable {
  let pid: pid_t
  let outputFile: String
  let errorFile: String

  init(_ arguments: [String], in workspace: Workspace, environment: [String: String] = [:]) throws {
    let name = UUID().uuidString
    outputFile = workspace.path("output/\(name).out")
    errorFile = workspace.path("output/\(name).err")
    pid = try Self.spawn(
      arguments, environment: workspace.environment(environment), output: outputFile, error: errorFile)
  }

  var output: String { Self.text(outputFile) }
  var error: String { Self.text(errorFile) }

  /// How it ended, once it has: its exit status, or 128 and the signal's number as a shell has it. Ask until the
  /// answer comes, and not again after it.
  func exitStatus() -> Int32? {
    var status: Int32 = 0
    guard waitpid(pid, &status, WNOHANG) == pid else { return nil }
    return Self.meaning(status)
  }

  func signal(_ number: Int32) {
    kill(pid, number)
  }

  /// Ends it and all it started, and waits for it; harmless when it has ended.
  func destroy() {
    kill(-pid, SIGKILL)
    var status: Int32 = 0
    waitpid(pid, &status, 0)
  }

  private static func meaning(_ status: Int32) -> Int32 {
    let signal = status & 0x7f
    return signal == 0 ? (status >> 8) & 0xff : 128 + signal
  }

  private static func text(_ file: String) -> String {
    String(decoding: (try? Data(contentsOf: URL(fileURLWithPath: file))) ?? Data(), as: UTF8.self)
  }
}

extension ChildProcess {
  private static func spawn(
    _ arguments: [String], environment: [String: String], output: String, error: String
  ) throws -> pid_t {
    var files = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&files)
    defer { posix_spawn_file_actions_destroy(&files) }
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&files, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    posix_spawn_file_actions_addopen(&files, 2, error, O_WRONLY | O_CREAT | O_TRUNC, 0o600)

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    resetSignals(&attributes)

    var words = arguments.map { strdup($0) } + [nil]
    var settings = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for pointer in words + settings { free(pointer) } }
    var pid: pid_t = 0
    let problem = posix_spawnp(&pid, arguments[0], &files, &attributes, &words, &settings)
    guard problem == 0 else {
      throw Failure("\(arguments[0]) could not be started: \(String(cString: strerror(problem)))")
    }
    return pid
  }

  private static func resetSignals(_ attributes: inout posix_spawnattr_t) {
    var none = sigset_t()
    var all = sigset_t()
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
  }
}
