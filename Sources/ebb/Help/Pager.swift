import FoundationEssentials
import Glibc
import Words

/// Shows a long text: on a terminal with `$PAGER`, else `less`; anywhere else, or without such a program, as it is.
enum Pager {
  /// `text` gets whether it is for a terminal that can show bold, and that terminal's width in columns.
  static func show(_ text: (Bool, Int) -> String) {
    let environment = EnvironmentVariables.ofProcess
    let isTerminal = isatty(STDOUT_FILENO) == 1
    let isCapable = isTerminal && !["", "dumb"].contains(environment["TERM"] ?? "")
    let text = text(isCapable, columns)
    let named = environment["PAGER"].flatMap { $0.isEmpty ? nil : $0 }
    if isCapable, page(text, with: named ?? "less") { return }
    StandardOutput.line(text)
  }

  /// The width of standard output; 80 if it is no terminal, or one narrower than 20 columns.
  static var columns: Int { StandardOutput.columns ?? 80 }

  /// False if there is no such program. The rest that it does not read, because its user has seen enough, is lost.
  private static func page(_ text: String, with pager: String) -> Bool {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return false }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // Ctrl-C belongs to the pager while it runs. A pager that ends early closes the pipe.
    signal(SIGINT, SIG_IGN)
    signal(SIGPIPE, SIG_IGN)
    // less ends at once if all is on the screen, shows bold, and leaves the screen as it is.
    setenv("LESS", "FRX", 0)
    guard let process = start(pager, input: ends[0]) else {
      for end in ends { close(end) }
      return false
    }
    close(ends[0])
    _ = OpenFile.write(Array((text + "\n").utf8), to: ends[1])
    close(ends[1])
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    return status != notFound
  }

  /// The status of a shell that does not find a command, as `waitpid` has it.
  private static let notFound: Int32 = 127 << 8

  private static func start(_ pager: String, input: Int32) -> pid_t? {
    var files = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&files)
    defer { posix_spawn_file_actions_destroy(&files) }
    posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    // A pager that is not there is no reason for a complaint: the text is shown without it.
    let script = "command -v ${1%% *} >/dev/null 2>&1 || exit 127; eval \"$1\""
    let words = ["sh", "-c", script, "sh", pager]
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var process: pid_t = 0
    return posix_spawn(&process, "/bin/sh", &files, &attributes, &arguments, environ) == 0 ? process : nil
  }
}
