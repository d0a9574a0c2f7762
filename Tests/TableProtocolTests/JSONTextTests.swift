import Chance
import Testing

@testable import TableProtocol

@Suite("The bytes of JSON texts")
struct JSONTextTests {
  private func end(_ bytes: [UInt8], from start: Int = 0) -> Int {
    bytes.withUnsafeBytes { JSONText.cleanEnd(in: $0, from: start) }
  }

  @Test("the first byte that can't stand for itself is found, whatever it is, at each place of a text")
  func eachByte() {
    for byte in UInt8.min...UInt8.max {
      let isClean = byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
      for filler in [0x20, 0x21, 0x23, 0x5B, 0x5D, 0x7F, 0x80, 0xA2, 0xDC, 0xFF] as [UInt8] {
        for place in 0..<20 {
          var bytes = [UInt8](repeating: filler, count: 20)
          bytes[place] = byte
          #expect(end(bytes) == (isClean ? 20 : place), "byte \(byte) at \(place) among \(filler)")
        }
      }
    }
  }

  @Test("of random bytes the same one is found as by a look at each")
  func randomBytes() {
    let seed = UInt64.random(in: 0 ... .max)
    var random = SeededGenerator(seed: seed)
    for _ in 0..<5_000 {
      let count = Int.random(in: 0...40, using: &random)
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) | 0x20 }
      let start = Int.random(in: 0...bytes.count, using: &random)
      let expected = bytes[start...].firstIndex(where: JSONText.needsEscape) ?? bytes.count
      #expect(end(bytes, from: start) == expected, "seed \(seed): \(bytes) from \(start)")
    }
  }
}
