/// The beginning of an item of a check list: a bullet or a number, and a box. A sign that is a box needs neither.
package struct CheckListMark {
  package let complete: Bool
  /// The text behind the box.
  package let text: Substring

  /// The last is the one of notes and office programs.
  private static let bullets = ["-", "*", "+", "•"]

  /// Nil if the line, without its indentation, is no such item.
  package init?(_ line: Substring) {
    guard let box = Self.box(in: line) else { return nil }
    let (gap, text) = box.rest.splitIndent
    guard !gap.isEmpty || box.rest.isEmpty else { return nil }
    complete = box.isTicked
    self.text = text
  }

  private static func box(in line: Substring) -> CheckBox? {
    if let box = CheckBox(line), box.isSign { return box }
    var rest = line.utf8
    if let bullet = bullets.first(where: { line.utf8.starts(with: $0.utf8) }) {
      rest = rest.dropFirst(bullet.utf8.count)
    } else {
      let digits = rest.prefix { (0x30...0x39).contains($0) }.count
      rest = rest.dropFirst(digits)
      guard (1...9).contains(digits), let end = rest.first, ".)".utf8.contains(end) else { return nil }
      rest = rest.dropFirst()
    }
    let (space, text) = Substring(rest).splitIndent
    return space.isEmpty ? nil : CheckBox(text)
  }
}

/// A box at the beginning of a text, ticked or not: `[ ]`, `[x]`, or a sign as notes and pages are copied with.
struct CheckBox {
  let isTicked: Bool
  /// It is one character, which no text of something to do begins with by chance.
  let isSign: Bool
  /// All that stands behind the box.
  let rest: Substring

  private static let signs: [Unicode.Scalar: Bool] = ["☐": false, "☑": true, "✓": true, "✔": true]
  /// Behind a sign: it is shown as text, or as a picture.
  private static let forms: ClosedRange<Unicode.Scalar> = "\u{FE0E}"..."\u{FE0F}"

  init?(_ text: Substring) {
    let scalars = text.unicodeScalars
    if let sign = scalars.first, let isTicked = Self.signs[sign] {
      self.isTicked = isTicked
      isSign = true
      rest = Substring(scalars.dropFirst().drop { Self.forms.contains($0) })
      return
    }
    let bytes = Array(text.utf8.prefix(3))
    guard bytes.count == 3, bytes[0] == UInt8(ascii: "["), bytes[2] == UInt8(ascii: "]"), " xX".utf8.contains(bytes[1])
    else { return nil }
    isTicked = bytes[1] != 0x20
    isSign = false
    rest = Substring(text.utf8.dropFirst(3))
  }
}

extension Substring {
  /// The spaces and tabs at the beginning, and the rest. By bytes, since a mark that combines with a space is text.
  package var splitIndent: (indent: Substring, text: Substring) {
    let end = utf8.firstIndex { $0 != 0x20 && $0 != 0x09 } ?? endIndex
    return (self[..<end], self[end...])
  }
}
