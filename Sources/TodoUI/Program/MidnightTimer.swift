import Dispatch
import FoundationEssentials
import Glibc
import TodoCore

/// Posts a tick at the end of the day by the clock on the wall. The terminal's waiting does not count the time in which
/// the machine sleeps, and knows nothing of a clock that is set: yesterday's list would stand until the next key.
final class MidnightTimer {
  private let inbox: Inbox
  /// The day at whose end there is a tick; nil for none.
  private var day: CalendarDay?
  private var timer: (any DispatchSourceTimer)?

  init(_ inbox: Inbox) {
    self.inbox = inbox
  }

  deinit {
    timer?.cancel()
  }

  /// Waits for the end of this day in place of the one before; for nil it waits no longer.
  func follow(_ day: CalendarDay?) {
    guard day != self.day else { return }
    self.day = day
    timer?.cancel()
    timer = day.map { tick(at: $0.end) }
  }

  private func tick(at moment: Date) -> any DispatchSourceTimer {
    let timer = DispatchSource.makeTimerSource(queue: DispatchQueue.global(qos: .utility))
    let seconds = Int(moment.timeIntervalSince1970.rounded(.up))
    timer.schedule(wallDeadline: DispatchWallTime(timespec: timespec(tv_sec: seconds, tv_nsec: 0)))
    timer.setEventHandler { [inbox] in inbox.post(.tick) }
    timer.activate()
    return timer
  }
}
