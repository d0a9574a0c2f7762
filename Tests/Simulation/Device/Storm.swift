import OfflineSync
import TableProtocol

/// What one request meets on its way.
struct Storm {
  /// Nil for fair weather.
  let weather: Weather?
  let world: World
  let changes: [RemoteChange]
  let meant: Meant

  /// `refuse` is the answer of a server that will have none of the changes; nil for a question, which it answers.
  func answer<Answer>(
    by party: Party, _ home: Home, act: () throws(RemoteFailure) -> Answer,
    refuse: (() throws(RemoteFailure) -> Answer)?
  ) -> Result<Answer, RemoteFailure> {
    func acted() -> Result<Answer, RemoteFailure> { Result { () throws(RemoteFailure) in try act() } }
    guard let weather else { return acted() }
    world.trace?.append("      it meets \(weather)")
    world.faults += 1
    switch weather {
    case .unreachable: return .failure(RemoteFailure(.unreachable("name not found"), mayHaveActed: false))
    case .cutBeforeArrival: return .failure(Line.cut)
    case .cutBeforeAnswer:
      _ = acted()
      return .failure(Line.cut)
    case .delayed:
      world.delayed += changes.map { World.Delayed(change: $0, party: party, home: home, meant: meant) }
      return .failure(Line.cut)
    case .twiceFirstAnswer:
      let answer = acted()
      _ = acted()
      return answer
    case .twiceSecondAnswer:
      _ = acted()
      return acted()
    case .tooManyRequests: return .failure(RemoteFailure(.busy(status: 429, retryAfter: 1), mayHaveActed: false))
    case .unavailable: return .failure(RemoteFailure(.busy(status: 503, retryAfter: nil), mayHaveActed: false))
    case .failureAfterActing:
      _ = acted()
      return .failure(RemoteFailure(.serverError(status: 500, message: "oops"), mayHaveActed: true))
    case .refused:
      guard let refuse else { return acted() }
      return Result { () throws(RemoteFailure) in try refuse() }
    case .signInNeeded: return .failure(RemoteFailure(.signInNeeded, mayHaveActed: false))
    case .portal: return .failure(RemoteFailure(.notTheServer("text/html"), mayHaveActed: true))
    case .notAllowed: return .failure(RemoteFailure(.notAllowed, mayHaveActed: false))
    }
  }
}
