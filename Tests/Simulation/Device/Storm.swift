import OfflineSync

/// What one request meets on its way.
struct Storm {
  /// Nil for fair weather.
  let weather: Weather?
  let world: World
  let changes: [RemoteChange]

  /// `refuse` is the answer of a server that will have none of the changes.
  func answer<Answer>(
    by party: Party, _ home: Home, act: () -> Answer, refuse: () -> Answer
  ) -> Result<Answer, RemoteFailure> {
    guard let weather else { return .success(act()) }
    world.faults += 1
    switch weather {
    case .unreachable: return .failure(RemoteFailure(.unreachable("name not found"), mayHaveActed: false))
    case .cutBeforeArrival: return .failure(Line.cut)
    case .cutBeforeAnswer:
      _ = act()
      return .failure(Line.cut)
    case .delayed:
      world.delayed += changes.map { ($0, party, home) }
      return .failure(Line.cut)
    case .twiceFirstAnswer:
      let answer = act()
      _ = act()
      return .success(answer)
    case .twiceSecondAnswer:
      _ = act()
      return .success(act())
    case .tooManyRequests: return .failure(RemoteFailure(.busy(status: 429, retryAfter: 1), mayHaveActed: false))
    case .unavailable: return .failure(RemoteFailure(.busy(status: 503, retryAfter: nil), mayHaveActed: false))
    case .failureAfterActing:
      _ = act()
      return .failure(RemoteFailure(.serverError(status: 500, message: "oops"), mayHaveActed: true))
    case .refused: return .success(refuse())
    case .signInNeeded: return .failure(RemoteFailure(.signInNeeded, mayHaveActed: false))
    case .portal: return .failure(RemoteFailure(.notTheServer("text/html"), mayHaveActed: true))
    case .notAllowed: return .failure(RemoteFailure(.notAllowed, mayHaveActed: false))
    }
  }
}
