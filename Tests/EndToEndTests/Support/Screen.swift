/// What a terminal shows, as text.
struct Screen: Equatable, CustomStringConvertible {
  let lines: [String]

  init(_ text: String) {
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      String(line.reversed().drop(while: \.isWhitespace).reversed())
    }
  }

  /// The title, where the state of the sync is, and the last three rows, where it is said what went wrong or is asked.
  var status: String { (lines.prefix(1) + lines.dropFirst().suffix(3)).joined(separator: "\n") }

  /// The rows of the list in order, each as its box, its priority and its text, `[ ] (A) Buy milk`: without the edge of
  /// the chosen row, the sign of the item's state, and what may stand at the right.
  var rows: [String] {
    lines.compactMap { line in
      line.firstMatch(of: /\[([ x])\] (\S| ) (.+?)(?:\s{2,}|$)/).map { row in
        "[\(row.1)] " + (row.2 == " " ? "" : "(\(row.2)) ") + row.3
      }
    }
  }

  /// All that is on it with single spaces, so that a sentence that takes several rows can be found.
  var words: String { lines.joined(separator: " ").split(separator: " ").joined(separator: " ") }

  /// All that is on it as one row, if it has 80 columns and no wide signs. A text that the terminal wrapped is in it as
  /// the program printed it; a text that the program broke is not.
  var unwrapped: String {
    lines.map { $0 + String(repeating: " ", count: max(0, 80 - $0.count)) }.joined()
  }

  /// Whether the list shows an item of this text, with its box as given.
  func shows(_ text: String, complete: Bool = false) -> Bool {
    index(of: text, complete: complete) != nil
  }

  /// How far down the list an item is, from 0.
  func index(of text: String, complete: Bool = false) -> Int? {
    rows.firstIndex(of: (complete ? "[x] " : "[ ] ") + text)
  }

  var description: String {
    let ruler = String(repeating: "-", count: 80)
    return "\(ruler)\n\(lines.joined(separator: "\n"))\n\(ruler)"
  }
}
