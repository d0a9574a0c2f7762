import Simulation

/// What the engine is known to do wrong: worlds that break a law for that reason are counted as known
/// issues, and all others fail. An entry goes when the engine is right; then its worlds hold.
struct KnownGap: Sendable {
  let law: Law
  let why: String
  /// True for a shortest story that tells of it.
  let matches: @Sendable ([Step]) -> Bool

  static let all = [
    KnownGap(law: .conflictsAreReal, why: "an item that the server deleted can't be added again (Q16)") { steps in
      !EngineAbilities.undeletes && steps.flatMap(\.all).contains { if case .undelete = $0 { true } else { false } }
    },
    KnownGap(
      law: .conflictsAreReal,
      why: "a change that was sent before is taken for unsent when a later attempt does not reach the server (Q10)"
    ) { steps in
      steps.flatMap(\.all).contains { step in
        guard case .weather(_, _, let weather) = step else { return false }
        return [.unreachable, .tooManyRequests, .unavailable].contains(weather)
      }
    },
  ]

  static func of(_ outcome: Outcome) -> KnownGap? {
    all.first { $0.law == outcome.violation?.law && $0.matches(outcome.story.steps) }
  }
}

extension Step {
  /// The step with those in the middle of a request.
  fileprivate var all: [Step] {
    if case .meanwhile(_, _, _, let steps) = self { [self] + steps.flatMap(\.all) } else { [self] }
  }
}
