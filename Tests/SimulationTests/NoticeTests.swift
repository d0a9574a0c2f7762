import Simulation
import Testing

@Suite("Notices that are lost, doubled, late and cut")
struct NoticeTests {
  @Test("break no law", arguments: 0..<4)
  func laws(part: UInt64) {
    var told = 0
    for seed in part * 400 + 1...(part + 1) * 400 {
      let story = StoryTeller.story(seed: seed, edges: [.notices])
      guard story.settings.edges.contains(.notices) else { continue }
      told += 1
      guard let violation = story.told().violation else { continue }
      Issue.record("\(story.shortest(breaking: violation.law).report)")
    }
    #expect(told > 20)
  }

  @Test("change nothing but time: whatever becomes of them, everybody has the same in the end")
  func nothingButTime() {
    var told = 0
    for seed: UInt64 in 1...200 {
      let story = StoryTeller.story(seed: seed, edges: [.notices]).withoutClashes
      guard story.settings.edges.contains(.notices) else { continue }
      told += 1
      let ends = NoticeFate.allCases.map { story.with($0).lists }
      #expect(Set(ends).count == 1, "seed \(seed)")
      #expect(story.lists == ends[0], "seed \(seed)")
    }
    #expect(told > 5)
  }
}
