import TableProtocol

/// The merge of two changes of a line, word by word. It knows the signs of todo.txt, so that a merge gives no second
/// date.
struct LineMerge {
  private let texts: ThreeWay<ExactText>
  private let lines: ThreeWay<LineWords>
  private let merge: SequenceMerge
  /// The property that each word sets, by its number; nil for an ordinary word.
  private let properties: [Property?]

  /// A property of which a line has one value.
  private enum Property: Hashable {
    case priority, due, threshold, recurrence

    init?(_ word: ExactText) {
      let bytes = word.text.utf8
      if bytes.starts(with: "due:".utf8) {
        self = .due
      } else if bytes.starts(with: "t:".utf8) {
        self = .threshold
      } else if bytes.starts(with: "rec:".utf8) {
        self = .recurrence
      } else if bytes.count == 3, bytes.first == UInt8(ascii: "("), bytes.last == UInt8(ascii: ")"),
        bytes.dropFirst().first.map((UInt8(ascii: "A")...UInt8(ascii: "Z")).contains) == true
      {
        self = .priority
      } else {
        return nil
      }
    }
  }

  init?(_ texts: ThreeWay<ExactText>) {
    self.texts = texts
    lines = texts.map(LineWords.init)
    guard let merge = SequenceMerge(lines.map(\.words)) else { return nil }
    self.merge = merge
    properties = merge.words.map(Property.init)
  }

  /// Returns the line with both changes, or nil if they clash.
  func merged() -> String? { mergedByPlace() ?? TagMerge(lines).merged() }

  /// The same if the order of all words says something, that of tags too.
  func mergedByPlace() -> String? {
    guard let pieces = merge.pieces(stance: stance), hasNoNewProperty(pieces),
      let end = lines.map(\.end).undisputed
    else { return nil }
    var line = ""
    for piece in pieces {
      guard let gap = gap(before: piece) else { return nil }
      line += gap?.text ?? (line.isEmpty ? "" : " ")
      line += merge.words[merge.number(of: piece)].text
    }
    return line + end.text
  }

  /// A property means the same wherever it stands, but for a priority, which comes first: an edit that changes nothing
  /// else may touch an edit of words (M1).
  private func stance(_ edit: SequenceMerge.Edit) -> SequenceMerge.Stance {
    let changed = merge.numbers.base[edit.range] + edit.added
    guard changed.allSatisfy({ properties[$0] != nil }) else { return .open }
    return changed.contains { properties[$0] == .priority } ? .ahead : .behind
  }

  /// True if the result has no property more often than the side that has it more often (M4).
  private func hasNoNewProperty(_ pieces: [SequenceMerge.Piece]) -> Bool {
    let most = merge.most { properties[$0] }
    return SequenceMerge.counts(pieces.map(merge.number)) { properties[$0] }
      .allSatisfy { property, count in count <= most[property, default: 0] }
  }

  /// Returns the white space before a word of the result, nil in it for the usual. Returns nil if both sides changed
  /// it differently (M5). New words have the usual.
  private func gap(before piece: SequenceMerge.Piece) -> ExactText?? {
    guard case .kept(let place) = piece, let minePlace = merge.mine.places[place],
      let theirPlace = merge.theirs.places[place]
    else { return .some(nil) }
    return ThreeWay(
      base: lines.base.gaps[place], mine: lines.mine.gaps[minePlace], theirs: lines.theirs.gaps[theirPlace]
    ).undisputed
  }

  /// Returns the line with both changes, also where they touch; nil if one word was changed by both sides, or if
  /// nothing would be left. A side that has the same words keeps its white space.
  func touching() -> String? {
    guard let pieces = merge.pieces(mayTouch: true, stance: stance), !pieces.isEmpty, hasNoNewProperty(pieces) else {
      return nil
    }
    let numbers = pieces.map(merge.number)
    if numbers == merge.numbers.mine { return texts.mine.text }
    if numbers == merge.numbers.theirs { return texts.theirs.text }
    return numbers.map { merge.words[$0].text }.joined(separator: " ")
  }

  /// True if both sides put different words in the place of the same word. The words of both side by side would say
  /// something that nobody meant. Of two dates one is taken, so they do not count here.
  var needsChoice: Bool { merge.isReplacedTwice { properties[$0] == nil } }

  /// Returns a line with what both sides added and nothing that one of them removed, or the words of both if that would
  /// leave nothing; mine if it needs a choice. A priority that is the first word of a side comes first, since it counts
  /// only there.
  func suggestion() -> String {
    if let touching = touching() { return touching }
    if needsChoice { return texts.mine.text }
    var union = merge.union()
    if union.isEmpty { union = merge.bothSides() }
    if let priority = firstPriority, let place = union.firstIndex(where: { $0.number == priority }) {
      union.insert(union.remove(at: place), at: 0)
    }
    let valid = merge.limited(merge.limited(union) { $0 }) { properties[$0] }
    return valid.map { merge.words[$0.number].text }.joined(separator: " ")
  }

  private var firstPriority: Int? {
    [merge.numbers.mine.first, merge.numbers.theirs.first].compactMap(\.self).first { properties[$0] == .priority }
  }
}

/// The words of a line with the white space between them.
struct LineWords {
  /// Runs without a space or a tab.
  private(set) var words: [ExactText] = []
  /// The white space before each word; nil for the usual: one space, none at the beginning.
  private(set) var gaps: [ExactText?] = []
  /// The white space after the last word.
  private(set) var end = ExactText("")

  init(_ line: ExactText) {
    let bytes = line.text.utf8
    var rest = bytes[...]
    while let start = rest.firstIndex(where: { !Self.isSpace($0) }) {
      let gap = Substring(rest[..<start])
      let isUsual = words.isEmpty ? gap.isEmpty : gap.utf8.elementsEqual(" ".utf8)
      let stop = rest[start...].firstIndex(where: Self.isSpace) ?? bytes.endIndex
      words.append(ExactText(Substring(bytes[start..<stop])))
      gaps.append(isUsual ? nil : ExactText(gap))
      rest = bytes[stop...]
    }
    end = ExactText(Substring(rest))
  }

  static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}
