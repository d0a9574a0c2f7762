import Foundation
import Testing

@Suite("Rough hands: random keys, pastes, resizes, signals", .serialized, .timeLimit(.minutes(60)))
struct RoughHandsTests {
  /// `EBB_SEEDS` stories, the first of them of the seed `EBB_SEED_BASE`.
  static let seeds: [UInt64] = {
    let first = number("EBB_SEED_BASE") ?? 1
    return (0..<(number("EBB_SEEDS") ?? 2)).map { first + $0 }
  }()

  /// How many things happen in a story: `EBB_STEPS`. 30 stories of 60 take about ten minutes.
  static let length = Int(number("EBB_STEPS") ?? 25)

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

  private static func number(_ name: String) -> UInt64? {
    ProcessInfo.processInfo.environment[name].flatMap(UInt64.init)
  }
}
