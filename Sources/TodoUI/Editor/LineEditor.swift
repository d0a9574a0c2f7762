import Words

/// The effect of a key on the line that is typed. The raw value is the name of the command.
package enum LineEdit: String, CaseIterable, Sendable {
  case cursorLeft, cursorRight, wordLeft, wordRight, lineStart, lineEnd
  case deleteBack, deleteForward, cutWordBack, cutWordForward, cutToStart, cutToEnd, yank, yankOlder
  case transpose, transposeWords, upcaseWord, downcaseWord, capitalizeWord
}

/// One line of text under a cursor, with the keys of readline.
///
/// The text is kept in two halves, so that typed marks join the letter before the cursor, whatever the script.
struct LineEditor: Equatable, Sendable {
  private(set) var before: String
  private(set) var after = ""
  /// It stands there to be replaced: the first letter that is typed takes its place. Any other key keeps it, and so
  /// does a space, behind which more of it is typed.
  private(set) var isSuggestion = false
  /// Pieces of text that were cut, the last at the end. Text cut in one go is one piece.
  private var killed: [String] = []
  /// The effect of the key before, as far as this one goes on from it.
  private var last = Last.other

  private enum Last: Equatable, Sendable {
    case other, cut
    /// The word before the cursor is whole: a letter begins the next one.
    case completed
    /// The piece with this index was put behind this text.
    case yanked(Int, behind: String)
  }

  /// The cursor stands after the text.
  init(_ text: String = "") {
    before = Self.oneLine(text)
  }

  init(suggestion: String) {
    self.init(suggestion)
    isSuggestion = !before.isEmpty
  }

  init(before: String, after: String) {
    self.before = Self.oneLine(before)
    self.after = Self.oneLine(after)
  }

  var text: String { before + after }
  var isBlank: Bool { text.allSatisfy(\.isWhitespace) }

  /// Puts the cursor before the character at this place.
  mutating func moveCursor(to place: Int) {
    last = .other
    isSuggestion = false
    let text = text
    before = String(text.prefix(max(0, place)))
    after = String(text.dropFirst(max(0, place)))
  }

  /// Line breaks and tabs become spaces: an item is one line.
  mutating func insert(_ text: String) {
    // The space comes with the next letter, so that none is left behind a word that ends the line.
    let space = last == .completed && text.first?.isWhitespace == false ? " " : ""
    last = .other
    if isSuggestion, text != " " { (before, after) = ("", "") }
    isSuggestion = false
    before += space + Self.oneLine(text)
  }

  mutating func apply(_ edit: LineEdit) {
    let previous = last
    last = .other
    isSuggestion = false
    switch edit {
    case .cursorLeft: move(from: \.before, to: \.after, last: true, count: before.isEmpty ? 0 : 1)
    case .cursorRight: move(from: \.after, to: \.before, last: false, count: after.isEmpty ? 0 : 1)
    case .wordLeft: move(from: \.before, to: \.after, last: true, count: wordBefore)
    case .wordRight: move(from: \.after, to: \.before, last: false, count: wordAfter)
    case .lineStart: move(from: \.before, to: \.after, last: true, count: before.count)
    case .lineEnd: move(from: \.after, to: \.before, last: false, count: after.count)
    case .deleteBack: before = String(before.dropLast())
    case .deleteForward: after = String(after.dropFirst())
    case .cutWordBack: cutBack(wordBefore, goesOn: previous == .cut)
    case .cutWordForward: cutForward(wordAfter, goesOn: previous == .cut)
    case .cutToStart: cutBack(before.count, goesOn: previous == .cut)
    case .cutToEnd: cutForward(after.count, goesOn: previous == .cut)
    case .yank: yank(killed.count - 1, behind: before)
    case .yankOlder:
      guard case .yanked(let index, let text) = previous else { return }
      yank(index > 0 ? index - 1 : killed.count - 1, behind: text)
    case .transpose: transpose()
    case .transposeWords: transposeWords()
    case .upcaseWord: changeWord { $0.uppercased() }
    case .downcaseWord: changeWord { $0.lowercased() }
    case .capitalizeWord: changeWord(Self.capitalized)
    }
  }

  /// The word before the cursor, up to it: what a completion goes on from.
  var wordBeforeCursor: Substring {
    before.suffix(while: { !$0.isWhitespace })
  }

