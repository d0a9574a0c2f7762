/// Reads the import lines of a Swift source.
enum ImportScanner {
  private static let levels: Set<Substring> = ["public", "package", "internal", "fileprivate", "private"]
  private static let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "typealias", "func", "let", "var"]

  /// The modules a source imports: `GRDB` for `package import struct GRDB.Row`.
  static func modules(in source: String) -> [String] {
    SourceText.withoutComments(source).split(separator: "\n").compactMap(module)
  }

  private static func module(_ line: Substring) -> String? {
    var words = line.split(whereSeparator: \.isWhitespace)[...]
    while let first = words.first, first.hasPrefix("@") || levels.contains(first) { words = words.dropFirst() }
    guard words.first == "import" else { return nil }
    words = words.dropFirst()
    if let kind = words.first, kinds.contains(kind) { words = words.dropFirst() }
    return words.first?.split(whereSeparator: { ".;".contains($0) }).first.map(String.init)
  }
}
