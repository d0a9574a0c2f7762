import Simulation
import Testing

@Suite("A rule broken on purpose is found out")
struct MutationTests {
  @Test("a world breaks a law", arguments: Breakage.all)
  func isCaught(breakage: Breakage) throws {
    let story = try #require(Story.first(noticing: breakage), "no world notices a device that \(breakage)")
    let law = try #require(story.told(breakage: breakage).violation?.law)
    let shortest = story.shortest(breaking: law, breakage: breakage)
    #expect(shortest.story.steps.count <= 15, "\(breakage) is noticed by seed \(story.seed)")
  }
}
