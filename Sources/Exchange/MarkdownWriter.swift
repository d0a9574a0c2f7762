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
