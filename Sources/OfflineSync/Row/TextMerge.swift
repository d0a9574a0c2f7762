import TableProtocol

/// Merges two changes of one text (sync-rules row-7): the first line by words, the lines after it, the note, by lines.
///
/// Changes fit together if at least one word (line) that neither side touched stands between them, and if no word
/// that one side removed is among those that the other added. A date, say, may stand beside a changed word. The tags at
/// the end of the line are a set. Words are compared code point by code point.
package enum TextMerge {
  /// Returns the text with both changes, or nil if they clash. `mine` and `theirs` can be exchanged.
  package static func merged(base: String, mine: String, theirs: String) -> String? {
    let texts = ThreeWay(base: base, mine: mine, theirs: theirs).map(TextParts.init)
    guard let line = line(texts.map(\.line)), let note = note(texts.map(\.note)) else { return nil }
    return TextParts(line: line, note: note).text
  }

  private static func line(_ texts: ThreeWay<ExactText>) -> ExactText? {
    texts.undisputed ?? LineMerge(texts)?.merged().map { ExactText($0) }
  }

  private static func note(_ notes: ThreeWay<[ExactText]>) -> [ExactText]? {
    notes.undisputed ?? NoteMerge(notes)?.merged()
  }

  /// Returns a text for a person to start from if the changes clash: the words that neither side removed, and those that
  /// each added (sync-rules row-7, proposal).
  ///
  /// It holds no word more often than the side that has it more often (M3), and no second date or priority that
  /// neither side has (M4). A part that is too long is mine, and so is a first line of which a person has to choose.
  package static func suggestion(base: String, mine: String, theirs: String) -> String {
    let texts = ThreeWay(base: base, mine: mine, theirs: theirs).map(TextParts.init)
    let (lines, notes) = (texts.map(\.line), texts.map(\.note))
    return TextParts(
      line: line(lines) ?? LineMerge(lines).map { ExactText($0.suggestion()) } ?? lines.mine,
      note: note(notes) ?? NoteMerge(notes)?.suggestion() ?? notes.mine
    ).text
  }

  /// True if both sides put different words in the place of the same word of the first line: a person has to choose
  /// between them.
  package static func needsChoice(base: String, mine: String, theirs: String) -> Bool {
    let lines = ThreeWay(base: base, mine: mine, theirs: theirs).map { TextParts($0).line }
    return line(lines) == nil && LineMerge(lines)?.needsChoice == true
  }

  /// True if `text` has a word of the first line, or a line of the note, that `new` added to `old`.
  static func sharesNewWord(of new: String, since old: String, with text: String) -> Bool {
    let (new, old, text) = (TextParts(new), TextParts(old), TextParts(text))
    func sharesNew(_ words: (TextParts) -> [ExactText]) -> Bool {
      !Set(words(new)).subtracting(words(old)).isDisjoint(with: words(text))
    }
    return sharesNew { LineWords($0.line).words } || sharesNew { $0.note.filter { !NoteMerge.isBlank($0) } }
  }
}

/// The three values that a merge goes by: one of the common copy, and one of each side.
struct ThreeWay<Value> {
  let base: Value
  let mine: Value
  let theirs: Value

  func map<Other>(_ transform: (Value) throws -> Other) rethrows -> ThreeWay<Other> {
    try ThreeWay<Other>(base: transform(base), mine: transform(mine), theirs: transform(theirs))
  }
}

extension ThreeWay where Value: Equatable {
  /// The value of the only side that changed it, or of both if they agree. Nil if they do not (sync-rules row-7).
  var undisputed: Value? {
    if mine == theirs || mine == base { return theirs }
    return theirs == base ? mine : nil
  }
}

/// The two parts of a text, which are merged apart from each other.
private struct TextParts {
  /// The first line.
  let line: ExactText
  /// The lines after it.
  let note: [ExactText]

  init(line: ExactText, note: [ExactText]) {
    self.line = line
    self.note = note
  }

  init(_ text: String) {
    let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { ExactText(String(Substring($0))) }
    line = lines[0]
    note = Array(lines.dropFirst())
  }

  var text: String { ([line] + note).map(\.text).joined(separator: "\n") }
}

/// The merge of two changes of a note, line by line.
private struct NoteMerge {
  private let merge: SequenceMerge
  /// The numbers of blank lines. They are layout, not words (M5).
  private let layout: Set<Int>

  init?(_ notes: ThreeWay<[ExactText]>) {
    guard let merge = SequenceMerge(notes) else { return nil }
    self.merge = merge
    layout = Set(merge.words.indices.filter { Self.isBlank(merge.words[$0]) })
  }

  static func isBlank(_ line: ExactText) -> Bool {
    line.text.utf8.allSatisfy { LineWords.isSpace($0) || $0 == UInt8(ascii: "\r") }
  }

  func merged() -> [ExactText]? {
    merge.pieces(layout: layout)?.map { merge.words[merge.number(of: $0)] }
  }

  func suggestion() -> [ExactText] {
    if let pieces = merge.pieces(layout: layout, mayTouch: true) {
      return pieces.map { merge.words[merge.number(of: $0)] }
    }
    if let lines = lineByLine() { return lines }
    return merge.limited(merge.union()) { layout.contains($0) ? nil : $0 }.map { merge.words[$0.number] }
  }

  /// The lines with both changes, if no line came and none went; of a line that does not merge both copies. Nil if a
  /// line would be there twice by that.
  private func lineByLine() -> [ExactText]? {
    let notes = merge.numbers.map { numbers in numbers.map { merge.words[$0] } }
    guard notes.base.count == notes.mine.count, notes.base.count == notes.theirs.count else { return nil }
    let lines = notes.base.indices.flatMap { place in
      let texts = ThreeWay(base: notes.base[place], mine: notes.mine[place], theirs: notes.theirs[place])
      let line = texts.undisputed ?? LineMerge(texts)?.touching().map { ExactText($0) }
      return line.map { [$0] } ?? [texts.mine, texts.theirs]
    }
    let most = merge.most { merge.words[$0] }
    let counts = Dictionary(lines.map { ($0, 1) }, uniquingKeysWith: +)
    let isDoubled = counts.contains { line, count in !Self.isBlank(line) && count > most[line, default: 1] }
    return isDoubled ? nil : lines
  }
}
