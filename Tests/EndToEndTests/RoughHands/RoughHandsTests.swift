import Testing

@Suite("Rough hands: random keys, pastes, resizes, signals", .serialized, .timeLimit(.minutes(60)))
struct RoughHandsTests {
  static let seeds = StorySettings.seeds(count: 2)

  /// 30 stories of 60 steps take about ten minutes.
  static let length = StorySettings.steps(count: 25)

  @Test("the list lives, its screen stays whole, nothing is lost, and all agree in the end", arguments: seeds)
  func lawsHold(seed: UInt64) async throws {
    try await Workspace.use { workspace in
      var story = try await RoughStory(seed: seed, in: workspace)
      do {
        for _ in 0..<Self.length { try await story.step() }
        try await story.calmDown()
        try await story.checkLaws()
      } catch {
        story.saw((try? await story.terminal.session.screen()) ?? Screen(""))
        Issue.record("EBB_SEED_BASE=\(seed) EBB_SEEDS=1 EBB_STEPS=\(Self.length):\n\(error)\n\(story.report)")
      }
    }
  }
}
