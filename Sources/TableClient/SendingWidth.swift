import OfflineSync
import Synchronization

/// How many requests of a push are under way at once.
///
/// A server, or a proxy before it, may take only one or two connections from one address. It refuses or closes the
/// others, or answers them 503 or 429. Once that happens beside requests that were answered, fewer are made at once,
/// down to one, for as long as the program runs: the next push would meet the same limit.
final class SendingWidth: Sendable {
  /// Single requests, or batches to a server that acts on them in their order. It writes one batch while it reads the
  /// next, and the others are on the way.
  static let most = 6

  private let width = Mutex(SendingWidth.most)

  var current: Int { width.withLock(\.self) }

  /// Returns true if fewer requests at once may do what these did not.
  func narrow(after round: SendingRound) -> Bool {
    guard let narrower = round.narrowed else { return false }
    width.withLock { $0 = min($0, narrower) }
    return true
  }
}

/// The outcomes of requests that were made at once, until the first of them that failed ended the round.
struct SendingRound: Sendable, Hashable {
  /// Requests that were under way at once.
  let width: Int
  /// Requests that were answered.
  var answered = 0
  /// Requests that found no room, among those that were under way together.
  var failed = 0

  init(width: Int) { self.width = width }

  /// Returns the width of the next round; nil if the failures do not come from the number of requests.
  ///
  /// If all that were under way together failed, the server is gone for one request too. Else as many connections may
  /// be left as did not fail, and at most half of them are used.
  var narrowed: Int? {
    guard answered > 0, 1..<width ~= failed else { return nil }
    return max(1, min(width / 2, width - failed))
  }

  /// Counts an outcome. Returns its failure if the request had no answer, and its connection may have been one too
  /// many: whether it was shows at the end of the round.
  mutating func note(_ outcome: HTTPOutcome) -> RemoteFailure? {
    switch outcome {
    case .success(let answer):
      if answer.isOfFullServer { failed += 1 } else { answered += 1 }
      return nil
    case .failure(let failure):
      guard failure.mayBeOfFullServer else { return nil }
      failed += 1
      return failure
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
