import Chance

/// Bytes that a terminal may send, drawn by chance. Ctrl-C, Ctrl-Z and Ctrl-\ are not among them: should the list have
/// ended, they would end the shell as well.
struct RoughInput {
  let name: String
  let bytes: [UInt8]

  static let refresh = RoughInput("keys", "r")

  static func keys(_ chance: inout SeededGenerator) -> RoughInput {
    let count = chance.pick([1, 1, 1, 2, 3, 8, 20])
    let first = chance.pick(keys)
    let isHeld = chance.once(in: 5)
    let pressed = (0..<count).map { _ in isHeld ? first : chance.pick(keys) }
    return RoughInput("keys", pressed.joined())
  }

  static func text(_ chance: inout SeededGenerator, word: String) -> String {
    ([word] + (0..<chance.number(0...3)).map { _ in chance.pick(strange) }).joined(separator: " ")
  }

  static func paste(_ chance: inout SeededGenerator, lines: [String]) -> RoughInput {
    let text = lines.joined(separator: chance.pick(["\r", "\n", "\r\n"]))
    let inside = chance.once(in: 3) ? text + chance.pick(hostile) : text
    return chance.once(in: 3)
      ? RoughInput("a paste without brackets", text) : RoughInput("a paste", "\u{1B}[200~\(inside)\u{1B}[201~")
  }

  static func mouse(_ chance: inout SeededGenerator, columns: Int, rows: Int) -> RoughInput {
    let events = (0..<chance.number(1...6)).map { _ in
      let button = chance.pick([0, 0, 1, 2, 64, 64, 65, 32, 35])
      let place = "\(chance.number(0...columns + 2));\(chance.number(0...rows + 2))"
      return "\u{1B}[<\(button);\(place)\(chance.pick(["M", "M", "m"]))"
    }
    return RoughInput("mouse", events.joined())
  }

  static func garbage(_ chance: inout SeededGenerator) -> RoughInput {
    if chance.once(in: 2) { return RoughInput("garbage", chance.pick(sequences)) }
    let bytes = (0..<chance.number(1...12)).map { _ in UInt8(chance.number(0x80...0xFF)) }
    return RoughInput("no UTF-8", bytes)
  }

  private init(_ name: String, _ text: String) { self.init(name, Array(text.utf8)) }

  private init(_ name: String, _ bytes: [UInt8]) {
    self.name = "\(name): \(String(decoding: bytes, as: UTF8.self).debugDescription)"
    self.bytes = bytes
  }

  private static let keys: [String] =
    "aneexxduuurr/123456789SsmvV*+-tihw][coL:?MjkjkgGq yBTblpfR".map(String.init)
    + ["A", "B", "C", "D", "H", "F", "3~", "5~", "6~", "Z", "15~", "1;5C", "1;5D", "2~", "24~"].map { "\u{1B}[\($0)" }
    + ["A", "B", "C", "D", "P", "H", "F"].map { "\u{1B}O\($0)" }
    + ["\r", "\r", "\t", "\u{1B}", "\u{1B}", "\u{7F}", " ", "\u{1B}b", "\u{1B}f", "\u{1B}d"]
    + (1...25).filter { $0 != 3 }.map { String(Character(Unicode.Scalar(UInt8($0)))) } + ["\u{0}", "\u{1F}"]

  static let strange = [
    "買牛奶", "👨‍👩‍👧‍👦", "❤️", "🇪🇸", "e\u{301}\u{302}\u{303}", "\u{301}", "שלום", "مرحبا", "\u{200B}", "+home", "@shop",
    "due:2026-11-22", "(A)", "1\u{FE0F}\u{20E3}", "क्षि", "👍🏽", "ﷺ", "a\u{AD}b", "🏴󠁧󠁢󠁥󠁮󠁧󠁿",
    "verylongwordwithoutanyspaceinsidethatfitsnowhere", "--", "\u{202E}abc", "\u{D7A3}\u{11A8}", "ｆｕｌｌ",
  ]

  /// What a clipboard should not be able to do.
  private static let hostile = [
    "\u{1B}[2J\u{1B}[H", "\u{1B}]0;title\u{7}", "\u{7}\u{8}\u{8}", "\u{0}\u{1}\u{2}", "\u{1B}[31m", "\u{9B}2J",
    "\u{1B}c",
    "\u{E}", "\u{1B}[?1049l", "\r\n\r\n", "\t\t",
  ]

  private static let sequences = [
    "\u{1B}[1;9d", "\u{1B}[Mddd", "\u{1B}]11;ddd\u{7}", "\u{1B}Pxdd\u{1B}\\", "\u{1B}[<0;9;9", "\u{1B}[<", "\u{1B}[",
    "\u{1B}O", "\u{1B}\u{1B}[A", "\u{1B}[201~", "\u{1B}[999;999R", "\u{1B}[?1;2c", "\u{1B}[I", "\u{1B}[O",
    "\u{1B}_x\u{1B}\\",
    "\u{1B}[1;2;3;4;5;6;7;8;9;10;11;12;13;14;15;16;17m", "\u{1B}N", "\u{1B}[<0;99999999999999999999;1M", "\u{1B}[[A",
  ]
}
