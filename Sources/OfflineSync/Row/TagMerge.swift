import TableProtocol

/// The merge of the tags that both sides have at the end of a line, `+project` and `@context`.
///
/// Tags are a set: their order says nothing. So two sides may add and remove them at the same place (M7).
struct TagMerge {
  private let lines: ThreeWay<LineWords>
  /// The lines without the tags at their end.
  private let heads: ThreeWay<ExactText>
  private let tags: ThreeWay<[ExactText]>

  init(_ lines: ThreeWay<LineWords>) {
    self.lines = lines
    heads = lines.map(\.head)
    tags = lines.map(\.tags)
  }

  /// Returns the line with the tags of both sides. Returns nil if the words before them clash, or if the result would
  /// break M2 or M3.
  func merged() -> String? {
    guard isAboutTags, let head = mergedHead, !head.isEmpty, let tags = mergedTags,
      let end = lines.map(\.end).undisputed
    else { return nil }
    let line = ([head] + tags.map(\.text)).joined(separator: " ")
    return keepsChanges(LineWords(ExactText(line)).words) ? line + end.text : nil
  }

  /// True if somebody added or removed a tag of an item that has other words too: they say which item it is.
  private var isAboutTags: Bool {
    let sets = tags.map { Set($0) }
    return !heads.base.text.isEmpty && (sets.mine != sets.base || sets.theirs != sets.base)
  }

  private var mergedHead: String? {
    heads.undisputed?.text ?? LineMerge(heads)?.mergedByPlace()
  }

  /// The tags of the base that both sides kept, then the new ones. The side whose new tags come first by code point goes
  /// first, so that each device gets the same line. Nil if each side put another tag in the place of one that both
  /// removed.
  private var mergedTags: [ExactText]? {
    let (old, mine, theirs) = (Set(tags.base), Set(tags.mine), Set(tags.theirs))
    let newHere = tags.mine.filter { !old.contains($0) }
    let newThere = tags.theirs.filter { !old.contains($0) }
    let isReplaced = tags.base.contains { !mine.contains($0) && !theirs.contains($0) }
    if isReplaced, newHere != newThere, !newHere.isEmpty, !newThere.isEmpty { return nil }
    var new: [ExactText] = []
    for tag in [newHere, newThere].sorted(by: Self.isBefore).joined() where !new.contains(tag) {
      new.append(tag)
    }
    return tags.base.filter { mine.contains($0) && theirs.contains($0) } + new
  }

  private static func isBefore(_ left: [ExactText], _ right: [ExactText]) -> Bool {
    left.lexicographicallyPrecedes(right) { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }
  }

  /// True if each word that a side removed is gone, each that it added is there (M2), and none is there more often than
  /// on the side that has it more often (M3). A tag may also stand before other words.
  private func keepsChanges(_ result: [ExactText]) -> Bool {
    let counts = lines.map { Self.counts($0.words) }
    let resultCounts = Self.counts(result)
    return Set(counts.base.keys).union(counts.mine.keys).union(counts.theirs.keys).allSatisfy { word in
      let count = resultCounts[word, default: 0]
      let old = counts.base[word, default: 0]
      let sides = [counts.mine[word, default: 0], counts.theirs[word, default: 0]]
      return sides.contains { count <= $0 }
        && sides.allSatisfy { $0 == old || ($0 < old ? count <= $0 : count >= $0) }
    }
  }

  private static func counts(_ words: [ExactText]) -> [ExactText: Int] {
    words.reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }
}

extension LineWords {
  /// The tags after the last other word.
  fileprivate var tags: [ExactText] { Array(words[headCount...]) }

  /// The words before those tags, with their white space.
  fileprivate var head: ExactText {
    var text = ""
    for (word, gap) in zip(words, gaps).prefix(headCount) {
      text += gap?.text ?? (text.isEmpty ? "" : " ")
      text += word.text
    }
    return ExactText(text)
  }

  private var headCount: Int { words.count - words.reversed().prefix(while: Self.isTag).count }

  private static func isTag(_ word: ExactText) -> Bool {
    guard let sign = word.text.utf8.first, word.text.utf8.count > 1 else { return false }
    return sign == UInt8(ascii: "+") || sign == UInt8(ascii: "@")
  }
}
