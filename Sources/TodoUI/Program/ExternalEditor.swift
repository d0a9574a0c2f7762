import FoundationEssentials
import Glibc
import TodoCore
package import Words

/// The outcome of opening a text in an editor of the user's own.
package enum EditedText: Equatable, Sendable {
  /// The file as it was saved, without a byte order mark.
  case text(String)
  /// There is no such program.
  case missing(editor: String)
  /// It ended with an error. The text that it wrote is kept there; nil if it wrote nothing.
  case failed(editor: String, keptAt: String?)
  /// It left bytes that are not UTF-8, which are kept there.
  case notUTF8(editor: String, keptAt: String)
  /// The file could not be made in this folder.
  case noFile(folder: String)
}

/// Opens a text in `$VISUAL` or `$EDITOR`, as git and crontab do, and waits until the editor ends. The terminal must be
/// given to it before.
package struct ExternalEditor {
  private let editor: String
  private let folder: String

  package var name: String { editor }
  /// The user has named one: it may do its work without a terminal too.
  package let isNamed: Bool

  package init(_ environment: EnvironmentVariables) {
    let named = ["VISUAL", "EDITOR"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    isNamed = named != nil
    editor = named ?? "vi"
    folder = environment["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
  }

  /// `opening` is called with the path of the file before the editor begins.
  package func edit(_ text: String, opening: (String) -> Void = { _ in }) -> EditedText {
    guard let path = file(with: text + "\n") else { return .noFile(folder: folder) }
    opening(path)
    let status = run(path)
    let isThere = access(path, F_OK) == 0
    let saved = isThere ? try? Data(contentsOf: URL(filePath: path)) : Data()
    let isChanged = saved != Data((text + "\n").utf8)
    if status == 0, let saved {
      guard let written = String(ofFile: saved) else { return .notUTF8(editor: editor, keptAt: path) }
      remove(path)
      return .text(written)
    }
    if !isThere || !isChanged { remove(path) }
    if status == ExternalProgram.notFound, !isChanged { return .missing(editor: editor) }
    return .failed(editor: editor, keptAt: isThere && isChanged ? path : nil)
  }

  /// Leaves a text in a file of its own, as one that an editor wrote. Returns its path; nil if it can't be written.
  package func keep(_ text: String) -> String? { file(with: text) }

  /// Opens a file that is there already. Returns as `ExternalProgram.run` does.
  package func open(_ path: String) -> Int32 { run(path) }

  /// A file in a folder of its own that nobody else can read; its ending lets editors choose their mode.
  private func file(with text: String) -> String? {
    var template = Array((folder + "/ebb-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else { return nil }
    let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self) + "/item.txt"
    do {
      try Data(text.utf8).write(to: URL(filePath: path), options: .withoutOverwriting)
    } catch {
      remove(path)
      return nil
    }
    return path
  }

  private func remove(_ path: String) {
    unlink(path)
    rmdir(String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.endIndex)))
  }

  /// The exit status, or 128 and the signal that ended it. The shell takes the options that stand beside the program's
  /// name.
  private func run(_ path: String) -> Int32 {
    Shell.run(["-c", editor + " \"$@\"", "editor", path])
  }
}

/// Opens an address in a program of the user's own, as the desktop does.
struct LinkOpener {
  private let opener: String?

  /// Without a screen there is none, unless `$BROWSER` names one.
  init(_ environment: [String: String]) {
    let named = environment["BROWSER"].flatMap { $0.isEmpty ? nil : $0 }
    let hasScreen = ["DISPLAY", "WAYLAND_DISPLAY"].contains { environment[$0]?.isEmpty == false }
    opener = named ?? (hasScreen ? "xdg-open" : nil)
  }

  /// Returns at once; false when there is no such program. The address is an argument of it and no part of a command.
  func open(_ link: String) -> Bool {
    guard let opener else { return false }
    let script = "command -v \"$0\" >/dev/null 2>&1 || exit 127; \"$0\" \"$1\" </dev/null >/dev/null 2>&1 &"
    return Shell.run(["-c", script, opener, link]) == 0
  }
}

/// Another program, found by its name.
package enum ExternalProgram {
  /// The exit status of a shell that does not find the command.
  package static let notFound: Int32 = 127

  /// Waits until it ends. Returns its exit status, 127 if there is none of this name, or 128 and the signal that ended
  /// it.
  package static func run(_ name: String, _ arguments: [String]) -> Int32 {
    let script = "command -v \"$0\" >/dev/null 2>&1 || exit 127; exec \"$0\" \"$@\" </dev/null >/dev/null 2>&1"
    return Shell.run(["-c", script, name] + arguments)
  }
}

private enum Shell {
  /// The exit status, or 128 and the signal that ended it.
  static func run(_ words: [String]) -> Int32 {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var (none, all) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var files = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&files)
    defer { posix_spawn_file_actions_destroy(&files) }
    for file in ownFiles() { posix_spawn_file_actions_addclose(&files, file) }
    let words = ["sh"] + words
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var process: pid_t = 0
    guard posix_spawn(&process, "/bin/sh", &files, &attributes, &arguments, environ) == 0 else { return 127 }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + (status & 0x7F)
  }

  /// All open files but the terminal. A browser would keep the connection to the server open for as long as it runs.
  private static func ownFiles() -> [Int32] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
    return (names ?? []).compactMap { Int32($0) }.filter { $0 > STDERR_FILENO }
  }
}
