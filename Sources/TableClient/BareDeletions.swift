import OfflineSync

/// Deletions that a server which is not one of ours answered with nothing but 204. A sign-in page of a network may say
/// that to any request, so it counts only if the server has proven itself in the same push.
struct BareDeletions {
  private(set) var held: [SettledChange] = []
  /// True after an answer that only the server can give. Each answer of Ebb's server is one.
  private var isProven: Bool

  init(isOwnServer: Bool) {
    isProven = isOwnServer
  }

  /// Holds back deletions without a proof. Returns the other outcomes, and all that was held if one of them is a proof.
  mutating func hold(_ part: [SettledChange], of changes: [RemoteChange]) -> [SettledChange] {
    isProven = isProven || part.contains { $0.outcome.provesServer }
    guard isProven else {
      func isBare(_ settled: SettledChange) -> Bool {
        guard case .delete = changes[settled.index] else { return false }
        return settled.outcome == .success(.accepted(nil))
      }
      held += part.filter(isBare)
      return part.filter { !isBare($0) }
    }
    defer { held = [] }
    return held + part
  }

  /// Returns the outcomes that were held. If `prove` throws, they are failures that may have acted.
  func settled(_ prove: () throws(RemoteFailure) -> Void) -> [SettledChange] {
    do {
      try prove()
      return held
    } catch {
      return held.map { SettledChange(index: $0.index, outcome: .failure(error.afterActing)) }
    }
  }
}
