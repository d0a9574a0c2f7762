/// Walks over a JSON document once, without a tree in between: the counterpart of ``JSONWriter``.
///
/// A page of thousands of rows is read many times faster than Foundation's decoder reads it. It
/// accepts RFC 8259 and nothing besides, save a byte order mark at the start: no stray commas, no bare
/// control characters, no half of a surrogate pair, no number out of range, nothing that is not UTF-8,
/// and nothing nested deeper than ``deepest``. For all bytes it ends with a value or with
/// ``JSONError``.
package struct JSONReader: Sendable {
  /// Arrays and objects within one another.
  package static let deepest = 128

  /// The kind of the value that comes next, as its first byte tells.
  package enum Kind: Sendable, Hashable {
    case object, array, string, number, word
  }

  let bytes: [UInt8]
  package internal(set) var position = 0
  private var depth = 0
  /// A value was read in the array or object that is open: a comma comes before the next one.
  private var wantsComma = false
  private var valueEnd = 0

  package init(_ bytes: [UInt8]) throws(JSONError) {
    guard (try? UTF8Span(validating: bytes.span)) != nil else { throw JSONError(.notUTF8, at: 0) }
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    skipSpace()
  }

  /// Nil where no value begins.
  package var next: Kind? {
    switch byte {
    case UInt8(ascii: "\""): .string
    case UInt8(ascii: "{"): .object
    case UInt8(ascii: "["): .array
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): .number
    case UInt8(ascii: "a")...UInt8(ascii: "z"): .word
    default: nil
    }
  }

  /// Throws unless everything has been read.
  package func end() throws(JSONError) {
    guard position == bytes.count else { throw failure }
  }

  /// Goes into an object; then ``nextName()`` until it gives nil, reading a value after each name.
  package mutating func beginObject() throws(JSONError) {
    try open(UInt8(ascii: "{"))
  }

  /// The name of the next member; nil at the end of the object.
  package mutating func nextName() throws(JSONError) -> String? {
    guard try goesOn(until: UInt8(ascii: "}")) else { return nil }
    guard next == .string else { throw failure }
    let name = try string()
    try skip(UInt8(ascii: ":"))
    return name
  }

  /// ``nextName()`` without the name.
  private mutating func skipName() throws(JSONError) -> Bool {
    guard try goesOn(until: UInt8(ascii: "}")) else { return false }
    guard next == .string else { throw failure }
    try skipString()
    try skip(UInt8(ascii: ":"))
    return true
  }

  /// Goes into an array; then ``nextElement()`` until it gives false, reading a value after each.
  package mutating func beginArray() throws(JSONError) {
    try open(UInt8(ascii: "["))
  }

  /// True when an element follows; false at the end of the array.
  package mutating func nextElement() throws(JSONError) -> Bool {
    try goesOn(until: UInt8(ascii: "]"))
  }

  /// Reads `true`, `false` or `null`; nil is null.
  package mutating func word() throws(JSONError) -> Bool? {
    for (word, value) in [("true", true), ("false", false), ("null", nil)] as [(StaticString, Bool?)] {
      let end = position + word.utf8CodeUnitCount
      let text = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
      guard end <= bytes.count, bytes[position..<end].elementsEqual(text) else { continue }
      position = end
      finishValue()
      return value
    }
    throw failure
  }

  /// Reads over a value of any kind, and gives the bytes it takes: they are JSON.
  @discardableResult
  package mutating func raw() throws(JSONError) -> ArraySlice<UInt8> {
    let start = position
    switch next {
    case .object:
      try beginObject()
      while try skipName() { try raw() }
    case .array:
      try beginArray()
      while try nextElement() { try raw() }
    case .string: try skipString()
    case .number: _ = try number()
    case .word: _ = try word()
    case nil: throw failure
    }
    return bytes[start..<valueEnd]
  }
}

extension JSONReader {
  /// 0 past the end: no byte of a document, as a text has it only escaped.
  var byte: UInt8 { position < bytes.count ? bytes[position] : 0 }

  var failure: JSONError { JSONError(.unexpected, at: position) }

  /// Takes note that a value ends here.
  mutating func finishValue() {
    valueEnd = position
    wantsComma = true
    skipSpace()
  }

  private mutating func skipSpace() {
    while byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
  }

  private mutating func skip(_ sign: UInt8) throws(JSONError) {
    guard byte == sign else { throw failure }
    position += 1
    skipSpace()
  }

  private mutating func open(_ sign: UInt8) throws(JSONError) {
    guard depth < Self.deepest else { throw JSONError(.tooDeep, at: position) }
    try skip(sign)
    depth += 1
    wantsComma = false
  }

  private mutating func goesOn(until end: UInt8) throws(JSONError) -> Bool {
    if byte == end {
      position += 1
      depth -= 1
      finishValue()
      return false
    }
    if wantsComma { try skip(UInt8(ascii: ",")) }
    wantsComma = false
    return true
  }
}

/// Why bytes are not the JSON that was expected.
package struct JSONError: Error, Sendable, Hashable {
  package enum Reason: Sendable, Hashable {
    case notUTF8
    /// Another sign than the grammar allows here, or the end.
    case unexpected
    /// An unknown escape, or half of a surrogate pair.
    case badEscape
    case numberOutOfRange
    /// More arrays and objects within one another than ``JSONReader/deepest``.
    case tooDeep
    /// JSON, but a column holds an object or an array, which the table protocol has not.
    case nestedValue
    /// JSON, but not of the shape that was expected: a member is missing or of another kind.
    case wrongShape
    /// JSON, but an object has more members, or longer ones, than are read.
    case tooManyMembers
  }

  package let reason: Reason
  /// Bytes from the start of the document.
  package let position: Int

  package init(_ reason: Reason, at position: Int) {
    self.reason = reason
    self.position = position
  }

  /// True if a text or a number is not one that can be kept, and what surrounds it can be read all the same.
  package var isAboutContent: Bool { reason == .badEscape || reason == .numberOutOfRange || reason == .tooDeep }

  /// True when the bytes may be JSON, but do not say what they should.
  package var isAboutMeaning: Bool { reason == .nestedValue || reason == .wrongShape }
}
