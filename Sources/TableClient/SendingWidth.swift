import OfflineSync
import Synchronization

/// How many requests of a push are under way at once.
///
/// A server, or a proxy before it, may take only one or two connections from one address. It refuses or closes the
/// others, or answers them 503 or 429. If failures may come from that, fewer requests are made at once, down to one.
/// Pushes without a failure widen them again, as a network that was gone for a moment looks the same.
final class SendingWidth: Sendable {
  /// Single requests, or batches to a server that acts on them in their order. It writes one batch while it reads the
  /// next, and the others are on the way.
  static let most = 6
  /// The most pushes without a failure that it takes to widen once.
  static let longestPatience = 64

  private struct State {
    var width = SendingWidth.most
    /// Pushes without a failure that it takes to widen. Doubles each time, so that a limit that stays is seldom met.
    var patience = 0
    /// Pushes without a failure since the width changed.
    var pushes = 0
  }

  private let state = Mutex(State())

  var current: Int { state.withLock(\.width) }

  /// Returns true if the failures may come from too many requests at once. Returns false too if that can't be known and
  /// no request of the round can be repeated, which would show it: only the next push is narrower then.
  func narrow(after round: SendingRound) -> Bool {
    switch round.verdict {
    case .otherCause: return false
    case .tooMany(let narrower):
      narrow(to: narrower)
      return true
    case .unclear(let narrower):
      narrow(to: narrower)
      return round.outcomes.contains(.unsent)
    }
  }

  /// Widens after a push without a failure that made as many requests at once as it may.
  func noteFullPush() {
    state.withLock { state in
      guard state.width < Self.most else {
        state.patience = 0
        return
      }
      state.pushes += 1
      guard state.pushes >= state.patience else { return }
      (state.width, state.pushes) = (min(Self.most, state.width * 2), 0)
    }
  }

  private func narrow(to narrower: Int) {
    state.withLock { state in
      state.width = min(state.width, narrower)
      (state.patience, state.pushes) = (min(Self.longestPatience, max(1, state.patience * 2)), 0)
    }
  }
}

/// The outcomes of requests in the order of sending. As many as the width are under way at once. After the first
/// failure no more are made, and the round ends with the outcomes of those that are under way.
struct SendingRound: Sendable {
  enum Outcome: Sendable, Hashable {
    case answered
    /// The server, or a proxy before it, takes no more requests for now.
    case turnedAway
    /// No answer, and the server surely did not act.
    case unsent
    /// No answer, and the server may have acted.
    case lost
    /// A failure that does not come from the number of requests.
    case failedOtherwise
  }

  enum Verdict: Sendable, Hashable {
    /// No failure, or none that comes from the number of requests.
    case otherCause
    /// The server answered some while it had no room for others.
    case tooMany(narrower: Int)
    /// The server has no room for more, or it is gone since it gave the last answer.
    case unclear(narrower: Int)
  }

  /// Requests that may be under way at once.
  let width: Int
  private(set) var outcomes: [Outcome] = []

  init(width: Int, _ outcomes: [Outcome] = []) {
    self.width = width
    self.outcomes = outcomes
  }

  var hasFailures: Bool { !outcomes.allSatisfy { $0 == .answered } }

  /// As many requests were made as may be under way at once.
  var isFull: Bool { outcomes.count >= width }

  /// Says whether the failures come from the number of requests.
  ///
  /// A server with room for some answers the first requests of a round and fails the others. Each answer makes room for
  /// one more request, which is answered too: so an answer after the first failure shows that the server is there.
  /// Without one the server is gone, unless all requests left before the first answer came: then both look the same.
  var verdict: Verdict {
    guard width > 1, let first = outcomes.firstIndex(where: { $0 != .answered }),
      !outcomes.contains(.failedOtherwise)
    else { return .otherCause }
    if outcomes[first...].contains(.answered) { return .tooMany(narrower: narrower) }
    return first > 0 && outcomes.count <= width ? .unclear(narrower: narrower) : .otherCause
  }

  /// As many connections may be left as did not fail, and at most half of them are used. Requests that never left say
  /// nothing about that: the client fails all that wait for a connection once one is refused.
  private var narrower: Int {
    let failed = outcomes.count(where: { $0 == .turnedAway || $0 == .lost })
    return max(1, min(width / 2, width - failed))
  }

  /// Notes an outcome. Returns its failure if the request had no answer, and its connection may have been one too
  /// many: whether it was shows at the end of the round.
  mutating func note(_ outcome: HTTPOutcome) -> RemoteFailure? {
    switch outcome {
    case .success(let answer):
      outcomes.append(answer.isOfFullServer ? .turnedAway : .answered)
      return nil
    case .failure(let failure) where failure.mayBeOfFullServer:
      outcomes.append(failure.mayHaveActed ? .lost : .unsent)
      return failure
    case .failure:
      outcomes.append(.failedOtherwise)
      return nil
    }
  }
}

extension ServerAnswer {
  /// True if the server, or a proxy before it, takes no more requests for now.
  fileprivate var isOfFullServer: Bool {
    guard [429, 503].contains(status), case .busy = RemoteFailure(answer: self).reason else { return false }
    return true
  }
}

extension RemoteFailure {
  /// True if a server that has enough connections treats a further one so.
  fileprivate var mayBeOfFullServer: Bool {
    guard case .unreachable(_, let kind?) = reason else { return false }
    return switch kind {
    case .refused, .cut, .tls, .timedOut, .silent: true
    case .noName, .noRoute: false
    }
  }
}
