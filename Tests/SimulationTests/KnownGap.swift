import Simulation

/// What the engine is known to do wrong: worlds that break a law for that reason are counted as known
/// issues, and all others fail. An entry goes when the engine is right; then its worlds hold.
struct KnownGap: Sendable {
  let laws: Set<Law>
  let why: String
  /// True for a shortest story that tells of it.
  let matches: @Sendable ([Step]) -> Bool

  static let all = [
    KnownGap(
      laws: [.conflictsAreReal, .nothingLost],
      why: "an item that was deleted on the server is added again as if it were new (seeds 20048, 20527)"
    ) { $0.contains { if case .undelete = $0 { true } else { false } } },
    KnownGap(
      laws: [.versions, .agreement],
      why: "a shadow older than the copy a change was merged with is put in the row's place (seed 372)"
    ) { $0.contains { if case .revert = $0 { true } else { false } } },
    KnownGap(
      laws: [.conflictsAreReal, .nothingLost],
      why: "a change attempted before is thawed by a failure that only concerns the next attempt (seeds 20479, 22329)",
      matches: { $0.contains(where: \.losesAnswers) }),
    KnownGap(
      laws: [.nothingLost],
      why: "what was sent is taken for an ancestor of the server's copy though it may never have arrived (seed 134)",
      matches: { $0.contains(where: \.losesAnswers) }),
  ]

  static func of(_ outcome: Outcome) -> KnownGap? {
    guard let law = outcome.violation?.law else { return nil }
    return all.first { $0.laws.contains(law) && $0.matches(outcome.story.steps.flatMap(\.all)) }
  }
}

extension Step {
  /// The step with those in the middle of a request.
  fileprivate var all: [Step] {
    if case .meanwhile(_, _, _, let steps) = self { [self] + steps.flatMap(\.all) } else { [self] }
  }

  fileprivate var losesAnswers: Bool {
    switch self {
    case .weather, .crash: true
    default: false
    }
  }
}
