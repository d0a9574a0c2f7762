/// A pattern that is prepared to be compared with many texts in UTF-8. A text costs about one look at each byte.
package struct TextMatcher: Sendable {
  /// One form of a letter: up to four bytes, the first byte in the lowest bits.
  private struct Form: Sendable {
    let bytes: UInt32
    let count: Int
  }

  /// A letter in all its forms. Nearly all texts are mostly ASCII, so those forms are compared on their own.
  private struct Letter: Sendable {
    /// The small and the capital letter; 0xFF if there is none.
    let ascii: (UInt8, UInt8)
    let others: [Form]
  }

  private let letters: [Letter]
  /// For each byte: whether it can begin the first letter.
  private let beginnings: [Bool]
  private let fit: TextPattern.Fit

  package init(_ pattern: TextPattern) {
    let scalars = Array(pattern.word.unicodeScalars)
    let plain = scalars.filter { !LetterForms.isAccent($0) }
    // Accents alone are looked for as they are.
    let wanted = (plain.isEmpty ? scalars : plain).map(LetterForms.of)
    letters = wanted.map(Self.letter)
    var beginnings = [Bool](repeating: wanted.isEmpty, count: 256)
    for form in wanted.first ?? [] { beginnings[Int(Self.form(form).bytes & 0xFF)] = true }
    self.beginnings = beginnings
    fit = pattern.fit
  }

  package func matches(_ text: String) -> Bool {
    var text = text
    return text.withUTF8(matches)
  }

  package func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    switch fit {
    case .contained: stands(in: text) { _, _ in true }
    case .loosely: stands(in: text) { _, _ in true } || isScattered(in: text)
    case .wordBeginning: stands(in: text) { start, _ in isEdge(start - 1, of: text) }
    case .wholeWord: stands(in: text) { start, end in isEdge(start - 1, of: text) && isEdge(end, of: text) }
    case .belowFirstLine:
      text.firstIndex(of: Self.lineBreak).map { lineBreak in stands(in: text) { start, _ in start > lineBreak } }
        ?? false
    }
  }

  /// Returns true if the text has the word at a place that `accepts` allows.
  private func stands(in text: UnsafeBufferPointer<UInt8>, where accepts: (Int, Int) -> Bool) -> Bool {
    guard !letters.isEmpty else { return true }
    for start in 0..<text.count where beginnings[Int(text[start])] {
      if let end = end(from: start, in: text), accepts(start, end) { return true }
    }
    return false
  }

  /// Returns the end of the word that begins at `start`; nil if the word is not there.
  private func end(from start: Int, in text: UnsafeBufferPointer<UInt8>) -> Int? {
    var position = start
    for letter in letters {
      guard let length = length(of: letter, at: position, in: text) else { return nil }
      position += length
    }
    return position
  }

  /// Returns true if one word of the text has the letters in their order.
  private func isScattered(in text: UnsafeBufferPointer<UInt8>) -> Bool {
    var (position, found) = (0, 0)
    while position < text.count, found < letters.count {
      if isSeparator(text[position]) { found = 0 }
      if let length = length(of: letters[found], at: position, in: text) {
        found += 1
        position += length
      } else {
        position += 1
      }
    }
    return found == letters.count
  }

  /// The bytes of the letter at a place, with the accents behind it; nil if another letter is there.
  private func length(of letter: Letter, at position: Int, in text: UnsafeBufferPointer<UInt8>) -> Int? {
    guard position < text.count else { return nil }
    let first = text[position]
    if first < 0x80 {
      guard first == letter.ascii.0 || first == letter.ascii.1 else { return nil }
      return 1 + accents(at: position + 1, in: text)
    }
    for form in letter.others where position + form.count <= text.count {
      var (bytes, place) = (form.bytes, position)
      while bytes & 0xFF == text[place] {
        bytes >>= 8
        place += 1
        if place == position + form.count { return form.count + accents(at: place, in: text) }
      }
    }
    return nil
  }

  /// The bytes of the accents that begin at a place: U+0300 to U+036F are CC 80 to CD AF.
  private func accents(at position: Int, in text: UnsafeBufferPointer<UInt8>) -> Int {
    var place = position
    while place + 1 < text.count, text[place] == 0xCC || (text[place] == 0xCD && text[place + 1] < 0xB0) { place += 2 }
    return place - position
  }

  private static let lineBreak = UInt8(ascii: "\n")

  private func isSeparator(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == Self.lineBreak }

  private func isEdge(_ place: Int, of text: UnsafeBufferPointer<UInt8>) -> Bool {
    !text.indices.contains(place) || isSeparator(text[place])
  }

  private static func letter(_ forms: Set<Unicode.Scalar>) -> Letter {
    let ascii = forms.filter(\.isASCII).map { UInt8($0.value) }
    let small = ascii.first ?? 0xFF
    return Letter(ascii: (small, ascii.last ?? small), others: forms.filter { !$0.isASCII }.map(form))
  }

  private static func form(_ scalar: Unicode.Scalar) -> Form {
    let bytes = Array(String(scalar).utf8)
    return Form(bytes: bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }, count: bytes.count)
  }
}

/// A word to find in texts, and how it must match. Case and accents are ignored.
package struct TextPattern: Sendable, Hashable {
  package enum Fit: Int, Sendable, Hashable, CaseIterable {
    /// The text contains the word.
    case contained
    /// The text contains the word, or one of its words has the letters in their order: `plmb` matches `plumber`.
    case loosely
    /// A word of the text begins with the word. Words are separated by spaces and line breaks.
    case wordBeginning
    /// A word of the text equals the word.
    case wholeWord
    /// The text contains the word after its first line break.
    case belowFirstLine
  }

  package let word: String
  package let fit: Fit

  package init(_ word: String, _ fit: Fit) {
    self.word = word
    self.fit = fit
  }

  /// The same for all words that a pattern takes for one another, whatever their case and accents are.
  package static func folded(_ word: String) -> String { LetterForms.folded(word) }
}
