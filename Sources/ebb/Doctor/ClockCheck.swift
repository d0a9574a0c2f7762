import TableClient
import Words

/// Whether the server's clock and ours tell the same time.
struct ClockCheck {
  let probe: ServerProbe

  /// In milliseconds.
  private static let tolerated: Int64 = 300_000

  func run(_ report: (Finding) -> Void) {
    guard let clock = probe.remote.clock else {
      if probe.wasAnswered { report(.ok(.clock, .clockUntold)) }
      return
    }
    let apart = abs(clock.ahead)
    guard apart > Self.tolerated else {
      return report(.ok(.clock, .clockRight, ["seconds": String(apart / 1_000)]))
    }
    let minutes = ErrorMessages.catalogue.number(Int(apart / 60_000))
    report(.warn(.clock, clock.ahead > 0 ? .clockAhead : .clockBehind, ["minutes": minutes]))
  }
}
