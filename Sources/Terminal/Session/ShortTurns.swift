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
