extension Story {
  /// The shortest story found that breaks the same law: parts are left out, and what was to happen later
  /// happens at once, for as long as it does.
  package func shortest(
    breaking law: Law, breakage: Breakage = .none, code: (any ServerCode)? = nil
  ) -> Outcome {
    var best = self
    while true {
      let steps = best.steps
      let breaks: Check = { $0.told(breakage: breakage, code: code).violation?.law == law }
      best = best.fewerSteps(breaks).simplerSteps(breaks)
      if best.steps == steps { return best.told(breakage: breakage, code: code) }
    }
  }

  /// True if the law is still broken.
  private typealias Check = (Story) -> Bool

  /// Leaves out runs of steps, long ones first.
  private func fewerSteps(_ breaks: Check) -> Story {
    var best = self
    var size = max(1, best.steps.count / 2)
    while true {
      let count = best.steps.count
      best = best.without(runsOf: size, breaks)
      if best.steps.count == count {
        if size == 1 { return best }
        size = max(1, size / 2)
      }
    }
  }

  private func without(runsOf size: Int, _ breaks: Check) -> Story {
    var best = self
    var start = 0
    while start < best.steps.count {
      var shorter = best
      shorter.steps.removeSubrange(start..<min(start + size, best.steps.count))
      if breaks(shorter) { best = shorter } else { start += size }
    }
    return best
  }

  /// Puts a simpler step in the place of each, where there is one.
  private func simplerSteps(_ breaks: Check) -> Story {
    var best = self
    for index in best.steps.indices {
      for step in best.steps[index].simpler {
        var simpler = best
        simpler.steps[index] = step
        if breaks(simpler) {
          best = simpler
          break
        }
      }
    }
    return best
  }
}

extension Step {
  /// Steps that do less, or the same sooner; the simplest first.
  fileprivate var simpler: [Step] {
    switch self {
    case .weather(let device, let after, let weather):
      (0..<after).map { .weather(device: device, after: $0, weather) }
    case .crash(let device, let after, let crash):
      (0..<after).map { .crash(device: device, after: $0, crash) }
    case .meanwhile(let device, let after, let moment, let steps):
      steps + (0..<after).map { .meanwhile(device: device, after: $0, moment, steps) }
        + (steps.count > 1
          ? steps.indices.map { left in
            .meanwhile(device: device, after: after, moment, steps.indices.filter { $0 != left }.map { steps[$0] })
          } : [])
    case .sync(let device, let parts) where parts.pageSize != 100:
      [.sync(device: device, parts.inLargePages)]
    default:
      []
    }
  }
}

extension SyncParts {
  fileprivate var inLargePages: SyncParts {
    var parts = self
    parts.pageSize = 100
    return parts
  }
}
