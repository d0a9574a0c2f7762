import Terminal
import TodoCore

/// The signs the list is drawn with. Each is one column, but for the ellipsis of the plain set.
struct Glyphs: Equatable, Sendable {
  let waiting: String
  let inFlight: String
  let conflict: String
  let refused: String
  let arrived: String
  let mark: String
  let ellipsis: String
  let separator: String
  let pull: String
  let release: String

  static func of(_ charset: Charset) -> Glyphs {
    charset == .utf8 ? utf8 : ascii
  }

  private static let utf8 = Glyphs(
    waiting: "↑", inFlight: "…", conflict: "≠", refused: "!", arrived: "●", mark: "*", ellipsis: "…",
    separator: " · ", pull: "↓", release: "↑")
  private static let ascii = Glyphs(
    waiting: "^", inFlight: "~", conflict: "#", refused: "!", arrived: "o", mark: "*", ellipsis: "...",
    separator: " - ", pull: "v", release: "^")

  /// None, where words are all there is.
  static func told(separator: String) -> Glyphs {
    Glyphs(
      waiting: "", inFlight: "", conflict: "", refused: "", arrived: "", mark: "", ellipsis: "", separator: separator,
      pull: "", release: "")
  }

  /// ASCII in both sets: it is drawn ten times a second, and read aloud by screen readers.
  static func spinner(_ step: Int) -> String {
    ["|", "/", "-", "\\"][step & 3]
  }
}

/// What the one cell before an item's text says, in the order of what matters most.
enum Badge: Equatable, Sendable, CaseIterable {
  case conflict, refused, inFlight, waiting, arrived, none

  /// A change that was sent without an answer waits like any other, until a refresh here sends it again.
  init(_ item: TodoItem?, isRefreshing: Bool) {
    switch item?.state {
    case .conflict: self = .conflict
    case .refused: self = .refused
    case .inFlight: self = isRefreshing ? .inFlight : .waiting
    case .waiting: self = .waiting
    case .synced, nil: self = item?.hasArrived == true ? .arrived : .none
    }
  }
}
