/// What came of a story.
package struct Outcome: Sendable {
  package let story: Story
  package let violation: Violation?
  package let faults: Int

  /// Seed, world, law and steps, for a person.
  package var report: String {
    let steps = story.steps.enumerated().map { "  \($0 + 1). \($1)" }.joined(separator: "\n")
    return "seed \(story.seed): \(violation?.description ?? "all laws hold")\n  \(story.settings)\n\(steps)"
  }
}

extension Story {
  package func told(breakage: Breakage = .none) -> Outcome {
    let world = World(settings, breakage: breakage)
    world.run(steps)
    return Outcome(story: self, violation: world.violation, faults: world.faults)
  }

  /// The same story told once more with every request, a line each.
  package func trace(breakage: Breakage = .none) -> [String] {
    let world = World(settings, breakage: breakage, keepsTrace: true)
    world.run(steps)
    return world.trace ?? []
  }

  /// The shortest story found that breaks the same law: parts are left out for as long as it does.
  package func shortest(breaking law: Law, breakage: Breakage = .none) -> Outcome {
    var best = self
    var size = max(1, best.steps.count / 2)
    while true {
      let shorter = best.without(runsOf: size, stillBreaking: law, breakage)
      let isShorter = shorter.steps.count < best.steps.count
      best = shorter
      if size == 1 && !isShorter { break }
      size = isShorter ? size : max(1, size / 2)
    }
    return best.simplified(stillBreaking: law, breakage).told(breakage: breakage)
  }

  private func breaks(_ law: Law, _ breakage: Breakage) -> Bool { told(breakage: breakage).violation?.law == law }

  private func without(runsOf size: Int, stillBreaking law: Law, _ breakage: Breakage) -> Story {
    var best = self
    var start = 0
    while start < best.steps.count {
      var shorter = best
      shorter.steps.removeSubrange(start..<min(start + size, best.steps.count))
      if shorter.breaks(law, breakage) { best = shorter } else { start += size }
    }
    return best
  }

  /// Leaves out what happens in the middle of a request, piece by piece.
  private func simplified(stillBreaking law: Law, _ breakage: Breakage) -> Story {
    var best = self
    for index in best.steps.indices {
      guard case .meanwhile(let device, let after, let moment, var inner) = best.steps[index] else { continue }
      for position in inner.indices.reversed() where inner.count > 1 {
        var fewer = inner
        fewer.remove(at: position)
        var shorter = best
        shorter.steps[index] = .meanwhile(device: device, after: after, moment, fewer)
        if shorter.breaks(law, breakage) { (best, inner) = (shorter, fewer) }
      }
    }
    return best
  }
}
