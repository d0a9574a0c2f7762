/// Finds switches over enums of our own that end in `default`: a case that is forgotten there compiles and does
/// nothing.
///
/// A name tells whose enum it is: a switch is over one of ours if its patterns name a case that the sources declare.
/// Where a foreign enum has a case of the same name, this finds too much.
enum SwitchScanner {
  /// What Optional and Result bring along.
  private static let common: Set<String> = ["some", "none", "success", "failure"]

  /// The lines of each `default:` in a switch whose patterns name one of these cases.
  static func defaults(in code: String, cases: Set<String>) -> [Int] {
    var walk = SwitchWalk(code)
    walk.run()
    return walk.switches.compactMap { found in
      found.defaultLine.flatMap { found.names.subtracting(common).isDisjoint(with: cases) ? nil : $0 }
    }.sorted()
  }

  /// The names of the cases of all enums that the code declares. Both take code without comments.
  static func cases(in code: String) -> Set<String> {
    var walk = SwitchWalk(code)
    walk.run()
    return walk.cases
  }
}

/// One walk over the code of a file, which has no comments and only empty strings.
private struct SwitchWalk {
  struct Switch {
    /// The names behind a dot at the beginning of a pattern, or of a part of one.
    var names: Set<String> = []
    var defaultLine: Int?
  }

  private enum Block {
    case found(Switch)
    case declared
    case other
  }

  /// Words that a pattern may follow.
  private static let keywords: Set<Substring> = ["case", "where", "let", "var", "in", "is", "as"]

  private let tokens: [(text: Substring, line: Int)]
  private var position = 0
  private var blocks: [Block] = []
  /// What the next brace opens.
  private var coming: Block?

  private(set) var switches: [Switch] = []
  private(set) var cases: Set<String> = []

  init(_ code: String) {
    tokens = code.split(separator: "\n", omittingEmptySubsequences: false).enumerated().flatMap { index, line in
      Self.tokens(of: line).map { ($0, index + 1) } + [("\n", index + 1)]
    }
  }

  mutating func run() {
    while position < tokens.count {
      step(tokens[position].text)
      position += 1
    }
  }

  private mutating func step(_ token: Substring) {
    switch token {
    case "switch": coming = .found(Switch())
    case "enum": coming = .declared
    case "{":
      blocks.append(coming ?? .other)
      coming = nil
    case "}":
      if case .found(let found) = blocks.popLast() { switches.append(found) }
    case "case": readCase()
    case "default": noteDefault()
    default: break
    }
  }

  private mutating func noteDefault() {
    guard case .found(var found) = blocks.last, next == ":" else { return }
    found.defaultLine = tokens[position].line
    blocks[blocks.count - 1] = .found(found)
  }

  private mutating func readCase() {
    switch blocks.last {
    case .found(var found):
      // `if case`, `guard case` and `, case` are conditions within a case.
      guard !["if", "guard", "while", "for", ","].contains(previous) else { return }
      found.names.formUnion(patternNames())
      blocks[blocks.count - 1] = .found(found)
    case .declared: cases.formUnion(declaredNames())
    case .other, nil: break
    }
  }

  /// Up to the colon outside of parentheses: the names behind a dot that no word precedes.
  private mutating func patternNames() -> Set<String> {
    var names: Set<String> = []
    var depth = 0
    while position + 1 < tokens.count {
      position += 1
      let token = tokens[position].text
      if token == "(" || token == "[" { depth += 1 }
      if token == ")" || token == "]" { depth -= 1 }
      if token == ":", depth == 0 { break }
      let followsValue = Self.isWord(previous) && !Self.keywords.contains(previous) || previous == ")"
      if token == ".", !followsValue, Self.isWord(next) { names.insert(String(next)) }
    }
    return names
  }

  /// Up to the end of the line, and on behind a comma: the names of the cases.
  private mutating func declaredNames() -> Set<String> {
    var names: Set<String> = []
    var depth = 0
    var expectsName = true
    while position + 1 < tokens.count {
      let token = next
      if depth == 0, token == "\n", previousOfNext != "," { break }
      position += 1
      if token == "(" { depth += 1 }
      if token == ")" { depth -= 1 }
      if depth == 0, token == "," { expectsName = true }
      if expectsName, Self.isWord(token) {
        names.insert(token.filter { $0 != "`" })
        expectsName = false
      }
    }
    return names
  }

  private var next: Substring { position + 1 < tokens.count ? tokens[position + 1].text : "" }
  private var previous: Substring { position > 0 ? tokens[position - 1].text : "" }
  private var previousOfNext: Substring { tokens[position].text }

  private static func isWord(_ token: Substring) -> Bool {
    token.first.map { $0.isLetter || $0 == "_" || $0 == "`" } == true
  }

  private static func tokens(of line: Substring) -> [Substring] {
    var tokens: [Substring] = []
    var rest = line.drop(while: \.isWhitespace)
    while let first = rest.first {
      let isWord = first.isLetter || first.isNumber || first == "_" || first == "`"
      let token = isWord ? rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "`" } : rest.prefix(1)
      tokens.append(token)
      rest = rest.dropFirst(token.count).drop(while: \.isWhitespace)
    }
    return tokens
  }
}
