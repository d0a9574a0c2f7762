package import FoundationEssentials

/// The time at which something happened, by both clocks. Passed in, so that tests have one of their own.
package struct Now: Equatable, Sendable {
  /// Milliseconds of a clock that nobody sets. Time spans are measured by it.
  package var uptime: Int
  /// By the clock people read.
  package var date: Date

  package init(uptime: Int = 0, date: Date = Date(timeIntervalSince1970: 0)) {
    self.uptime = uptime
    self.date = date
  }

  /// Of this machine.
  package static var system: Now {
    let time = ContinuousClock.now.duration(to: start)
    return Now(uptime: -Int(time / .milliseconds(1)), date: Date())
  }

  private static let start = ContinuousClock.now
}
