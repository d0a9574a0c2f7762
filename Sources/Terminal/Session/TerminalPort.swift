import Glibc

/// The two ends of the terminal and the wake pipe beside them: where either kind of session waits. Main thread only.
final class TerminalPort {
  let output: TerminalOutput
  let wake: Wake
  private let modes: TerminalModes
  private var input: TerminalInput

  /// Puts the terminal's line into raw mode. Keys are read where the modes are from.
  init(modes: TerminalModes, output: Int32, wake: Wake, keys: KeySequences, marksPastes: Bool = false) {
    self.output = TerminalOutput(output)
    self.modes = modes
    self.wake = wake
    input = TerminalInput(keys, marksPastes: marksPastes)
    ShortTurns.ask()
    modes.setRaw()
  }

  /// Hands over what is still to be written, and sets the line back as it was found.
  func close() {
    output.finish()
    modes.restore()
  }

  var size: Size { Size(ofTerminal: output.descriptor) }

  func reopen() {
    modes.setRaw()
  }

  /// Waits until something happens; nothing after `milliseconds`. Returns the signals that came, without repetition,
  /// and what a person did. It may come back with nothing at all before that, when the terminal has taken all output.
  func wait(milliseconds: Int32?) -> (signals: [Int32], events: [TerminalEvent]) {
    var descriptors = [
      pollfd(fd: modes.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: wake.readEnd, events: Int16(POLLIN), revents: 0),
      pollfd(fd: output.isIdle ? -1 : output.descriptor, events: Int16(POLLOUT), revents: 0),
    ]
    let ready = poll(&descriptors, 3, patience(milliseconds)) > 0
    if ready && descriptors[2].revents != 0 { output.push() }
    let signals = ready && descriptors[1].revents != 0 ? wake.signals() : []
    guard ready, descriptors[0].revents != 0 else { return (signals, input.pass(at: .now)) }
    guard let bytes = read() else { return (signals, [.gone]) }
    return (signals, input.take(bytes, at: .now))
  }

  /// As long as was asked for, or until what has come half has to be decided upon.
  private func patience(_ milliseconds: Int32?) -> Int32 {
    guard let deadline = input.deadline else { return milliseconds ?? -1 }
    let left = ContinuousClock.now.duration(to: deadline) / .milliseconds(1)
    let rounded = Int32(max(0, left.rounded(.up)))
    return min(rounded, milliseconds ?? rounded)
  }

  /// All that is here already, up to a measure, so that signals are heard in a flood. Nil when the terminal is gone.
  private func read() -> [UInt8]? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    repeat {
      let count = Glibc.read(modes.descriptor, &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      if count < 0 && errno == EAGAIN { return bytes }
      guard count > 0 else { return bytes.isEmpty ? nil : bytes }
      bytes += buffer[..<count]
    } while bytes.count < 65_536 && hasMore
    return bytes
  }

  private var hasMore: Bool {
    var available: Int32 = 0
    return ioctl(modes.descriptor, UInt(FIONREAD), &available) == 0 && available > 0
  }
}

/// Turns of the calling thread on a processor.
///
/// A thread that waits for keys works less than a millisecond for each. The scheduler of Linux (6.12 and later) gives a
/// thread whose turns are short a processor as soon as it wakes up; with turns of the usual length it waits for the end
/// of another thread's turn, up to 3 ms, while a sync and a server keep all processors busy. The thread's share of the
/// time is as before. See sched_setattr(2) and "EEVDF Scheduler" in the documentation of the kernel.
enum ShortTurns {
  /// In nanoseconds; the shortest that the kernel takes.
  private static let length: UInt64 = 100_000

  /// Asks for short turns for the calling thread, and not for the threads and programs that it starts later. Older
  /// kernels, and those that forbid it, leave everything as it is.
  static func ask() { Curses.askForTurns(of: length) }
}
