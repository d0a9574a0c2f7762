/// What a source declares, line by line: enough to count and to list.
enum Declarations {
  /// The requirements of the protocols of these names, by protocol: each `func` and `var` directly within it.
  static func requirements(of protocols: Set<String>, in sources: [Repository.Source]) -> [String: Int] {
    var counts: [String: Int] = [:]
    for source in sources {
      var current: String?
      var depth = 0
      for line in lines(of: source) {
        let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
        if depth == 0, let name = name(after: ["protocol"], in: words), protocols.contains(name) {
          current = name
          counts[name, default: 0] += 0
        } else if depth == 1, let current, words.contains("func") || words.contains("var") {
          counts[current, default: 0] += 1
        }
        depth += line.count { $0 == "{" } - line.count { $0 == "}" }
        if depth == 0 { current = nil }
      }
    }
    return counts
  }

  /// The names of the types that are public at the top level, and of those that get something public in an extension.
  static func publicNames(in sources: [Repository.Source]) -> Set<String> {
    let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "actor", "typealias"]
    return sources.reduce(into: []) { names, source in
      var extended: String?
      for line in lines(of: source) {
        let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
        if line.first?.isWhitespace == false, words.contains("extension") {
          extended = name(after: ["extension"], in: words)
        }
        if line.first?.isWhitespace == false, words.contains(where: kinds.contains) { extended = nil }
        guard words.first == "public" || words.dropFirst().first == "public" else { continue }
        if let name = name(after: kinds.union(["extension"]), in: words), line.first?.isWhitespace == false {
          names.insert(name)
        } else if let extended, line.first?.isWhitespace == true {
          names.insert(extended)
        }
      }
    }
  }

  private static func lines(of source: Repository.Source) -> [Substring] {
    source.code.split(separator: "\n", omittingEmptySubsequences: false)
  }

  private static func name(after kinds: Set<Substring>, in words: [Substring]) -> String? {
    words.firstIndex(where: kinds.contains).flatMap { $0 + 1 < words.count ? String(words[$0 + 1]) : nil }
  }
}
