import TableProtocol

/// Writes a calendar as RFC 5545 has it, line by line.
struct CalendarWriter {
  /// Octets of a line without its end; longer ones go on in the next, which begins with a space.
  private static let longestLine = 75

  private(set) var bytes: [UInt8] = []

  /// A line whose value is no text: a name, a date, a number.
  mutating func line(_ name: String, _ value: String) { write("\(name):\(value)") }

  mutating func line(_ name: String, text: String) { write("\(name):\(Self.escaped(text))") }

  mutating func line(_ name: String, moment: Timestamp) {
    write("\(name):\(moment.text.prefix(19).filter { $0 != "-" && $0 != ":" })Z")
  }

  /// No character is cut into two lines.
  private mutating func write(_ line: String) {
    var length = 0
    for scalar in line.unicodeScalars {
      let count = scalar.utf8.count
      if length + count > Self.longestLine {
        bytes += [UInt8(ascii: "\r"), UInt8(ascii: "\n"), UInt8(ascii: " ")]
        length = 1
      }
      bytes += scalar.utf8
      length += count
    }
    bytes += [UInt8(ascii: "\r"), UInt8(ascii: "\n")]
  }

  /// Controls have no place in a text; a line feed is written as `\n`.
  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\", ";", ",": escaped.unicodeScalars += ["\\", scalar]
      case "\n": escaped += "\\n"
      case "\r": break
      case _ where scalar.value < 0x20 && scalar != "\t" || scalar.value == 0x7F: escaped += " "
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
