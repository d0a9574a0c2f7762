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

  @Test("a story keeps its steps when an edge is switched on")
  func edgesAddSteps() {
    for seed: UInt64 in 1...200 {
      var left = StoryTeller.story(seed: seed).steps[...]
      for step in StoryTeller.story(seed: seed, edges: []).steps {
        let place = left.firstIndex(of: step)
        #expect(place != nil, "seed \(seed) has lost: \(step)")
        left = place.map { left[($0 + 1)...] } ?? []
      }
    }
  }

  @Test("what the engine is known to break is broken still", arguments: Edge.allCases.filter { $0.known != nil })
  func edgeIsKnown(edge: Edge) {
    let isBroken = Self.isBroken(edges: [edge], laws: Law.usual) { $0.settings.edges.contains(edge) }
    #expect(isBroken, "\(edge) is mended, it seems (\(edge.known ?? "")): switch it on for all worlds")
  }

  @Test("a law that the engine is known to break is broken still", arguments: Law.allCases.filter { $0.known != nil })
  func lawIsKnown(law: Law) {
    let isBroken = Self.isBroken(edges: Edge.usual, laws: [law]) { _ in true }
    #expect(isBroken, "\(law) is kept, it seems (\(law.known ?? "")): look at it in all worlds")
  }

  /// Worlds that once broke a law, with the edges that they had then: `memory`, all three (D15).
  @Test("what was mended stays mended", arguments: [70_000_090, 98_788_935, 98_797_584] as [UInt64])
  func staysMended(seed: UInt64) {
    let story = StoryTeller.story(seed: seed, edges: [])
    let violation = story.told().violation
    #expect(violation == nil, "\(violation.map { story.shortest(breaking: $0.law).report } ?? "")")
  }

  private static func isBroken(edges: Set<Edge>, laws: Set<Law>, where isWanted: (Story) -> Bool) -> Bool {
    (1...600 as ClosedRange<UInt64>).lazy.map { StoryTeller.story(seed: $0, edges: edges, laws: laws) }
      .contains { isWanted($0) && $0.told().violation != nil }
  }
}
