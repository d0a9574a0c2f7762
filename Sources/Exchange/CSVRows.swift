/// The rows of a table, each with the number of its first line. A field in quotes may hold line ends.
struct CSVRows {
  private let bytes: [UInt8]
  private let separator: UInt8
  private var place = 0
  private var number = 1
  /// The line in which a quote was opened that no other closes.
  private(set) var unclosed: Int?

  init(_ text: String) {
    bytes = Array(text.utf8)
    let stated = Self.statedSeparator(of: bytes)
    separator = stated ?? Self.separator(of: bytes)
    if stated != nil {
      place = Self.statement.count + 1
      endLine()
    }
  }

  private static let statement = Array("sep=".utf8)

  /// The separator that Excel's first line states: `sep=;`. Nil if it states none.
  private static func statedSeparator(of bytes: [UInt8]) -> UInt8? {
    let line = bytes.prefix { $0 != 0x0A && $0 != 0x0D }
    guard line.count == statement.count + 1, line.dropLast().map({ $0 | 0x20 }).starts(with: statement) else {
      return nil
    }
    return line.last
  }

  /// The one that the first line has most of; a comma if it has none.
  private static func separator(of bytes: [UInt8]) -> UInt8 {
    let line = bytes.prefix { $0 != 0x0A && $0 != 0x0D }
    let counts = [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09].map { sign in (sign, line.count { $0 == sign }) }
    return counts.reduce(counts[0]) { $1.1 > $0.1 ? $1 : $0 }.0
  }

  /// Nil at the end, and after a quote that is not closed.
  mutating func next() -> (fields: [String], line: Int)? {
    guard place < bytes.count, unclosed == nil else { return nil }
    let line = number
    var fields: [String] = []
    repeat { fields.append(field()) } while skip(separator)
    endLine()
    return unclosed == nil ? (fields, line) : nil
  }

  private mutating func endLine() {
    _ = skip(0x0D)
    _ = skip(0x0A)
    number += 1
  }

  private mutating func skip(_ byte: UInt8) -> Bool {
    guard place < bytes.count, bytes[place] == byte else { return false }
    place += 1
    return true
  }

  private mutating func field() -> String {
    guard skip(UInt8(ascii: "\"")) else { return plain() }
    let line = number
    var content: [UInt8] = []
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      if byte == UInt8(ascii: "\"") {
        // Signs behind the closing quote belong to the field all the same.
        if !skip(byte) { return String(decoding: content, as: UTF8.self) + plain() }
      }
      if byte == 0x0A { number += 1 }
      content.append(byte)
    }
    unclosed = line
    return ""
  }

  private mutating func plain() -> String {
    let start = place
    while place < bytes.count, bytes[place] != separator, bytes[place] != 0x0A, bytes[place] != 0x0D { place += 1 }
    return String(decoding: bytes[start..<place], as: UTF8.self)
  }
}
