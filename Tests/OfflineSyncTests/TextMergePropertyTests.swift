import TableProtocol
import Testing

@testable import OfflineSync

@Suite("Properties of merged texts")
struct TextMergePropertyTests {
  /// Split in four so that they run beside each other.
  @Test("5,000 random triples of texts keep the rules of sync-rules row-7, from a printed seed", arguments: 1...4)
  func random(_ part: Int) {
    let seed = UInt64.random(in: .min ... .max)
    var texts = RandomTexts(seed: seed)
    var fitting = 0
    for _ in 0..<5_000 {
      let merge = CheckedMerge(texts.triple())
      if let problem = merge.problem {
        Issue.record("\(problem), seed \(seed): \(merge.texts) -> \(merge.result ?? "clash")")
        return
      }
      if merge.isOfBoth { fitting += 1 }
    }
    #expect(fitting > 500, "Too few merges of two changes, seed \(seed)")
  }
}

/// One merge and the rules that it must keep, checked by counting words.
private struct CheckedMerge {
  let texts: ThreeWay<String>
  let result: String?
  private let counted: ThreeWay<CountedText>

  init(_ texts: ThreeWay<String>) {
    self.texts = texts
    counted = texts.map(CountedText.init)
    result = TextMerge.merged(base: texts.base, mine: texts.mine, theirs: texts.theirs)
  }

  /// True if the result is none of the three texts.
  var isOfBoth: Bool {
    guard let result = result.map({ ExactText($0) }) else { return false }
    return ![texts.base, texts.mine, texts.theirs].map({ ExactText($0) }).contains(result)
  }

  /// The first rule that is broken.
  var problem: String? {
    if merged(texts.base, texts.theirs, texts.mine) != result.map({ ExactText($0) }) { return "not symmetric" }
    if merged(texts.base, texts.mine, texts.mine) != ExactText(texts.mine) { return "merge(B, X, X) is not X" }
    if merged(texts.base, texts.base, texts.theirs) != ExactText(texts.theirs) { return "merge(B, B, X) is not X" }
    return result.map(problem) ?? problemOfSuggestion
  }

  private func merged(_ base: String, _ mine: String, _ theirs: String) -> ExactText? {
    TextMerge.merged(base: base, mine: mine, theirs: theirs).map { ExactText($0) }
  }

  private func problem(of result: String) -> String? {
    if merged(texts.theirs, result, texts.theirs) != ExactText(result) { return "merge(T, result, T) is not result" }
    let text = CountedText(result)
    return problem(counted.map(\.line), text.line, "word") ?? problem(counted.map(\.note), text.note, "line")
      ?? problemOfProperties(text) ?? problemOfGaps(LineWords(text.firstLine))
  }

  private func problem(_ parts: ThreeWay<CountedWords>, _ result: CountedWords, _ name: String) -> String? {
    for word in Set(parts.base.words + result.words) {
      let count = result[word]
      if count > max(parts.mine[word], parts.theirs[word]) { return "M3: \(name) \(word.text) is doubled" }
      for side in [parts.mine, parts.theirs] {
        if side[word] < parts.base[word] && count > side[word] { return "M2: removed \(name) \(word.text) is back" }
        if side[word] > parts.base[word] && count < side[word] { return "added \(name) \(word.text) is lost" }
      }
    }
    // A date or the tags of one side beside the words of the other leave none of the base.
    let plain = { (words: CountedWords) in words.words.filter { !CountedText.isProperty($0) } }
    let untagged = { (words: CountedWords) in plain(words).filter { !CountedText.isTag($0) } }
    let isOfOneSide = [plain, untagged].contains { kind in
      kind(result) == kind(parts.mine) || kind(result) == kind(parts.theirs)
    }
    let hasWordOfBase = plain(parts.base).isEmpty || !Set(result.all).isDisjoint(with: parts.base.all)
    return isOfOneSide || hasWordOfBase ? nil : "no \(name) of the base is left"
  }

