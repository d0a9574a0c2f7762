import Testing

@testable import Terminal

@Suite("What the terminal answers")
struct TerminalAnswerTests {
  @Test(
    "its background is a colour, in whatever digits it is told",
    arguments: [
      ("]11;rgb:1515/1616/1c1c\u{1B}\\", Style.Color.rgb(0x15, 0x16, 0x1C)),
      ("]11;rgb:ff/f/8000\u{7}", .rgb(255, 255, 127)),
      ("]11;rgba:0000/ffff/0000/ffff\u{7}", .rgb(0, 255, 0)),
    ])
  func background(answer: String, color: Style.Color) {
    var keyboard = Keyboard()
    #expect(keyboard.send("\u{1B}" + answer) == [.answered(.background(color))])
    #expect(keyboard.send("\u{1B}[?64;1;2c") == [.answered(.attributes)])
  }

  @Test(
    "is no key and no colour when it makes no sense",
    arguments: ["]11;rgb:dddd/qqqq/xxxx\u{7}", "]11;?\u{7}", "]11;rgb:12345/0/0\u{7}", "]12;rgb:0/0/0\u{7}"])
  func nonsense(answer: String) {
    #expect(Keyboard.keys("\u{1B}" + answer).allSatisfy { $0 == .unknown })
    var keyboard = Keyboard()
    let events = keyboard.send("\u{1B}" + answer)
    #expect(events.allSatisfy { if case .answered = $0 { false } else { true } })
  }

  @Test("may come in pieces, between keys")
  func pieces() {
    var keyboard = Keyboard()
    #expect(keyboard.send("j\u{1B}]11;rgb:00") == [.key(.character("j"))])
    #expect(keyboard.send("00/0000/0000\u{1B}\\k") == [.answered(.background(.rgb(0, 0, 0))), .key(.character("k"))])
  }

  @Test("colours are written as people write them")
  func colors() {
    #expect(Style.Color(named: "Red") == .red && Style.Color(named: "bright-black") == .brightBlack)
    #expect(Style.Color(named: "208") == .indexed(208) && Style.Color(named: "3") == .yellow)
    #expect(Style.Color(named: "#Ff8800") == .rgb(255, 136, 0))
    for wrong in ["", "pink", "256", "-1", "#ff880", "#ff88000", "#gg0000", "ff8800"] {
      #expect(Style.Color(named: wrong) == nil, "\(wrong)")
    }
  }
}
