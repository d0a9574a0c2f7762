/// Lines typed before, oldest first, none of them twice.
struct LineHistory: Equatable, Sendable {
  private(set) var lines: [String] = []

  /// How many are remembered.
  private static let most = 200

  init(_ lines: [String] = []) { self.lines = lines }

  /// A line that stands in the field now.
  struct Shown: Equatable, Sendable {
    let index: Int
    /// The remembered text; the field may have been edited since.
    let line: String
    /// The text that was being typed before it.
    let typed: LineEditor
  }

  /// Puts a line at the end. Returns false if it is blank or the last one already.
  mutating func note(_ line: String) -> Bool {
    guard !line.allSatisfy(\.isWhitespace), lines.last != line else { return false }
    lines.removeAll { $0 == line }
    lines.append(line)
    lines.removeFirst(max(0, lines.count - Self.most))
    return true
  }

  /// The field after a step; nil if there is no line in this direction. After the newest line comes what was typed. A
  /// line that stands in the field already is passed over.
  func step(older: Bool, from shown: Shown?, in field: LineEditor) -> (field: LineEditor, shown: Shown?)? {
    guard older else {
      guard let shown else { return nil }
      return shown.index + 1 < lines.count ? show(shown.index + 1, over: shown.typed) : (shown.typed, nil)
    }
    return lines[..<(shown?.index ?? lines.count)].lastIndex { $0 != field.text }
      .map { show($0, over: shown?.typed ?? field) }
  }

  private func show(_ index: Int, over typed: LineEditor) -> (field: LineEditor, shown: Shown?) {
    (LineEditor(lines[index]), Shown(index: index, line: lines[index], typed: typed))
  }
}