  /// Puts another word in the place of the one before the cursor. After one that `isWhole` a space parts it from a
  /// letter.
  mutating func replaceWordBeforeCursor(with word: String, isWhole: Bool = false) {
    last = isWhole ? .completed : .other
    isSuggestion = false
    before = String(before.dropLast(wordBeforeCursor.count)) + word
  }

  private mutating func move(
    from source: WritableKeyPath<Self, String>, to target: WritableKeyPath<Self, String>, last: Bool, count: Int
  ) {
    let text = self[keyPath: source]
    if last {
      self[keyPath: target] = text.suffix(count) + self[keyPath: target]
      self[keyPath: source] = String(text.dropLast(count))
    } else {
      self[keyPath: target] += text.prefix(count)
      self[keyPath: source] = String(text.dropFirst(count))
    }
  }

  /// The character before the cursor moves over the one at it; at the end the last two change places.
  private mutating func transpose() {
    if after.isEmpty { apply(.cursorLeft) }
    guard let left = before.last, let right = after.first else { return apply(.lineEnd) }
    before = before.dropLast() + String(right) + String(left)
    after = String(after.dropFirst())
  }

  /// The word before the cursor, or the one it is in, and the next one change places; at the end the last two.
  private mutating func transposeWords() {
    let text = Array(text)
    let cursor = Array(before).count
    let starts = text.indices.filter { !text[$0].isWhitespace && ($0 == 0 || text[$0 - 1].isWhitespace) }
    let words = starts.map { $0..<(text[$0...].firstIndex(where: \.isWhitespace) ?? text.count) }
    guard let second = words.firstIndex(where: { $0.upperBound > cursor }) ?? words.indices.last, second > 0 else {
      return
    }
    let (left, right) = (words[second - 1], words[second])
    before = String(text[..<left.lowerBound] + text[right] + text[left.upperBound..<right.lowerBound] + text[left])
    after = String(text[right.upperBound...])
  }

  /// The cursor goes to the end of the word that is changed.
  private mutating func changeWord(_ change: (String) -> String) {
    let count = wordAfter
    before += change(String(after.prefix(count)))
    after = String(after.dropFirst(count))
  }

  private static func capitalized(_ word: String) -> String {
    guard let first = word.firstIndex(where: \.isLetter) else { return word }
    return word[..<first] + word[first].uppercased() + word[word.index(after: first)...].lowercased()
  }

  private mutating func yank(_ index: Int, behind text: String) {
    guard killed.indices.contains(index) else { return }
    before = text + killed[index]
    last = .yanked(index, behind: text)
  }

  private mutating func cutBack(_ count: Int, goesOn: Bool) {
    guard count > 0 else { return }
    let text = String(before.suffix(count))
    before = String(before.dropLast(count))
    keep(goesOn ? text + (killed.popLast() ?? "") : text)
  }

  private mutating func cutForward(_ count: Int, goesOn: Bool) {
    guard count > 0 else { return }
    let text = String(after.prefix(count))
    after = String(after.dropFirst(count))
    keep(goesOn ? (killed.popLast() ?? "") + text : text)
  }

  private mutating func keep(_ text: String) {
    killed.append(text)
    killed.removeFirst(max(0, killed.count - Self.mostKept))
    last = .cut
  }

  /// How many pieces can be had again.
  private static let mostKept = 20

  /// Characters back to the beginning of the word, the spaces between included.
  private var wordBefore: Int { Self.word(before.reversed()) }
  private var wordAfter: Int { Self.word(Array(after)) }

  private static func word(_ characters: [Character]) -> Int {
    let spaces = characters.prefix { $0.isWhitespace }.count
    return spaces + characters.dropFirst(spaces).prefix { !$0.isWhitespace }.count
  }

  private static func oneLine(_ text: String) -> String {
    guard text.contains(where: { $0.isNewline || $0 == "\t" }) else { return text }
    let spaced = text.map { $0.isNewline || $0 == "\t" ? " " : $0 }
    return String(spaced[..<(spaced.lastIndex { $0 != " " }.map { $0 + 1 } ?? 0)])
  }
}

extension StringProtocol {
  /// The longest end of it whose characters all fit.
  fileprivate func suffix(while fits: (Character) -> Bool) -> SubSequence {
    var start = endIndex
    while start > startIndex, fits(self[index(before: start)]) { formIndex(before: &start) }
    return self[start...]
  }
}
