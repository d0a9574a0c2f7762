import TableProtocol
import TodoCore

/// Writes items as to-dos of a calendar (RFC 5545, VTODO).
///
/// `SUMMARY` is the first line without a priority at its beginning and a date at its end, which are `PRIORITY` and `DUE`.
/// Projects and contexts stay in it, and are `CATEGORIES` too.
enum CalendarWriter {
  static let start = lines(["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Ebb//Ebb//EN"])
  static let end = lines(["END:VCALENDAR"])

  /// Octets of a line without its end (3.1).
  private static let longestLine = 75

  static func todo(_ item: PortableItem) -> [UInt8] {
    let notation = TodoNotation(item.text)
    let parts = ItemText(item.text)
    var content = ["BEGIN:VTODO", "UID:" + escaped(item.id?.text ?? "")]
    // No moment of the export stands in it: an export of the same list is the same file.
    let created = item.created.flatMap { $0.isKnownCreation ? $0 : nil }
    content.append("DTSTAMP:" + moment(item.completed ?? created))
    if let created { content.append("CREATED:" + moment(created)) }
    content.append("SUMMARY:" + escaped(ItemParts.lineWithoutFields(parts.line)))
    if parts.hasNote { content.append("DESCRIPTION:" + escaped(parts.note)) }
    if let due = notation.due { content.append("DUE;VALUE=DATE:" + due.text.replacing("-", with: "")) }
    if let priority = notation.priority { content.append("PRIORITY:\(PriorityNumber(priority).number)") }
    let categories = (notation.projects + notation.contexts).map { escaped(String($0[...].dropping(1))) }
    if !categories.isEmpty { content.append("CATEGORIES:" + categories.joined(separator: ",")) }
    content.append("STATUS:" + (item.complete ? "COMPLETED" : "NEEDS-ACTION"))
    if item.complete, let completed = item.completed { content.append("COMPLETED:" + moment(completed)) }
    return lines(content + ["END:VTODO"])
  }

  /// `20261123T043608Z`.
  private static func moment(_ time: PortableTime?) -> String {
    let text = (time?.timestamp ?? .epoch).text
    return String(text.prefix(19)).replacing("-", with: "").replacing(":", with: "") + "Z"
  }

  /// A text (3.3.11). Controls other than line breaks may not stand in one.
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

  private static func lines(_ lines: [String]) -> [UInt8] { lines.flatMap { folded(Array($0.utf8)) } }

  /// The line in pieces that are not too long, none of which begins within a character.
  private static func folded(_ line: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var (start, room) = (0, longestLine)
    while line.count - start > room {
      var end = start + room
      while line[end] & 0xC0 == 0x80 { end -= 1 }
      result += line[start..<end] + [0x0D, 0x0A, 0x20]
      (start, room) = (end, longestLine - 1)
    }
    return result + line[start...] + [0x0D, 0x0A]
  }
}
