package import TableProtocol

/// The rules for a copy that a pulled page brings, and for a row that the server lacks.
extension TrackedRow {
  /// Applies a copy from a page. If `isOrdered`, the server shows rows in the order of `updatedAt`, so an older copy
  /// comes from a cache and is ignored. Otherwise the server's clock may have stepped back: a row at rest gets the
  /// copy, a conflict is judged again, and a waiting change is left to its request.
  package mutating func receive(page copy: Record, isOrdered: Bool) {
    receive(page: ServerSide(copy), isOrdered: isOrdered)
  }

  mutating func receive(page copy: ServerSide, isOrdered: Bool) {
    if isKnown(copy) { return }
    let isOlder = isOlder(copy)
    findAncestor(of: copy)
    if isAtRest {
      if isOlder && isOrdered { return }
      if !copy.isLive && local == nil { return }
      server = copy
      rest()
    } else if !isOlder || (isConflict && !isOrdered && !isMine(copy)) {
      // An older copy that equals mine ends no conflict: if it comes from a cache, the next page would replace mine by
      // theirs without a word; if not, the request with the answer finds out.
      _ = meet(copy, mayHaveArrived: true)
    }
  }

  /// True if the copy has the same columns as the row here.
  private func isMine(_ copy: ServerSide) -> Bool { local != nil && Columns.agree(local, completed(copy).live) }

  /// True if the server gave a copy of the row before that is later than this one, by more than this many milliseconds.
  func isAhead(of copy: ServerSide, byMoreThan milliseconds: Int64 = 0) -> Bool {
    !isKnown(copy) && isOlder(copy, byMoreThan: milliseconds)
  }

  /// The times of two servers say nothing about each other: no copy is older than one with a void version.
  private func isOlder(_ copy: ServerSide, byMoreThan milliseconds: Int64 = 0) -> Bool {
    guard there.version != Self.voidVersion, let time = copy.updatedAt else { return false }
    // A copy that a deletion replaced, or an older one, must not look like a revival (J5.1).
    if copy.isLive, let last = there.deletedAfter { return time <= last }
    return (there.updatedAt ?? server.updatedAt).map { time.advanced(byMilliseconds: milliseconds) < $0 } ?? false
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
