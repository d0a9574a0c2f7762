import Glibc
import Synchronization

/// Turns signals into bytes on the wake pipe, so that they are dealt with on the main thread, between two frames.
enum SignalRelay {
  private static let target = Atomic<Int32>(-1)
  private static let relayed = [
    SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGUSR1, SIGUSR2, SIGTSTP, SIGCONT, SIGWINCH,
  ]

  /// Has to come before ncurses starts: it leaves alone what is handled already.
  static func start(_ wake: Wake) {
    target.store(wake.writeEnd, ordering: .sequentiallyConsistent)
    for signal in relayed { handle(signal) }
  }

  /// Every signal does again what it does by default.
  static func stop() {
    for signal in relayed { setDefault(signal) }
    target.store(-1, ordering: .sequentiallyConsistent)
  }

  /// Another program has the terminal: what is typed there to stop or end a program is for that one.
  static func pause() {
    stop()
    for signal in [SIGINT, SIGQUIT] { ignore(signal) }
  }

  private static func ignore(_ signal: Int32) {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = SIG_IGN
    sigaction(signal, &action, nil)
  }

  /// Stops this program and those it shares the terminal with, as Ctrl-Z does where the terminal sees to it
  /// itself. Returns when it is continued, or at once when nobody could continue it.
  static func stopJob(_ wake: Wake) {
    setDefault(SIGTSTP)
    kill(0, SIGTSTP)
    // Another thread may take the signal: wait until the stop is over before touching the terminal.
    var descriptor = pollfd(fd: wake.readEnd, events: Int16(POLLIN), revents: 0)
    poll(&descriptor, 1, 100)
    handle(SIGTSTP)
  }

  private static func handle(_ signal: Int32) {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { signal in
      Wake.send(UInt8(truncatingIfNeeded: signal), to: SignalRelay.target.load(ordering: .relaxed))
    }
    action.sa_flags = SA_RESTART
    sigaction(signal, &action, nil)
  }

  private static func setDefault(_ signal: Int32) {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = SIG_DFL
    sigaction(signal, &action, nil)
  }
}
