import Glibc

/// The texts of a `.strings` file by their names: an index over the bytes of the file, which stay where they are.
///
/// It is made before the first screen, which shows a few dozen of the thousand texts. So a text becomes a `String`
/// when it is asked for, and a name never does.
struct TextIndex: Sendable, Equatable {
  static let empty = TextIndex()

  private let source: TextSource
  private var entries: [Entry] = []
  /// Positions in `entries`, counted from 1, at the hash of the name or after it; 0 if the place is free. As many as a
  /// power of two, and more than half of them free.
  private var places = [UInt16](repeating: 0, count: 4_096)

  private struct Entry: Sendable {
    var name: Range<Int32>
    /// As it stands in the file, with its backslashes.
    var text: Range<Int32>
  }

  private init() {
    source = .bytes([])
  }

  /// Throws the number of the first line that is neither a text, a comment, nor empty.
  init(_ source: TextSource) throws(CatalogueError) {
    self.source = source
    entries.reserveCapacity(places.count / 3)
    try source.withBytes { bytes throws(CatalogueError) in try read(bytes) }
  }

  /// All texts by their names.
  var texts: [String: String] {
    source.withBytes { bytes in
      entries.reduce(into: [:]) { texts, entry in
        texts[String(decoding: Self.slice(bytes, entry.name), as: UTF8.self)] = Self.unescaped(bytes, entry.text)
      }
    }
  }

  /// They have the same texts, wherever the bytes are.
  static func == (left: TextIndex, right: TextIndex) -> Bool {
    left.source == right.source || left.texts == right.texts
  }

  /// The text of this name. Of several with the same name the last one counts.
  subscript(name: String) -> String? {
    var name = name
    return name.withUTF8 { name in
      source.withBytes { bytes in
        let number = Int(places[place(of: name, in: bytes)])
        return number == 0 ? nil : Self.unescaped(bytes, entries[number - 1].text)
      }
    }
  }

  private mutating func read(_ bytes: UnsafeBufferPointer<UInt8>) throws(CatalogueError) {
    var inComment = false
    var number = 0
    var start = 0
    while start <= bytes.count {
      let end = bytes.firstIndex(of: TextLine.newline, in: start..<bytes.count) ?? bytes.count
      let line = TextLine(bytes, start..<end)
      number += 1
      start = end + 1
      if inComment || line.startsComment {
        inComment = !line.endsComment
      } else if !line.isBlank {
        guard let (name, text) = line.entry else { throw CatalogueError(line: number) }
        insert(Entry(name: Self.short(name), text: Self.short(text)), bytes)
      }
    }
  }

  private static func short(_ range: Range<Int>) -> Range<Int32> {
    Int32(range.lowerBound)..<Int32(range.upperBound)
  }

  private mutating func insert(_ entry: Entry, _ bytes: UnsafeBufferPointer<UInt8>) {
    let place = place(of: Self.slice(bytes, entry.name), in: bytes)
    let number = Int(places[place])
    if number > 0 {
      entries[number - 1] = entry
      return
    }
    entries.append(entry)
    places[place] = UInt16(entries.count)
    if entries.count * 2 > places.count { grow(bytes) }
  }

  private mutating func grow(_ bytes: UnsafeBufferPointer<UInt8>) {
    places = [UInt16](repeating: 0, count: places.count * 2)
    for (index, entry) in entries.enumerated() {
      places[place(of: Self.slice(bytes, entry.name), in: bytes)] = UInt16(index + 1)
    }
  }

  /// Where the name stands, or where it would.
  private func place(of name: UnsafeBufferPointer<UInt8>, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
    var place = Int(truncatingIfNeeded: Self.hash(name)) & (places.count - 1)
    while places[place] > 0, !Self.slice(bytes, entries[Int(places[place]) - 1].name).elementsEqual(name) {
      place = (place + 1) & (places.count - 1)
    }
    return place
  }

  /// FNV-1a, which is short and spreads names well; nothing here comes from outside.
  private static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt32 {
    var hash: UInt32 = 2_166_136_261
    for byte in bytes { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
    return hash
  }

  private static func slice(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int32>) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: bytes[Int(range.lowerBound)..<Int(range.upperBound)])
  }

  /// The text without the backslashes that quote its characters; `\n` is a line break.
  private static func unescaped(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int32>) -> String {
    let text = slice(bytes, range)
    guard text.contains(TextLine.backslash) else { return String(decoding: text, as: UTF8.self) }
    var result: [UInt8] = []
    var rest = text.makeIterator()
    while let byte = rest.next() {
      guard byte == TextLine.backslash, let next = rest.next() else {
        result.append(byte)
        continue
      }
      result.append(next == UInt8(ascii: "n") ? TextLine.newline : next)
    }
    return String(decoding: result, as: UTF8.self)
  }
}

/// Where the bytes of a `.strings` file are.
enum TextSource: Sendable, Equatable {
  /// In the program.
  case builtIn(Language)
  case bytes([UInt8])

  func withBytes<Value, Failure: Error>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    switch self {
    case .builtIn(let language): try body(language.bytes)
    case .bytes(let bytes): try bytes.withUnsafeBufferPointer(body)
    }
  }
}

/// One line of a `.strings` file without the white space around it.
private struct TextLine {
  static let newline = UInt8(ascii: "\n")
  static let backslash = UInt8(ascii: "\\")
  private static let quote = UInt8(ascii: "\"")

  private let bytes: UnsafeBufferPointer<UInt8>
  private let range: Range<Int>

  init(_ bytes: UnsafeBufferPointer<UInt8>, _ line: Range<Int>) {
    var (start, end) = (line.lowerBound, line.upperBound)
    while start < end, Self.isSpace(bytes[start]) { start += 1 }
    while start < end, Self.isSpace(bytes[end - 1]) { end -= 1 }
    self.bytes = bytes
    range = start..<end
  }

  /// Nothing, or a comment to the end of the line.
  var isBlank: Bool { range.isEmpty || has("//", at: range.lowerBound) }
  var startsComment: Bool { has("/*", at: range.lowerBound) }
  var endsComment: Bool { range.count >= 2 && has("*/", at: range.upperBound - 2) }

  /// `"name" = "text";` with `\"`, `\\` and `\n` inside the quotes of the text: where both stand in the file. Nil for
  /// anything else.
  var entry: (name: Range<Int>, text: Range<Int>)? {
    let (start, end) = (range.lowerBound + 1, range.upperBound - 2)
    guard start <= end, bytes[start - 1] == Self.quote, has("\";", at: end),
      let close = bytes.firstIndex(of: Self.quote, in: start..<end)
    else { return nil }
    let between: StaticString = "\" = \""
    let text = close + between.utf8CodeUnitCount
    guard text <= end, has(between, at: close) else { return nil }
    return (start..<close, text..<end)
  }

  private func has(_ text: StaticString, at start: Int) -> Bool {
    let count = text.utf8CodeUnitCount
    return range.upperBound - start >= count && (0..<count).allSatisfy { bytes[start + $0] == text.utf8Start[$0] }
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }
}

extension UnsafeBufferPointer<UInt8> {
  /// The C library looks at many bytes at once.
  fileprivate func firstIndex(of byte: UInt8, in range: Range<Int>) -> Int? {
    guard !range.isEmpty, let base = UnsafeRawPointer(baseAddress) else { return nil }
    return memchr(base + range.lowerBound, Int32(byte), range.count).map { UnsafeRawPointer($0) - base }
  }
}
