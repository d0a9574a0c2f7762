import Testing

@testable import Terminal

@Suite("Colours and what a terminal can show of them")
struct ColorTests {
  private func depth(_ colors: Int, _ environment: [String: String] = [:]) -> ColorDepth {
    ColorDepth.found(described: colors) { environment[$0] }
  }

  @Test("the surroundings tell how many there are")
  func depths() {
    #expect([0, 8, 16, 88].map { depth($0) } == [.none, .eight, .sixteen, .sixteen])
    #expect([256, 1 << 24].map { depth($0) } == [.palette256, .trueColor])
    #expect(depth(256, ["COLORTERM": "truecolor"]) == .trueColor)
    #expect(depth(256, ["COLORTERM": "24bit"]) == .trueColor)
    #expect(depth(256, ["COLORTERM": "yes"]) == .palette256)
    #expect(depth(256, ["COLORTERM": "truecolor", "NO_COLOR": "1"]) == .none)
    #expect(depth(256, ["NO_COLOR": ""]) == .palette256)
    #expect(depth(0, ["COLORTERM": "truecolor"]) == .none)
  }

  @Test("what the user chose counts more")
  func options() {
    let noColor: (String) -> String? = { $0 == "NO_COLOR" ? "1" : nil }
    #expect(TerminalOptions(color: .never).depth(described: 256) { _ in nil } == .none)
    #expect(TerminalOptions(color: .depth(.sixteen)).depth(described: 256, environment: noColor) == .sixteen)
    #expect(TerminalOptions().depth(described: 256, environment: noColor) == .none)
  }

  @Test("the sixteen stay the terminal's own wherever there are sixteen")
  func own() {
    for color in Style.Color.sixteen {
      for depth in [ColorDepth.sixteen, .palette256, .trueColor] { #expect(color.shown(in: depth) == color) }
      #expect(color.shown(in: .none) == nil)
    }
    #expect(Style.Color.indexed(9).shown(in: .palette256) == .brightRed)
    #expect(Style.Color.brightRed.shown(in: .eight) == .red)
    #expect(Style.Color.brightBlack.shown(in: .eight) == nil)
  }

  @Test("a colour that cannot be shown becomes the nearest")
  func nearest() {
    #expect(Style.Color.rgb(255, 135, 0).shown(in: .trueColor) == .rgb(255, 135, 0))
    #expect(Style.Color.rgb(250, 140, 4).shown(in: .palette256) == .indexed(208))
    #expect(Style.Color.rgb(8, 8, 8).shown(in: .palette256) == .indexed(232))
    #expect(Style.Color.rgb(250, 4, 4).shown(in: .sixteen) == .brightRed)
    #expect(Style.Color.indexed(196).shown(in: .sixteen) == .brightRed)
    #expect(Style.Color.indexed(196).shown(in: .eight) == .red)
  }

  @Test("every colour becomes one that the terminal has", arguments: ColorDepth.allCases)
  func all(depth: ColorDepth) {
    for index in UInt8.min...UInt8.max {
      for color in [Style.Color.indexed(index), .rgb(index, 255 - index, index / 2)] {
        guard let shown = color.shown(in: depth), depth < .trueColor else { continue }
        let count = depth == .eight ? 8 : depth == .sixteen ? 16 : 256
        #expect(shown.index.map { $0 < count } == true)
      }
    }
  }

  @Test("ncurses is told the number in the palette, or red, green and blue where the terminal takes them")
  func cursesNumbers() {
    func number(_ color: Style.Color?, _ depth: ColorDepth, _ colors: Int) -> Int32 {
      ColorPairs.cursesNumber(of: color, depth: depth, colors: colors)
    }
    #expect(number(nil, .trueColor, 256) == -1)
    #expect(number(.cyan, .eight, 8) == 6)
    #expect(number(.brightCyan, .trueColor, 256) == 14)
    #expect(number(.rgb(255, 135, 0), .trueColor, 256) == 208)
    #expect(number(.rgb(1, 2, 3), .trueColor, 1 << 24) == 0x010203)
    #expect(number(.rgb(0, 0, 3), .trueColor, 1 << 24) == 0)
    #expect(number(.brightRed, .trueColor, 1 << 24) == 0xFF0000)
    #expect(number(.indexed(200), .palette256, 8) == -1)
  }

  @Test("pairs are numbered as they are used, as far as there is room")
  func pairs() {
    var pairs = ColorPairs(limit: 3)
    let (first, second) = (ColorPairs.Pair(text: 1, background: -1), ColorPairs.Pair(text: 1, background: 2))
    #expect(pairs.number(of: first) == (1, true))
    #expect(pairs.number(of: second) == (2, true))
    #expect(pairs.number(of: first) == (1, false))
    #expect(pairs.number(of: ColorPairs.Pair(text: 3, background: 3)) == (0, false))
    #expect(pairs.number(of: ColorPairs.Pair(text: -1, background: -1)) == (0, false))
  }

  @Test("a row written past ncurses has the same colours")
  func directRow() {
    let style = Style(color: .rgb(1, 2, 3), background: .indexed(200))
    #expect(DirectRow.bytes(Line("❤️", style), row: 0, depth: .trueColor).contains("\u{1B}[0;38;2;1;2;3;48;5;200m"))
    let bright = Style(color: .brightRed, background: .brightBlack)
    #expect(DirectRow.bytes(Line("❤️", bright), row: 0, depth: .sixteen).contains("\u{1B}[0;91;100m"))
    #expect(DirectRow.bytes(Line("❤️", style), row: 0, depth: .none).contains("\u{1B}[0m"))
  }
}
