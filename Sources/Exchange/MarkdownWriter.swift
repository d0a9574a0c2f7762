import TodoCore

/// Writes items as a check list: `- [ ] buy milk`, done ones as `- [x] buy milk`. A note stands below its item,
/// indented by two spaces more. Spaces at the beginning of a text are the indentation of its item.
enum MarkdownWriter {
  static func lines(of item: PortableItem) -> String {
    var lines = NumberedLines(item.text).map(\.line)[...]
    let first = lines.popFirst() ?? ""
    let (indent, text) = first.splitIndent
    var result = "\(indent)- [\(item.complete ? "x" : " ")] \(text)\n"
    for line in lines {
      let isBlank = line.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 }
      result += isBlank ? "\n" : "\(indent)  \(escaped(line))\n"
    }
    return result
  }

  /// A line of a note that looks like an item, or is escaped so, gets a backslash before it.
  private static func escaped(_ line: Substring) -> String {
    let (indent, text) = line.splitIndent
    return isEscapable(text) ? indent + "\\" + text : String(line)
  }

  static func isEscapable(_ text: Substring) -> Bool {
    let rest = Substring(text.utf8.drop { $0 == UInt8(ascii: "\\") })
    return CheckListMark(rest) != nil || isFence(rest)
  }

  /// A block of code begins or ends.
  static func isFence(_ text: Substring) -> Bool {
    text.utf8.starts(with: "```".utf8) || text.utf8.starts(with: "~~~".utf8)
  }
}

extension Substring {
  /// The spaces and tabs at the beginning, and the rest. By bytes, since a mark that combines with a space is text.
  var splitIndent: (indent: Substring, text: Substring) {
    let end = utf8.firstIndex { $0 != 0x20 && $0 != 0x09 } ?? endIndex
    return (self[..<end], self[end...])
  }
}

/// The beginning of an item of a check list: a bullet or a number, and a box.
struct CheckListMark {
  let complete: Bool
  /// The text behind the box.
  let text: Substring

  /// The last is the one of notes and office programs.
  private static let bullets = ["-", "*", "+", "•"]

  /// Nil if the line, without its indentation, is no such item.
  init?(_ line: Substring) {
    var rest = line.utf8
    if let bullet = Self.bullets.first(where: { line.utf8.starts(with: $0.utf8) }) {
      rest = rest.dropFirst(bullet.utf8.count)
    } else {
      let digits = rest.prefix { (0x30...0x39).contains($0) }.count
      rest = rest.dropFirst(digits)
      guard (1...9).contains(digits), let end = rest.first, ".)".utf8.contains(end) else { return nil }
      rest = rest.dropFirst()
    }
    let (space, box) = Substring(rest).splitIndent
    let bytes = Array(box.utf8.prefix(3))
    guard !space.isEmpty, bytes.count == 3, bytes[0] == UInt8(ascii: "["), bytes[2] == UInt8(ascii: "]"),
      " xX".utf8.contains(bytes[1])
    else { return nil }
    let behind = box.dropping(3)
    let (gap, text) = behind.splitIndent
    guard !gap.isEmpty || behind.isEmpty else { return nil }
    complete = bytes[1] != 0x20
    self.text = text
  }
}
