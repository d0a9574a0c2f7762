import Terminal
import TodoCore

/// The signs the list is drawn with. Each is one column, but for the ellipsis of the plain set.
struct Glyphs: Equatable, Sendable {
  let waiting: String
  let inFlight: String
  let conflict: String
  let refused: String
  let ellipsis: String
  let separator: String

  static func of(_ charset: Charset) -> Glyphs {
    charset == .utf8 ? utf8 : ascii
  }

  private static let utf8 = Glyphs(
    waiting: "↑", inFlight: "…", conflict: "≠", refused: "!", ellipsis: "…", separator: " · ")
  private static let ascii = Glyphs(
    waiting: "^", inFlight: "~", conflict: "#", refused: "!", ellipsis: "...", separator: " - ")

  /// ASCII in both sets: it is drawn ten times a second, and read aloud by screen readers.
  static func spinner(_ step: Int) -> String {
    ["|", "/", "-", "\\"][step & 3]
  }

  func badge(_ state: ItemState) -> Span {
    switch state {
    case .synced: Span(" ")
    case .waiting: Span(waiting, Style(color: .yellow))
    case .inFlight: Span(inFlight, Style(color: .cyan))
    case .conflict: Span(conflict, Style(bold: true, color: .magenta))
    case .refused: Span(refused, Style(bold: true, color: .red))
    }
  }
}