  private func problemOfProperties(_ result: CountedText) -> String? {
    let (counts, mine, theirs) = (result.properties, counted.mine.properties, counted.theirs.properties)
    return counts.first { $1 > max(mine[$0, default: 0], theirs[$0, default: 0]) }.map { "M4: two \($0.key)" }
  }

  /// White space is the usual, or somebody has it before that word.
  private func problemOfGaps(_ result: LineWords) -> String? {
    let lines = [counted.base, counted.mine, counted.theirs].map { LineWords($0.firstLine) }
    let known = lines.flatMap { zip($0.words, $0.gaps) }
    for (word, gap) in zip(result.words, result.gaps) {
      guard let gap else { continue }
      if !known.contains(where: { $0 == word && $1 == gap }) { return "M5: new white space before \(word.text)" }
    }
    return lines.contains { $0.end == result.end } ? nil : "M5: new white space at the end"
  }

  private var problemOfSuggestion: String? {
    let text = CountedText(TextMerge.suggestion(base: texts.base, mine: texts.mine, theirs: texts.theirs))
    for (result, parts) in [(text.line, counted.map(\.line)), (text.note, counted.map(\.note))] {
      let doubled = result.words.first { result[$0] > max(parts.mine[$0], parts.theirs[$0]) }
      if let doubled { return "the suggestion doubles \(doubled.text)" }
    }
    return problemOfProperties(text).map { "suggestion, \($0)" } ?? removedWord(in: text)
  }

  /// A word of the suggestion that neither both sides kept nor one of them added, unless nothing else is left, or one
  /// line has to be chosen: then it is mine.
  private func removedWord(in suggestion: CountedText) -> String? {
    if TextMerge.needsChoice(base: texts.base, mine: texts.mine, theirs: texts.theirs) {
      return suggestion.firstLine == counted.mine.firstLine ? nil : "the suggestion mixes lines"
    }
    var numbers = WordNumbers()
    let lines = counted.map { numbers.numbers(of: $0.line.all) }
    let sides = [lines.mine, lines.theirs].map { SequenceComparison(from: lines.base, to: $0) }
    let kept = lines.base.indices.filter { place in sides.allSatisfy { $0.places[place] != nil } }
    let allowed = kept.map { lines.base[$0] } + sides.flatMap(\.edits).flatMap(\.added)
    guard !allowed.isEmpty else { return nil }
    let words = Set(allowed.map { numbers.words[$0] })
    return suggestion.line.words.first { !words.contains($0) }.map { "the suggestion brings back \($0.text)" }
  }
}

/// How often each word stands in a sequence.
private struct CountedWords {
  let all: [ExactText]
  /// Blank ones left out.
  let words: [ExactText]
  private let counts: [ExactText: Int]

  init(_ all: [ExactText]) {
    self.all = all
    words = all.filter { !$0.text.allSatisfy(\.isWhitespace) }
    counts = words.reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }

  subscript(word: ExactText) -> Int { counts[word] ?? 0 }
}

/// The words of the first line and the lines of the note.
private struct CountedText {
  let firstLine: ExactText
  let line: CountedWords
  let note: CountedWords

  init(_ text: String) {
    let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
    firstLine = ExactText(lines[0])
    let words = lines[0].unicodeScalars.split { $0 == " " || $0 == "\t" }.map { ExactText(String($0)) }
    line = CountedWords(words)
    note = CountedWords(lines.dropFirst().map { ExactText($0) })
  }

  private static func property(_ word: ExactText) -> String? {
    ["due:", "t:", "(A)", "(B)"].first { word.text.hasPrefix($0) }
  }

  static func isProperty(_ word: ExactText) -> Bool { property(word) != nil }
  static func isTag(_ word: ExactText) -> Bool { ["+", "@"].contains { word.text.hasPrefix($0) } }

  var properties: [String: Int] {
    line.words.reduce(into: [:]) { counts, word in
      if let key = Self.property(word) { counts[key.hasPrefix("(") ? "priority" : key, default: 0] += 1 }
    }
  }
}
