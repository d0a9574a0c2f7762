/// Random numbers that can be repeated: SplitMix64. The same seed gives the same sequence on every machine.
///
/// Stories are known by their seeds. A change of a number that is drawn here makes another story of each.
package struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) {
    state = seed
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  package mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

  /// The array must not be empty.
  package mutating func pick<Value>(_ values: [Value]) -> Value { values[number(0...values.count - 1)] }

  /// True once in this many times, on average.
  package mutating func once(in times: Int) -> Bool { number(1...times) == 1 }
}
