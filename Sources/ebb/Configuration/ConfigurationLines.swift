/// On which lines the keys of a configuration file stand, counted from 1. Reads what people write: keys with what is
/// below them further in, and small maps in braces.
struct ConfigurationLines {
  private var lines: [String: [Int]] = [:]

  init(_ text: String) {
    var above: [(indent: Int, key: String)] = []
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      let indent = line.prefix { $0 == " " }.count
      guard let (key, value) = Self.keyAndValue(line.dropFirst(indent)) else { continue }
      while let last = above.last, last.indent >= indent { above.removeLast() }
      let path = (above.map(\.key) + [key]).joined(separator: ".")
      lines[path, default: []].append(index + 1)
      above.append((indent, key))
      guard value.first == "{" else { continue }
      for part in value.dropFirst().split(separator: ",") {
        if let (inner, _) = Self.keyAndValue(part.drop { $0 == " " }) {
          lines[path + "." + inner, default: []].append(index + 1)
        }
      }
    }
  }

  /// Where a key stands first; nil if it is not found.
  func line(of key: String) -> Int? { lines[key]?.first }

  /// The keys that stand more than once, with the lines after the first.
  var repeated: [(key: String, lines: [Int])] {
    lines.filter { $0.value.count > 1 }.map { (key: $0.key, lines: Array($0.value.dropFirst())) }
      .sorted { $0.lines[0] < $1.lines[0] }
  }

  private static func keyAndValue(_ line: Substring) -> (key: String, value: Substring)? {
    guard let first = line.first, first != "#", first != "-", let colon = line.firstIndex(of: ":") else { return nil }
    let rest = line[line.index(after: colon)...]
    guard rest.isEmpty || rest.first?.isWhitespace == true else { return nil }
    return (String(line[..<colon].filter { $0 != "'" && $0 != "\"" }), rest.drop { $0 == " " })
  }
}
