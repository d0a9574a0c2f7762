/// The map of rooms in the README: the lines of the fenced block that begins with `Sources/`.
enum ReadmeMap {
  /// The names in the block, one a line, each before a slash.
  static func rooms(in readme: String) -> [String] {
    let lines = readme.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.drop { !$0.hasPrefix("Sources/") }.dropFirst()
      .prefix { $0.hasPrefix("  ") }
      .compactMap { line in
        let name = line.prefix { $0 != "/" }
        return name.count < line.count && line.prefix(3).last != " "
          ? String(name.drop(while: \.isWhitespace)) : nil
      }
  }
}
