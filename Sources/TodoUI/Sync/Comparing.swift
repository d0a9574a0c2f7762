import OfflineSync

/// The comparison of everything with the server. Its user ends it for good, and a stop of the program for a while.
struct Comparing: Equatable, Sendable {
  private enum State: Equatable, Sendable {
    case running
    /// It is on its way to a safe point, and may be started again after it.
    case ending(again: Bool)
  }

  /// Nil if none runs.
  private var state: State?

  mutating func start() -> [Effect] {
    switch state {
    case nil:
      state = .running
      return [.sync(.verify)]
    case .running: return []
    case .ending:
      state = .ending(again: true)
      return []
    }
  }

  /// The user wants none any more.
  mutating func stop() -> [Effect] {
    if case .ending = state { state = .ending(again: false) }
    return end(again: false)
  }

  /// The program is about to be stopped.
  mutating func suspend() -> [Effect] { end(again: true) }

  /// A comparison that is ending already stays what it was.
  private mutating func end(again: Bool) -> [Effect] {
    guard state == .running else { return [] }
    state = .ending(again: again)
    return [.sync(.stopVerifying)]
  }

  /// It ended. Returns true if it must be started again: it may have come to its end before it met the cancellation.
  mutating func finish(_ outcome: Result<TableVerification, SyncFailure>) -> Bool {
    defer { state = nil }
    return state == .ending(again: true) && outcome == .failure(.cancelled)
  }
}
