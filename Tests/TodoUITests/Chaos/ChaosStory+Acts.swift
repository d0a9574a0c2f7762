import Chance
import Terminal
import TodoCore

@testable import TodoUI

/// What a person does.
extension ChaosStory {
  mutating func act() {
    switch chance.number(1...100) {
    case ...42: press(keyOfPlace())
    case ...50: press(anyKey())
    case ...60: type()
    case ...64: paste()
    case ...70: point()
    case ...75: tell(.resized(.drawn(from: &chance)))
    case ...83: pass()
    case ...90: happen()
    default: answer()
    }
  }

  mutating func tell(_ message: Message) {
    note("\(message)")
    desk.tell(message)
  }

  mutating func press(_ key: Key) { tell(.key(key)) }

  /// One of the keys that mean something now.
  private mutating func keyOfPlace() -> Key {
    let keys = CommandTable.commands(in: desk.model.mode.place).flatMap { KeyBindings.standard.keys(of: $0) }
    return keys.isEmpty ? .escape : chance.pick(keys)
  }

  private mutating func anyKey() -> Key {
    switch chance.number(1...4) {
    case 1: .character(Character(Unicode.Scalar(UInt8(chance.number(0x20...0x7E)))))
    case 2: .control(Character(Unicode.Scalar(UInt8(chance.number(0x61...0x7A)))))
    case 3: chance.pick([.alt("b"), .alt("f"), .alt("d"), .function(1), .function(5), .function(12), .unknown])
    default:
      chance.pick([
        .enter, .escape, .tab, .backTab, .backspace, .delete, .insert, .up, .down, .left, .right, .home, .end, .pageUp,
        .pageDown, .controlLeft, .controlRight,
      ])
    }
  }

  private mutating func type() {
    let text = text()
    note("types \(text)")
    desk.type(text)
  }

  private mutating func paste() {
    let lines = (1...chance.number(1...4)).map { _ in text() }
    press(.paste(lines.joined(separator: chance.pick(["\n", "\r", " "]))))
  }

  /// Text of every script, that begins with a word of its own, so that it is known where it stands.
  mutating func text() -> String {
    let words = (0..<chance.number(0...4)).map { _ in chance.pick(Self.strange) }
    let first = chance.once(in: 4) ? [] : [newWord()]
    return (first + words).joined(separator: " ")
  }

  private static let strange = [
    "買牛奶", "👨‍👩‍👧‍👦", "❤️", "🇪🇸", "e\u{301}\u{302}\u{303}", "\u{301}", "שלום", "مرحبا", "\u{202E}abc", "\u{200B}", "\u{1B}[31m",
    "\u{7}", "\u{9B}2J", "+home", "@shop", "due:2026-11-22", "(A)", "due:2026-13-99", "x", "1\u{FE0F}\u{20E3}", "क्षि",
    "\u{FEFF}", "👍🏽", "ﷺ", "a\u{AD}b", "\u{2028}", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "verylongwordwithoutanyspaceinsidethatdoesnotfit", "--", "\t",
    "\u{1F468}\u{200D}", "\u{D7A3}\u{11A8}", "\u{1160}",
  ]

  private mutating func point() {
    let kind = chance.pick([MouseEvent.Kind.press, .press, .doublePress, .wheelUp, .wheelDown])
    let size = desk.model.screen.size
    tell(
      .mouse(
        MouseEvent(kind, column: chance.number(-1...size.columns), row: chance.number(-1...size.rows))))
  }

  /// Time goes by, in which the list is woken as it asked for.
  private mutating func pass() {
    let milliseconds = chance.pick([0, 20, 149, 151, 300, 700, 6_000, 61_000])
    note("\(milliseconds) ms pass")
    desk.wait(milliseconds: milliseconds)
    if chance.once(in: 3) { tell(.tick) }
  }
}
