import Chance
import TableProtocol

/// Items as servers send them, and as none would, from a seed.
struct RandomDocuments {
  private var chance: SeededGenerator

  init(seed: UInt64) {
    chance = SeededGenerator(seed: seed)
  }

  mutating func record() -> Record {
    var record = Record(id: "id-\(chance.next() % 1_000)")
    for _ in 0..<Int.random(in: 0...5, using: &chance) { record.values["c\(chance.next() % 20)"] = value() }
    if Bool.random(using: &chance) { record.system.updatedAt = moment() }
    if Bool.random(using: &chance) { record.system.version = RecordVersion(text()) }
    record.system.deleted = Bool.random(using: &chance)
    return record
  }

  /// JSON of an item, with spaces and escapes that a writer need not use.
  mutating func item() -> [UInt8] {
    let members = record().json()
    var spaced: [UInt8] = []
    var isInText = false
    var isEscaped = false
    for byte in members {
      if !isInText, Int.random(in: 0..<6, using: &chance) == 0 {
        spaced += Array([" ", "\n", "\t\r ", "  "].randomElement(using: &chance)?.utf8 ?? "".utf8)
      }
      // A number must not be cut in two.
      if let last = spaced.last, last <= 0x20, let before = spaced.last(where: { $0 > 0x20 }), !isInText,
        before.isPartOfWord, byte.isPartOfWord
      {
        while spaced.last.map({ $0 <= 0x20 }) == true { spaced.removeLast() }
      }
      if isInText, !isEscaped, byte.isLetter, Int.random(in: 0..<4, using: &chance) == 0 {
        let digits = String(byte, radix: 16, uppercase: Bool.random(using: &chance))
        spaced += Array("\\u00\(digits)".utf8)
      } else {
        spaced.append(byte)
      }
      if byte == UInt8(ascii: "\""), !isEscaped { isInText.toggle() }
      isEscaped = isInText && byte == UInt8(ascii: "\\") && !isEscaped
    }
    return spaced
  }

  /// An item with one byte lost, doubled or replaced.
  mutating func damagedItem() -> [UInt8] {
    var json = item()
    let index = Int.random(in: 0..<json.count, using: &chance)
    switch Int.random(in: 0..<3, using: &chance) {
    case 0: json.remove(at: index)
    case 1: json.insert(json[index], at: index)
    default: json[index] = Array("{}[]\",:\\0.-+eE u\u{1}x".utf8).randomElement(using: &chance) ?? 0
    }
    return json
  }

  private mutating func value() -> FieldValue {
    switch Int.random(in: 0..<7, using: &chance) {
    case 0: .null
    case 1: .bool(.random(using: &chance))
    case 2: .integer(.random(in: .min ... .max, using: &chance))
    case 3: .integer(.random(in: -100...100, using: &chance))
    case 4: .real(Double.random(in: -1e6...1e6, using: &chance))
    default: .text(text())
    }
  }

  private mutating func text() -> String {
    let signs = Array("abcXYZ 019\"\\/\n\t\u{1}\u{7F}é買🧋👨‍👩‍👧\u{301}\u{2028}{}[]:,%")
    return String((0..<Int.random(in: 0...20, using: &chance)).compactMap { _ in signs.randomElement(using: &chance) })
  }

  private mutating func moment() -> Timestamp {
    Timestamp(milliseconds: .random(in: 0...4_000_000_000_000, using: &chance))
  }
}

extension UInt8 {
  fileprivate var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
  fileprivate var isPartOfWord: Bool {
    isLetter || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) || "+-.".utf8.contains(self)
  }
}
