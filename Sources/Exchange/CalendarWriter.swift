import TableProtocol
import TodoCore

/// Writes items as to-dos of a calendar (RFC 5545, VTODO).
///
/// `SUMMARY` is the first line without a priority at its beginning and a date at its end, which are `PRIORITY` and
/// `DUE`. Projects and contexts stay in it, and are `CATEGORIES` too.
enum CalendarWriter {
  static let start = Array("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Ebb//Ebb//EN\r\n".utf8)
  static let end = Array("END:VCALENDAR\r\n".utf8)

  static func todo(_ item: PortableItem) -> [UInt8] {
    let notation = TodoNotation(item.text)
    let parts = ItemText(item.text)
    var lines = CalendarLines()
    lines.add("BEGIN", value: "VTODO")
    lines.add("UID", text: item.id?.text ?? "")
    // No moment of the export stands in it: an export of the same list is the same file.
    let created = item.created.flatMap { $0.isKnownCreation ? $0 : nil }
    lines.add("DTSTAMP", moment: (item.completed ?? created)?.timestamp ?? .epoch)
    if let created { lines.add("CREATED", moment: created.timestamp) }
    lines.add("SUMMARY", text: ItemParts.lineWithoutFields(parts.line))
    if parts.hasNote { lines.add("DESCRIPTION", text: parts.note) }
    if let due = notation.due { lines.add("DUE;VALUE=DATE", value: due.text.replacing("-", with: "")) }
    if let priority = notation.priority { lines.add("PRIORITY", value: "\(PriorityNumber(priority).number)") }
    let categories = (notation.projects + notation.contexts).map { String($0[...].dropping(1)) }
    if !categories.isEmpty { lines.add("CATEGORIES", texts: categories) }
    lines.add("STATUS", value: item.complete ? "COMPLETED" : "NEEDS-ACTION")
    if item.complete, let completed = item.completed { lines.add("COMPLETED", moment: completed.timestamp) }
    lines.add("END", value: "VTODO")
    return lines.bytes
  }
}
