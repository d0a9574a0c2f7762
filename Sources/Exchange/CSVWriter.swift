import TableProtocol
import TodoCore

/// Writes items as a table (RFC 4180): a header, then a row each. `text` and `note` have all of an item's text; what
/// follows them is what it says, for calculating and filtering.
enum CSVWriter {
  static let columns = [
    "id", "complete", "text", "note", "priority", "due", "projects", "contexts", "created", "completed",
  ]

  static let start = columns.joined(separator: ",") + "\r\n"

  static func row(_ item: PortableItem) -> String {
    let notation = TodoNotation(item.text)
    let end = item.text.utf8.firstIndex(of: 0x0A)
    let line = end.map { String(item.text[..<$0]) } ?? item.text
    let note = end.map { String(Substring(item.text.utf8[$0...].dropFirst())) } ?? ""
    let fields = [
      item.id?.text ?? "", item.complete ? "true" : "false", line, note,
      notation.priority.map(String.init) ?? "", notation.due?.text ?? "",
      notation.projects.joined(separator: " "), notation.contexts.joined(separator: " "),
      time(item.created), time(item.completed),
    ]
    return fields.map { quoted(guarded($0)) }.joined(separator: ",") + "\r\n"
  }

  private static func time(_ time: PortableTime?) -> String {
    switch time {
    case .moment(let moment), .second(let moment): moment.text
    case .day(let day): day.text
    case nil: ""
    }
  }

  private static func quoted(_ field: String) -> String {
    let needsQuotes = field.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }
    guard needsQuotes else { return field }
    // By bytes: a quote is one also where a mark combines with it.
    let bytes = field.utf8.flatMap { $0 == 0x22 ? [$0, $0] : [$0] }
    return "\"" + String(decoding: bytes, as: UTF8.self) + "\""
  }

  /// A spreadsheet takes a field that begins so for a formula, and a formula may send what it sees to somebody. The
  /// apostrophe before it makes it a text; ``CSVReader`` takes it away.
  private static func guarded(_ field: String) -> String { beginsFormula(field) ? "'" + field : field }

  /// The field without the apostrophe of a formula.
  static func unguarded(_ field: String) -> String {
    field.utf8.first == UInt8(ascii: "'") && beginsFormula(field) ? String(field[...].dropping(1)) : field
  }

  /// Apostrophes may stand before it: one more is added, and one is taken away.
  private static func beginsFormula(_ field: String) -> Bool {
    let first = field.utf8.first { $0 != UInt8(ascii: "'") }
    return first.map { "=+-@\t\r".utf8.contains($0) } ?? false
  }
}
