/// What came of a story.
package struct Outcome: Sendable {
  package let story: Story
  package let violation: Violation?
  package let faults: Int
  /// Conflicts that still waited for a decision at the end.
  package let conflicts: Int

  /// Seed, world, law and steps, for a person.
  package var report: String {
    let steps = story.steps.enumerated().map { "  \($0 + 1). \($1)" }.joined(separator: "\n")
    return "seed \(story.seed): \(violation?.description ?? "all laws hold")\n  \(story.settings)\n\(steps)"
  }
}

extension Story {
  package func told(breakage: Breakage = .none) -> Outcome {
    let world = World(settings, breakage: breakage)
    defer { world.end() }
    world.run(steps)
    return Outcome(story: self, violation: world.violation, faults: world.faults, conflicts: world.conflicts)
  }

  /// The same story told once more with every request, a line each.
  package func trace(breakage: Breakage = .none) -> [String] {
    let world = World(settings, breakage: breakage, keepsTrace: true)
    defer { world.end() }
    world.run(steps)
    return world.trace ?? []
  }
}
