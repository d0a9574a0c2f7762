import Testing

@Suite("Hard weather: cut lines, killed programs, and the laws of sync", .serialized, .timeLimit(.minutes(5)))
struct HardWeatherTests {
  static let seeds = StorySettings.seeds(count: 5)

  @Test("the devices and the server agree in the end, and nothing acknowledged is lost", arguments: seeds)
  func lawsHold(seed: UInt64) async throws {
    try await Workspace.use { workspace in
      var story = try await HardWeatherStory(seed: seed, in: workspace)
      do {
        try await story.begin()
        for _ in 0..<HardWeatherStory.length { try await story.step() }
        try await story.calmDown()
        try await story.checkLaws()
      } catch {
        Issue.record("EBB_SEED_BASE=\(seed) EBB_SEEDS=1:\n\(error)\n\(story.steps.joined(separator: "\n"))")
      }
    }
  }
}
