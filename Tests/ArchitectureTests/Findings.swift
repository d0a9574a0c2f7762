/// What is wrong with a source, each as a sentence with its place.
enum Findings {
  static let longestFile = 400
  /// What brings the program down when something from outside is not as expected.
  static let crashes = ["try!", "as!", "fatalError(", "preconditionFailure("]
  /// What tells the compiler not to look, and so needs its reason beside it.
  static let unchecked = ["@unchecked Sendable", "nonisolated(unsafe)", "@preconcurrency"]

  static func all(in source: Repository.Source) -> [String] {
    wrongImports(in: source) + tooLong(source) + crashing(source) + unexplained(source)
  }

  static func wrongImports(in source: Repository.Source) -> [String] {
    let allowed = Rooms.allowed(in: source.room)
    return ImportScanner.modules(in: source.text).filter { !allowed.contains($0) }.map {
      "\(source.path): \(source.room) may not import \($0)"
    }
  }

  static func tooLong(_ source: Repository.Source) -> [String] {
    let count = source.text.split(separator: "\n", omittingEmptySubsequences: false).count - 1
    return count > longestFile ? ["\(source.path): \(count) lines, more than \(longestFile)"] : []
  }

  static func crashing(_ source: Repository.Source) -> [String] {
    numbered(source.code).flatMap { number, line in
      crashes.filter { line.contains($0) }.map { "\(source.path):\(number): \($0)" }
    }
  }

  /// A reason is a comment on the line itself or on the one above.
  static func unexplained(_ source: Repository.Source) -> [String] {
    let lines = source.text.split(separator: "\n", omittingEmptySubsequences: false)
    return numbered(source.code).flatMap { number, line in
      let beside = lines[max(0, number - 2)..<number]
      let explained = beside.contains { $0.contains("//") }
      return unchecked.filter { line.contains($0) && !explained }.map {
        "\(source.path):\(number): \($0) without a comment that says why it is true"
      }
    }
  }

  /// Rules and sections that a comment cites without an anchor in Resources/docs, and pages that are not there.
  static func unresolved(in source: Repository.Source, _ pages: Pages) -> [String] {
    let scanner = CitationScanner(path: source.path)
    return SourceText.comments(in: source.text).flatMap { comment in
      let dangling = scanner.citations(in: comment.text).filter { !pages.has($0) }.map { citation in
        "\(citation.text) has no anchor \(citation.anchor) in Resources/docs/\(citation.page)"
      }
      let documents = comment.text.matches(of: /[A-Za-z-]+\.md\b/).map { String($0.output) }
        .filter { $0 != "README.md" && pages.texts[$0] == nil }.map { "\($0) is not in Resources/docs" }
      return (dangling + documents).map { "\(source.path):\(comment.line): \($0)" }
    }
  }

  private static func numbered(_ text: String) -> [(number: Int, line: Substring)] {
    text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().map { ($0 + 1, $1) }
  }
}
