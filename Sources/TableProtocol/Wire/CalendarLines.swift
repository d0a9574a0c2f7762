/// The lines of a calendar as RFC 5545 has them, in bytes: folded, escaped, each with its end.
package struct CalendarLines {
  /// Octets of a line without its end (3.1). A longer one goes on in the next, which begins with a space.
  private static let longest = 75

  package private(set) var bytes: [UInt8] = []

  package init() {}

  /// Adds a line whose value is no text: a name, a date, a number.
  package mutating func add(_ name: String, value: String) { write("\(name):\(value)") }

  package mutating func add(_ name: String, text: String) { add(name, texts: [text]) }

  /// Adds a line with a list of texts.
  package mutating func add(_ name: String, texts: [String]) {
    write("\(name):\(texts.map(Self.escaped).joined(separator: ","))")
  }

  /// Adds a line with a moment, as in `20261123T043608Z`.
  package mutating func add(_ name: String, moment: Timestamp) {
    write("\(name):\(moment.text.prefix(19).filter { $0 != "-" && $0 != ":" })Z")
  }

  /// No character is cut into two lines.
  private mutating func write(_ line: String) {
    var length = 0
    for scalar in line.unicodeScalars {
      let count = scalar.utf8.count
      if length + count > Self.longest {
        bytes += [UInt8(ascii: "\r"), UInt8(ascii: "\n"), UInt8(ascii: " ")]
        length = 1
      }
      bytes += scalar.utf8
      length += count
    }
    bytes += [UInt8(ascii: "\r"), UInt8(ascii: "\n")]
  }

  /// A text (3.3.11). Controls other than line breaks and tabs may not stand in one.
  private static func escaped(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    var previous: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n" where previous == "\r": break
      case "\n", "\r": result.append(contentsOf: "\\n".unicodeScalars)
      case "\\", ";", ",": result.append(contentsOf: ["\\", scalar])
      case "\t": result.append(scalar)
      default: result.append(scalar.properties.generalCategory == .control ? " " : scalar)
      }
      previous = scalar
    }
    return String(result)
  }
}
