import Glibc
import Synchronization

/// Restores the terminal when the program crashes, then lets the crash take its course.
///
/// A handler may call only what is async-signal-safe (POSIX.1-2017, 2.4.3): here `write`, `tcsetattr` and
/// `raise`. All they need is prepared beforehand and found through atomics.
enum CrashGuard {
  private static let signals = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE]
  private static let modes = Atomic<UInt>(0)
  private static let sequence = Atomic<UInt>(0)
  private static let length = Atomic<Int>(0)
  private static let output = Atomic<Int32>(STDOUT_FILENO)

  /// Remembers the terminal's modes. Has to be called before they are changed.
  static func rememberModes() {
    let memory = UnsafeMutablePointer<termios>.allocate(capacity: 1)
    memory.initialize(to: termios())
    guard tcgetattr(STDIN_FILENO, memory) == 0 else {
      memory.deallocate()
      return
    }
    modes.store(UInt(bitPattern: memory), ordering: .sequentiallyConsistent)
  }

  /// From now on a crash sends this sequence and sets the modes back. The prepared bytes live as long as the program.
  /// The descriptor is one that does not wait, or a terminal that takes nothing would keep the program from ending.
  static func arm(_ closing: [UInt8], descriptor: Int32) {
    let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: closing.count)
    _ = bytes.initialize(from: closing)
    sequence.store(UInt(bitPattern: bytes.baseAddress), ordering: .sequentiallyConsistent)
    output.store(descriptor, ordering: .sequentiallyConsistent)
    length.store(closing.count, ordering: .sequentiallyConsistent)
    useOwnStack()
    for signal in signals { handle(signal) }
  }

  /// The terminal is in order: a crash from now on leaves it alone.
  static func disarm() {
    length.store(0, ordering: .sequentiallyConsistent)
    modes.store(0, ordering: .sequentiallyConsistent)
  }

  /// `SA_RESETHAND` has put the default back when the handler runs, so that the second signal ends the program.
  private static func handle(_ signal: Int32) {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { signal in
      CrashGuard.restore()
      raise(signal)
    }
    action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND)) | SA_ONSTACK
    sigaction(signal, &action, nil)
  }

  private static func restore() {
    let count = length.exchange(0, ordering: .sequentiallyConsistent)
    if count > 0 {
      let bytes = UnsafeRawPointer(bitPattern: sequence.load(ordering: .sequentiallyConsistent))
      _ = write(output.load(ordering: .sequentiallyConsistent), bytes, count)
    }
    if let memory = UnsafePointer<termios>(bitPattern: modes.load(ordering: .sequentiallyConsistent)) {
      tcsetattr(STDIN_FILENO, TCSANOW, memory)
    }
  }

  /// A stack overflow leaves no room for a handler on the stack that overflowed. The main thread's only.
  private static func useOwnStack() {
    let size = 65_536
    var stack = stack_t()
    stack.ss_sp = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    stack.ss_size = size
    sigaltstack(&stack, nil)
  }
}
