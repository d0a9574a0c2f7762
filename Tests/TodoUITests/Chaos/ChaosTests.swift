import FoundationEssentials
import Testing

@Suite("Random keys, mouse, resizes and other programs, from seeds")
struct ChaosTests {
  /// `EBB_SEEDS` stories, the first of them of the seed `EBB_SEED_BASE`.
  static let seeds: [UInt64] = {
    let first = number("EBB_SEED_BASE") ?? 1
    return (0..<(number("EBB_SEEDS") ?? 60)).map { first + $0 }
  }()

  @Test("the screen stays whole, every mode can be left, and nothing typed is lost", arguments: seeds)
  func lawsHold(seed: UInt64) {
    var story = ChaosStory(seed: seed)
    for number in 1...ChaosStory.length {
      guard let broken = story.step() else { continue }
      let steps = story.steps.joined(separator: "\n")
      Issue.record("EBB_SEED_BASE=\(seed) EBB_SEEDS=1, at message \(number):\n\(broken)\nafter\n\(steps)")
      return
    }
  }

  private static func number(_ name: String) -> UInt64? {
    ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
  }
}
