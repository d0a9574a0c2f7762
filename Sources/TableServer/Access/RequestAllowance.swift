import Synchronization
import TableProtocol
import TableStorage

/// How many requests each sender may make: so many at once, and so many more with each second. A batch counts by its
/// entries.
final class RequestAllowance: Sendable {
  /// Who sends requests. A user has one allowance, whatever devices it uses; so has an address, whoever is behind it.
  enum Sender: Hashable, Sendable {
    case user(UserName)
    case address(NetworkAddress)
    /// All whose address a proxy hides, or says in a form that can't be read.
    case hidden
  }

  /// Senders that are remembered. If there are more, those that have their whole allowance again are forgotten, and all
  /// if there are none.
  private static let mostSenders = 10_000

  private let atOnce: Double
  private let aSecond: Double
  private let state: Mutex<[Sender: Rest]> = Mutex([:])

  /// The rest of an allowance, at a moment.
  private struct Rest: Sendable {
    var requests: Double
    var moment: Timestamp
  }

  init(atOnce: Int, aSecond: Int) {
    self.atOnce = Double(max(atOnce, 1))
    self.aSecond = Double(max(aSecond, 1))
  }

  /// Takes so many requests of each sender's allowance. If one has not so many left, nothing is taken, and the seconds
  /// until it has are returned.
  func take(_ count: Int = 1, of senders: [Sender], at now: Timestamp) -> Int? {
    // More than all of an allowance would never be let in.
    let count = min(Double(count), atOnce)
    return state.withLock { state in
      var wait = 0.0
      for sender in senders { wait = max(wait, (count - rest(of: sender, in: state, now)) / aSecond) }
      guard wait <= 0 else { return Int(wait.rounded(.up)) }
      if state.count >= Self.mostSenders { forget(&state, now) }
      for sender in senders {
        state[sender] = Rest(requests: rest(of: sender, in: state, now) - count, moment: now)
      }
      return nil
    }
  }

  private func rest(of sender: Sender, in state: [Sender: Rest], _ now: Timestamp) -> Double {
    state[sender].map { rest($0, now) } ?? atOnce
  }

  /// A clock that steps back gives nothing and takes nothing.
  private func rest(_ rest: Rest, _ now: Timestamp) -> Double {
    let passed = Double(max(now.milliseconds - rest.moment.milliseconds, 0)) / 1_000
    return min(atOnce, rest.requests + passed * aSecond)
  }

  private func forget(_ state: inout [Sender: Rest], _ now: Timestamp) {
    state = state.filter { rest($0.value, now) < atOnce }
    if state.count >= Self.mostSenders { state.removeAll() }
  }
}
