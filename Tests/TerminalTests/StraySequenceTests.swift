import Chance
import Testing

@testable import Terminal

@Suite("The letters of a sequence are no commands")
struct StraySequenceTests {
  private static let sequences = [
    "[A", "OA", "[1;9d", "Oq", "[1;2;3;4;5z", "[?1;2c", "[?2026;2$y", "[3$", "[27;5;106~", "[97;5u", "[I",
    "[<0;12;34M", "[<0;12;34m", "[<64;1;1M", "[M !j", "[Mqqq", "[32;5;6M", "[[A", "[99[",
    "]11;rgb:dddd/qqqq/xxxx\u{7}", "]52;c;ZGRk\u{1B}\\", "P1+r524742=38\u{1B}\\", "P>|xterm(390)\u{1B}\\",
    "_Gi=1;OK\u{1B}\\", "^dd\u{1B}\\", "Xdd\u{7}", "[200~dd\r[A\u{1B}[201~",
  ]

  /// What may come of it: no character, and nothing that changes a list.
  private func expectHarmless(_ events: [TerminalEvent], _ label: String) {
    let letters = events.keys.filter { key in
      switch key {
      case .character, .enter, .alt, .control, .backspace: true
      default: false
      }
    }
    #expect(letters.isEmpty, "\(label): \(events)")
  }

  @Test("whole, and cut in two anywhere by a slow line", arguments: sequences)
  func cutInTwo(sequence: String) {
    let bytes = [0x1B] + Array(sequence.utf8)
    for place in bytes.indices {
      for gap in [Duration.zero, .milliseconds(5), .milliseconds(40), .milliseconds(300)] {
        var keyboard = Keyboard()
        var events = keyboard.send(Array(bytes[..<place]))
        events += keyboard.pause(gap)
        events += keyboard.send(Array(bytes[place...])) + keyboard.pause(.seconds(10))
        expectHarmless(events, "\(sequence) cut at \(place) for \(gap)")
        #expect(keyboard.send("j").keys == [.character("j")], "\(sequence) cut at \(place) for \(gap)")
      }
    }
  }

  @Test("without an end: silence ends it", arguments: sequences)
  func broken(sequence: String) {
    let bytes = [0x1B] + Array(sequence.utf8)
    for place in 1..<bytes.count {
      var keyboard = Keyboard()
      expectHarmless(keyboard.send(Array(bytes[..<place])) + keyboard.pause(.seconds(10)), "\(sequence) until \(place)")
      #expect(keyboard.send("j").keys == [.character("j")], "\(sequence) until \(place)")
    }
  }

  @Test("one after the other, the second where the first breaks off")
  func brokenOff() {
    for first in Self.sequences where !first.hasPrefix("[200") && !first.hasPrefix("[M") {
      for place in first.unicodeScalars.indices.dropFirst(1) {
        var keyboard = Keyboard()
        let events = keyboard.send("\u{1B}" + first[..<place] + "\u{1B}[B") + keyboard.pause(.seconds(10))
        #expect(events.keys.last == .down, "\(first[..<place])")
        expectHarmless(events, String(first[..<place]))
      }
    }
  }

  @Test("with Alt in front, and in eight-bit controls")
  func otherForms() {
    #expect(Keyboard.keys("\u{1B}\u{1B}[Aj") == [.up, .character("j")])
    var keyboard = Keyboard()
    #expect(keyboard.send([0x9B, UInt8(ascii: "d"), UInt8(ascii: "j")]).keys == [.unknown, .character("j")])
    #expect(Keyboard.keys("\u{9B}") == [.unknown])
  }

  @Test("what is typed a while after Escape is typed, also what begins like a sequence")
  func afterEscape() {
    var keyboard = Keyboard()
    _ = keyboard.send("\u{1B}")
    #expect(keyboard.pause(.milliseconds(200)).keys == [.escape])
    #expect(keyboard.send("O").keys == [.character("O")])
    #expect(keyboard.send("A").keys == [.character("A")])
    _ = keyboard.send("\u{1B}")
    _ = keyboard.pause(.seconds(3))
    #expect(keyboard.send("[x").keys == [.character("["), .character("x")])
  }

  @Test("noise of any kind does not lock the keyboard, and never crashes")
  func noise() {
    let seed = UInt64.random(in: .min ... .max)
    var random = SeededGenerator(seed: seed)
    var keyboard = Keyboard()
    for _ in 0..<2000 {
      let count = Int.random(in: 1...12, using: &random)
      _ = keyboard.send((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) } + [0x1B])
      _ = keyboard.pause(.milliseconds(Int.random(in: 0...50, using: &random)))
    }
    _ = keyboard.pause(.seconds(20))
    #expect(keyboard.send("j").keys == [.character("j")], "seed \(seed)")
  }
}
