import Foundation
import Testing

@testable import Terminal

@Suite("Short turns on a processor", .enabled(if: Turns.areShown, "the kernel shows no length of turns"))
struct ShortTurnsTests {
  @Test("the thread that waits for keys has them; those that it starts have not")
  func shortens() async throws {
    let (own, started) = await withCheckedContinuation { done in
      Thread.detachNewThread {
        ShortTurns.ask()
        let own = Turns.length
        Thread.detachNewThread { done.resume(returning: (own, Turns.length)) }
      }
    }
    #expect(own == 100_000)
    #expect(try #require(started) > 100_000)
  }
}

private enum Turns {
  static var areShown: Bool { length != nil }

  /// Those of the calling thread, in nanoseconds, as the kernel tells them.
  static var length: Int? {
    let lines = try? String(contentsOfFile: "/proc/thread-self/sched", encoding: .utf8).split(separator: "\n")
    return lines?.first { $0.hasPrefix("se.slice") }?.split(separator: " ").last.flatMap { Int($0) }
  }
}
