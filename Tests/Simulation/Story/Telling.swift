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
    return "seed \(story.seed): \(violation?.description ?? "all laws hold")\n  \(story.settings.text)\n\(steps)"
  }
}

extension Story {
  /// With `code`, a server of ours is run by it.
  package func told(breakage: Breakage = .none, code: (any ServerCode)? = nil) -> Outcome {
    let world = World(settings, breakage: breakage, code: code)
    defer { world.end() }
    world.run(steps)
    return Outcome(story: self, violation: world.violation, faults: world.faults, conflicts: world.conflicts)
  }

  /// The same story told once more with every request, a line each.
  package func trace(breakage: Breakage = .none, code: (any ServerCode)? = nil) -> [String] {
    let world = World(settings, breakage: breakage, code: code, keepsTrace: true)
    defer { world.end() }
    world.run(steps)
    return world.trace ?? []
  }
}

extension WorldSettings {
  /// What differs from world to world, in two lines.
  fileprivate var text: String {
    let server =
      "\(server.family) \(server.version), pages of \(server.pageCap)\(server.cutsSilently ? " cut silently" : ""), "
      + "\(server.hasRisingClock ? "rising" : "plain") clock"
    let edges = edges.map(\.rawValue).sorted().joined(separator: " ")
    return "\(devices) devices \(extents), deciders \(deciders.map { $0.map { "\($0)" } ?? "-" }), \(server)\n"
      + "  \(travel), tick \(tick)\(endsRefusing ? ", ends refusing" : "")\(edges.isEmpty ? "" : ", edges: " + edges)"
  }
}
