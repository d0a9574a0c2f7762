package import TableProtocol

/// What a pulled page says about a row.
extension TrackedRow {
  /// Takes a copy that a page brought. `isOrdered` says that the server's rows become visible in the order of their
  /// times, so that an older copy can only come from a cache. Without that its clock may have stepped back. A change
  /// that waits finds out by its request which copy is the newer one; a conflict makes no request.
  package mutating func receive(page copy: Record, isOrdered: Bool) {
    let copy = ServerSide(copy)
    if isKnown(copy) { return }
    let isOlder = isOlder(copy)
    if isAtRest {
      if isOlder && isOrdered { return }
      if !copy.isLive && local == nil { return }
      server = copy
      rest()
    } else if !isOlder || (isConflict && !isOrdered) {
      _ = meet(copy, mayHaveArrived: true)
    }
  }

  /// True if the server gave a copy of the row before that is later than this one.
  func isAhead(of copy: Record) -> Bool {
    let side = ServerSide(copy)
    guard !isKnown(side) else { return false }
    return isOlder(side)
  }

  /// The times of two servers say nothing about each other: no copy is older than one with a void version.
  private func isOlder(_ copy: ServerSide) -> Bool {
    guard there.version != Self.voidVersion, let time = copy.updatedAt, let known = there.updatedAt ?? server.updatedAt
    else {
      return false
    }
    return time < known
  }

  /// No write and no news for a copy that is here already (P4).
  private func isKnown(_ copy: ServerSide) -> Bool {
    guard copy.version != nil else { return false }
    return copy.isSameCopy(as: server) || ((underWay != nil || isAboutLost) && copy.isSameCopy(as: base))
  }

  /// A complete comparison, all of whose pages moved on, did not find the row on the server.
  package mutating func receiveAbsence() {
    if isAtRest {
      guard local != nil else { return }
      server = .unknown
      rest()
      return
    }
    switch attention {
    case .conflict where isAboutLost:
      base = .unknown
      return
    case .conflict: return meetWaiting(.unknown)
    case .held where local != nil:
      // The question is the same. The row is not even there now.
      base = .unknown
      server = .unknown
      return
    case .held, .refused, nil: break
    }
    switch base {
    case .known:
      _ = meet(.unknown, mayHaveArrived: true)
    case .tombstone, .unknown:
      if underWay == nil {
        base = .unknown
        server = .unknown
      }
    case .never:
      // An insert that nobody has yet proves nothing: it may be on its way.
      break
    }
  }
}
