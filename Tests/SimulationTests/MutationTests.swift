import Simulation
import Testing

@Suite("A rule broken on purpose is found out")
struct MutationTests {
  @Test("a world breaks a law", arguments: Breakage.all)
  func isCaught(breakage: Breakage) throws {
    let broken = (1...5_000).lazy.map { StoryTeller.story(seed: $0) }.first { story in
      story.told(breakage: breakage).violation != nil && story.told().violation == nil
    }
    let story = try #require(broken, "no world notices a device that \(breakage)")
    let law = try #require(story.told(breakage: breakage).violation?.law)
    #expect(story.shortest(breaking: law, breakage: breakage).story.steps.count <= 15)
  }
}
