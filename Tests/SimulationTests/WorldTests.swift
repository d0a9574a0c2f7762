import Simulation
import Testing

@Suite("Worlds of devices and a server")
struct WorldTests {
  static let worlds: UInt64 = 2_000
  static let parts: UInt64 = 8

  @Test("the laws hold in every world", arguments: 0..<parts)
  func lawsHold(part: UInt64) {
    let share = Self.worlds / Self.parts
    for seed in part * share + 1...(part + 1) * share {
      let story = StoryTeller.story(seed: seed)
      guard let violation = story.told().violation else { continue }
      Issue.record("\(story.shortest(breaking: violation.law).report)")
    }
  }

  @Test("a seed tells one story, and it ends the same way each time")
  func repeatable() {
    for seed: UInt64 in 1...20 {
      let story = StoryTeller.story(seed: seed)
      #expect(story == StoryTeller.story(seed: seed))
      #expect(story.trace() == story.trace())
    }
  }
}
