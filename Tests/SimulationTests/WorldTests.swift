import Simulation
import Testing

@Suite("Worlds of devices and a server")
struct WorldTests {
  @Test("a seed tells one story")
  func repeatable() {
    #expect(StoryTeller.story(seed: 7) == StoryTeller.story(seed: 7))
  }
}
