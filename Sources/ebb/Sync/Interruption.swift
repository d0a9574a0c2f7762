import Dispatch
import Glibc
import Synchronization

/// Ctrl-C: the first asks what runs to end at a safe point; the next, or one while nothing runs, ends the program as
/// usual. Where the program was started with the signal ignored it stays so.
final class Interruption: Sendable {
  private let cancel = Mutex<(@Sendable () -> Void)?>(nil)
  private let queue = DispatchQueue(label: "ebb.interruption")

  /// Main thread, before others are begun: they inherit that the signal waits for whoever asks for it.
  init() {
    var before = sigaction()
    sigaction(SIGINT, nil, &before)
    guard unsafeBitCast(before.__sigaction_handler.sa_handler, to: Int.self) != Self.ignored else { return }
    Self.mask(SIG_BLOCK)
    queue.async { self.listen() }
  }

  func whileWaiting(cancel: @escaping @Sendable () -> Void, _ body: () -> Void) {
    self.cancel.withLock { $0 = cancel }
    body()
    self.cancel.withLock { $0 = nil }
  }

  private func listen() {
    var signals = Self.signals
    var number: Int32 = 0
    while sigwait(&signals, &number) == 0, let cancel = take() { cancel() }
    signal(SIGINT, SIG_DFL)
    Self.mask(SIG_UNBLOCK)
    raise(SIGINT)
  }

  /// Returns the work to cancel, once.
  private func take() -> (@Sendable () -> Void)? {
    cancel.withLock { cancel in
      defer { cancel = nil }
      return cancel
    }
  }

  private static let ignored = 1

  private static var signals: sigset_t {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    return signals
  }

  private static func mask(_ how: Int32) {
    var signals = signals
    pthread_sigmask(how, &signals, nil)
  }
}
