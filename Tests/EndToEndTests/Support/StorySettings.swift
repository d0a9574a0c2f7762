import Foundation

/// Which stories are told, and how long they are: numbers of the environment.
enum StorySettings {
  /// `EBB_SEEDS` seeds, the first of them `EBB_SEED_BASE`. If the environment does not say so, these are `count` from
  /// 1 on.
  static func seeds(count: UInt64) -> [UInt64] {
    let first = number("EBB_SEED_BASE") ?? 1
    return (0..<(number("EBB_SEEDS") ?? count)).map { first + $0 }
  }

  /// How many things happen in a story: `EBB_STEPS`, or `count`.
  static func steps(count: UInt64) -> Int { Int(number("EBB_STEPS") ?? count) }

  private static func number(_ name: String) -> UInt64? {
    ProcessInfo.processInfo.environment[name].flatMap(UInt64.init)
  }
}
