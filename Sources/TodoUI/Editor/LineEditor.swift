import Words

/// What a key does to the line that is typed. The raw value is the name of the command.
package enum LineEdit: String, CaseIterable, Sendable {
  case cursorLeft, cursorRight, wordLeft, wordRight, lineStart, lineEnd
  case deleteBack, deleteForward, cutWordBack, cutWordForward, cutToStart, cutToEnd, yank, transpose
}

/// One line of text under a cursor, with the keys of readline.
///
/// The text is kept in two halves, so that typed marks join the letter before the cursor, whatever the script.
struct LineEditor: Equatable, Sendable {
  private(set) var before: String
  private(set) var after = ""
  /// What was cut last, for Ctrl-Y.
  private(set) var killed = ""

  /// The cursor stands after the text.
  init(_ text: String = "") {
    before = Self.oneLine(text)
  }

  init(before: String, after: String) {
    self.before = Self.oneLine(before)
    self.after = Self.oneLine(after)
  }

  var text: String { before + after }

  /// Line breaks and tabs become spaces: an item is one line.
  mutating func insert(_ text: String) {
    before += Self.oneLine(text)
  }

  mutating func apply(_ edit: LineEdit) {
    switch edit {
    case .cursorLeft: move(from: \.before, to: \.after, last: true, count: before.isEmpty ? 0 : 1)
    case .cursorRight: move(from: \.after, to: \.before, last: false, count: after.isEmpty ? 0 : 1)
    case .wordLeft: move(from: \.before, to: \.after, last: true, count: wordBefore)
    case .wordRight: move(from: \.after, to: \.before, last: false, count: wordAfter)
    case .lineStart: move(from: \.before, to: \.after, last: true, count: before.count)
    case .lineEnd: move(from: \.after, to: \.before, last: false, count: after.count)
    case .deleteBack: before = String(before.dropLast())
    case .deleteForward: after = String(after.dropFirst())
    case .cutWordBack: cutBack(wordBefore)
    case .cutWordForward: cutForward(wordAfter)
    case .cutToStart: cutBack(before.count)
    case .cutToEnd: cutForward(after.count)
    case .yank: before += killed
    case .transpose: transpose()
    }
  }

  /// The word before the cursor, up to it: what a completion goes on from.
  var wordBeforeCursor: Substring {
    before.suffix(while: { !$0.isWhitespace })
  }

  /// Puts another word in the place of the one before the cursor.
  mutating func replaceWordBeforeCursor(with word: String) {
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

  private mutating func cutBack(_ count: Int) {
    guard count > 0 else { return }
    killed = String(before.suffix(count))
    before = String(before.dropLast(count))
  }

  private mutating func cutForward(_ count: Int) {
    guard count > 0 else { return }
    killed = String(after.prefix(count))
    after = String(after.dropFirst(count))
  }

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
