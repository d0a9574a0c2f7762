/// The beginning of an item of a check list: a bullet or a number, and a box.
package struct CheckListMark {
  package let complete: Bool
  /// The text behind the box.
  package let text: Substring

  /// The last is the one of notes and office programs.
  private static let bullets = ["-", "*", "+", "•"]

  /// Nil if the line, without its indentation, is no such item.
  package init?(_ line: Substring) {
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
    let behind = Substring(box.utf8.dropFirst(3))
    let (gap, text) = behind.splitIndent
    guard !gap.isEmpty || behind.isEmpty else { return nil }
    complete = bytes[1] != 0x20
    self.text = text
  }
}

extension Substring {
  /// The spaces and tabs at the beginning, and the rest. By bytes, since a mark that combines with a space is text.
  package var splitIndent: (indent: Substring, text: Substring) {
    let end = utf8.firstIndex { $0 != 0x20 && $0 != 0x09 } ?? endIndex
    return (self[..<end], self[end...])
  }
}
