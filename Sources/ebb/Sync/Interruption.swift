import Dispatch
import Glibc
import Synchronization

/// Ctrl-C and Ctrl-Z while a sync runs.
///
/// The first Ctrl-C asks what runs to end at a safe point; the next, or one while nothing runs, ends the program as
/// usual. Ctrl-Z asks the same before the program is stopped: a stopped program must not keep the sync lock, for every
/// other one would wait. Where the program was started with a signal ignored it stays so.
final class Interruption: Sendable {
  /// The work that runs.
  private struct Work: Sendable {
    /// Asks it to end at a safe point. Asking again does no harm.
    let cancel: @Sendable () -> Void
    /// Ctrl-C asked it to end: it is not begun again.
    var isInterrupted = false
    /// The last stop of the program since the work began. It asked the work to end, too.
    var stop: Stop?
  }

  /// The signals between two threads about one stop of the program.
  private struct Stop: Sendable {
    let isIdle = DispatchSemaphore(value: 0)
    let isOver = DispatchSemaphore(value: 0)
  }

  /// Nil if none runs. It stays here until it has ended, whoever asked it to: until then it may have the sync lock.
  private let work = Mutex<Work?>(nil)
  private let queue = DispatchQueue(label: "ebb.interruption")

  /// Main thread, before others are begun: they inherit that the signals wait for whoever asks for them.
  init() {
    let numbers = [SIGINT, SIGTSTP].filter { !Self.isIgnored($0) }
    guard !numbers.isEmpty else { return }
    Self.mask(SIG_BLOCK, numbers)
    queue.async { self.listen(to: numbers) }
  }

  /// Runs work that `cancel` ends at a safe point. Returns true if it was ended for a stop of the program, and not by
  /// Ctrl-C too. Then the program goes on by now, and the work may be begun again.
  func whileWaiting(cancel: @escaping @Sendable () -> Void, _ body: () -> Void) -> Bool {
    work.withLock { $0 = Work(cancel: cancel) }
    body()
    let ended = work.withLock { work in
      defer { work = nil }
      return work
    }
    guard let ended, let stop = ended.stop else { return false }
    stop.isIdle.signal()
    // If the work began again before the stop, it would have the lock once more.
    stop.isOver.wait()
    return !ended.isInterrupted
  }

  private func listen(to numbers: [Int32]) {
    var signals = Self.set(of: numbers)
    var number: Int32 = 0
    while sigwait(&signals, &number) == 0 {
      if number == SIGTSTP {
        stopProgram()
      } else if let cancel = interrupt() {
        cancel()
      } else {
        break
      }
    }
    signal(SIGINT, SIG_DFL)
    Self.mask(SIG_UNBLOCK, [SIGINT])
    raise(SIGINT)
  }

  /// Notes that Ctrl-C was pressed, and returns how to end the work. Nil if none runs, or if Ctrl-C came before.
  private func interrupt() -> (@Sendable () -> Void)? {
    work.withLock { work in
      guard let running = work, !running.isInterrupted else { return nil }
      work?.isInterrupted = true
      return running.cancel
    }
  }

  /// How long work that runs may put off Ctrl-Z: milliseconds.
  private static let longestStop = 2_000

  /// Returns when the program goes on, or at once where nobody could continue it.
  private func stopProgram() {
    let stop = Stop()
    let cancel = work.withLock { work in
      work?.stop = stop
      return work?.cancel
    }
    if let cancel {
      cancel()
      _ = stop.isIdle.wait(timeout: .now() + .milliseconds(Self.longestStop))
    }
    // Ctrl-Z may have been pressed again meanwhile, and that signal waits too. Both are there before either stops the
    // program: then the signal that continues it discards the other one.
    raise(SIGTSTP)
    Self.mask(SIG_UNBLOCK, [SIGTSTP])
    Self.mask(SIG_BLOCK, [SIGTSTP])
    stop.isOver.signal()
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    sigaction(number, nil, &action)
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == ignored
  }

  private static let ignored = 1

  private static func set(of numbers: [Int32]) -> sigset_t {
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in numbers { sigaddset(&signals, number) }
    return signals
  }

  private static func mask(_ how: Int32, _ numbers: [Int32]) {
    var signals = set(of: numbers)
    pthread_sigmask(how, &signals, nil)
  }
}
