import OfflineSync
import TableProtocol

/// The second requests of changes that take two: an item is undeleted, and then gets its values. They are sent once the
/// first requests of all changes are answered.
struct SecondRequests {
  private var waiting: [(index: Int, change: RemoteChange)] = []

  var isEmpty: Bool { waiting.isEmpty }
  var changes: [RemoteChange] { waiting.map(\.change) }

  /// Holds back changes that the server has accepted the first half of. Returns the other outcomes.
  mutating func hold(
    _ part: [SettledChange], of changes: [RemoteChange], _ version: ProtocolVersion
  ) -> [SettledChange] {
    part.filter { settled in
      guard let rest = changes[settled.index].remainder(after: settled.outcome, version) else { return true }
      waiting.append((settled.index, rest))
      return false
    }
  }

  /// Returns outcomes of these requests as those of their changes. The first half was done, whatever became of the
  /// second.
  func settled(_ part: [SettledChange]) -> [SettledChange] {
    part.map { settled in
      SettledChange(index: waiting[settled.index].index, outcome: settled.outcome.mapError(\.afterActing))
    }
  }

  /// The outcomes if none of these requests is sent. The first half was done: the next push finds out.
  var stopped: [SettledChange] {
    let failure = RemoteFailure(.unreachable("stopped"), mayHaveActed: true)
    return waiting.map { SettledChange(index: $0.index, outcome: .failure(failure)) }
  }
}
