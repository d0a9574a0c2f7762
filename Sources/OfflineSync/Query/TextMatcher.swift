/// A pattern that is prepared to be compared with many texts in UTF-8. A text costs about one look at each byte.
package struct TextMatcher: Sendable {
  /// One form of a letter: up to four bytes, the first byte in the lowest bits.
  private struct Form: Sendable {
    let bytes: UInt32
    let count: Int
  }

  /// The letters of the word, each in all its cases.
  private let letters: [[Form]]
  /// For each byte: whether it can begin the first letter.
  private let beginnings: [Bool]
  private let fit: TextPattern.Fit

  package init(_ pattern: TextPattern) {
    letters = pattern.word.unicodeScalars.map { Self.cases(of: $0).map(Self.form) }
    var beginnings = [Bool](repeating: letters.isEmpty, count: 256)
    for form in letters.first ?? [] { beginnings[Int(form.bytes & 0xFF)] = true }
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
    for forms in letters {
      guard let length = length(of: forms, at: position, in: text) else { return nil }
      position += length
    }
    return position
  }

  /// Returns true if one word of the text has the letters in their order.
  private func isScattered(in text: UnsafeBufferPointer<UInt8>) -> Bool {
    var (position, found) = (0, 0)
    while position < text.count, found < letters.count {
      if text[position] == UInt8(ascii: " ") { found = 0 }
      if let length = length(of: letters[found], at: position, in: text) {
        found += 1
        position += length
      } else {
        position += 1
      }
    }
    return found == letters.count
  }

  private func length(of forms: [Form], at position: Int, in text: UnsafeBufferPointer<UInt8>) -> Int? {
    for form in forms where position + form.count <= text.count {
      var (bytes, place) = (form.bytes, position)
      while bytes & 0xFF == text[place] {
        bytes >>= 8
        place += 1
        if place == position + form.count { return form.count }
      }
    }
    return nil
  }

  private func isEdge(_ place: Int, of text: UnsafeBufferPointer<UInt8>) -> Bool {
    !text.indices.contains(place) || text[place] == UInt8(ascii: " ")
  }

  /// Returns the letter with its small and capital forms. Forms of several letters are left out.
  private static func cases(of scalar: Unicode.Scalar) -> Set<Unicode.Scalar> {
    let properties = scalar.properties
    let mappings = [properties.lowercaseMapping, properties.uppercaseMapping, properties.titlecaseMapping]
    return Set([scalar] + mappings.filter { $0.unicodeScalars.count == 1 }.compactMap(\.unicodeScalars.first))
  }

  private static func form(_ scalar: Unicode.Scalar) -> Form {
    let bytes = Array(String(scalar).utf8)
    return Form(bytes: bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }, count: bytes.count)
  }
}

/// A word to find in texts, and how it must match. Case is ignored.
package struct TextPattern: Sendable, Hashable {
  package enum Fit: Int, Sendable, Hashable, CaseIterable {
    /// The text contains the word.
    case contained
    /// The text contains the word, or one of its words has the letters in their order: `plmb` matches `plumber`.
    case loosely
    /// A word of the text begins with the word. Words are separated by spaces.
    case wordBeginning
    /// A word of the text equals the word.
    case wholeWord
  }

  package let word: String
  package let fit: Fit

  package init(_ word: String, _ fit: Fit) {
    self.word = word
    self.fit = fit
  }
}
