import TableProtocol

/// On what occasion a row changes: what is remembered of it follows from that.
struct Occasion {
  let origin: RowOrigin
  /// This device's clock.
  let now: Timestamp
  /// The person here made or decided it, and has seen the row.
  let isOwn: Bool
  /// The person here is told that it arrived.
  let isTold: Bool

  /// The person here changes something, or decides.
  static func own(_ now: Timestamp, _ origin: RowOrigin = .here) -> Occasion {
    Occasion(origin: origin, now: now, isOwn: true, isTold: false)
  }

  /// A sync changes something.
  static func sync(_ now: Timestamp, _ origin: RowOrigin = .server, isTold: Bool = true) -> Occasion {
    Occasion(origin: origin, now: now, isOwn: false, isTold: isTold)
  }

  func from(_ origin: RowOrigin) -> Occasion {
    Occasion(origin: origin, now: now, isOwn: isOwn, isTold: isTold)
  }
}
