import TableProtocol
import TodoCore

/// Reads Ebb's own JSON: what ``JSONListWriter`` writes, and the array that `ebb list --json` prints.
struct JSONListReader {
  private var reader: JSONReader
  private var lines: LineCounter
  private var characters: WholeCharacters
  private var result = ImportResult()

  private init(_ characters: WholeCharacters) throws {
    self.characters = characters
    reader = try JSONReader(characters.bytes)
    lines = LineCounter(characters.bytes)
    result.isExact = true
    result.countsItems = lines.isOneLine
  }

  static func read(_ text: String) throws(ImportProblem) -> ImportResult {
    let characters = WholeCharacters(Array(text.utf8))
    return try JSONText.read(characters.bytes, .json) {
      var list = try JSONListReader(characters)
      try list.readAll()
      return list.result
    }
  }

  private mutating func readAll() throws {
    if reader.next == .array {
      try readItems()
      return try reader.end()
    }
    var version = JSONListWriter.version
    var hasItems = false
    try reader.beginObject()
    while let name = try reader.nextName() {
      if name == "version", reader.next == .number {
        if case .integer(let number) = try reader.number() { version = Int(clamping: number) }
      } else if name == "items", reader.next == .array {
        hasItems = true
        try readItems()
      } else {
        try reader.raw()
      }
    }
    try reader.end()
    // A newer form may keep its items in any way.
    if version > JSONListWriter.version { throw ImportProblem.newerVersion(version) }
    if !hasItems { throw ImportProblem.notOfFormat(.json, line: nil) }
  }

  private mutating func readItems() throws {
    var count = 0
    try reader.beginArray()
    while try reader.nextElement() {
      count += 1
      let line = lines.isOneLine ? count : lines.line(of: reader.position)
      guard reader.next == .object else {
        try reader.raw()
        result.leaveOut(.malformed, line: line)
        continue
      }
      try readItem(line)
    }
  }

  private mutating func readItem(_ line: Int) throws {
    var item = PortableItem("")
    var text: String?
    var complete: Bool? = false
    var hasHalf = false
    var strange: [StrangeValue] = []
    try reader.beginObject()
    while let name = try reader.nextName() {
      switch name {
      case "id": item.id = try reader.textOrSkip().map { RecordID($0) }
      case "text": (text, hasHalf) = try readText()
      case "complete": complete = try reader.boolOrSkip()
      case "createdAt": item.created = try readTime(name, line, &strange)
      case "completedAt": item.completed = try readTime(name, line, &strange)
      default: try reader.raw()
      }
    }
    guard let complete, item.id?.isValid != false else { return result.leaveOut(.malformed, line: line) }
    guard let text else { return result.leaveOut(.noText, line: line) }
    (item.text, item.complete) = (text, complete)
    result.add(item, line: line)
    result.notUnderstood += strange
    if hasHalf { result.halfCharacters.append(line) }
  }

  /// Also returns whether it had half of a character.
  private mutating func readText() throws -> (text: String?, hasHalf: Bool) {
    let start = reader.position
    let text = try reader.textOrSkip()
    return (text, characters.hasHalf(in: start..<reader.position))
  }

  /// Reads a moment or a day. Notes any other value, unless it says that the time is not known.
  private mutating func readTime(
    _ name: String, _ line: Int, _ strange: inout [StrangeValue]
  ) throws -> PortableTime? {
    let isText = reader.next == .string
    let value = try isText ? reader.string() : String(decoding: reader.raw(), as: UTF8.self)
    if isText ? value.isEmpty : value == "null" { return nil }
    if isText, let time = JSONText.time(value) { return time }
    strange.append(StrangeValue(name, value, line: line))
    return nil
  }
}

enum JSONText {
  /// Makes a problem of what is wrong with the JSON. The bytes are those that the body reads.
  static func read(
    _ bytes: [UInt8], _ format: ExchangeFormat, _ body: () throws -> ImportResult
  ) throws(ImportProblem) -> ImportResult {
    do {
      return try body()
    } catch let problem as ImportProblem {
      throw problem
    } catch let error as JSONError {
      throw reason(for: error, in: bytes, format)
    } catch {
      throw .notOfFormat(format, line: nil)
    }
  }

  private static func reason(for error: JSONError, in bytes: [UInt8], _ format: ExchangeFormat) -> ImportProblem {
    var lines = LineCounter(bytes)
    let isOneLine = lines.isOneLine
    // At the end of the file, the last line that has something.
    let line = lines.line(of: min(error.position, bytes.lastIndex { $0 > 0x20 } ?? 0))
    let opening = bytes.first { $0 > 0x20 }
    guard opening == UInt8(ascii: "[") || opening == UInt8(ascii: "{") else {
      return .notOfFormat(format, line: isOneLine ? nil : line)
    }
    switch error.reason {
    case .notUTF8, .unexpected, .badEscape:
      return lacksEnd(bytes, at: error.position) ? .jsonEndsEarly(line: line) : .damagedJSON(line: line)
    case .numberOutOfRange, .tooDeep, .nestedValue, .wrongShape, .tooManyMembers:
      return .notOfFormat(format, line: isOneLine ? nil : line)
    }
  }

  /// Nothing but a part of a word follows this place.
  private static func lacksEnd(_ bytes: [UInt8], at position: Int) -> Bool {
    let rest = bytes[min(position, bytes.count)...]
    return ["true", "false", "null"].contains { $0.utf8.starts(with: rest) }
  }

  /// `2026-11-23T04:36:08.123Z` or `2026-11-23`. Nil for anything else.
  static func time(_ text: String) -> PortableTime? {
    Timestamp(text).map(PortableTime.moment) ?? CalendarDay(text).map(PortableTime.day)
  }
}

extension JSONReader {
  /// Reads a text. Reads over a value of another kind, and returns nil.
  mutating func textOrSkip() throws -> String? {
    if next == .string { return try string() }
    try raw()
    return nil
  }

  /// Goes into an array. Reads over any other value, and returns false.
  mutating func beginsArray() throws -> Bool {
    let isArray = next == .array
    if isArray { try beginArray() } else { try raw() }
    return isArray
  }

  /// Reads `true` or `false`. Reads over any other value, and returns nil.
  mutating func boolOrSkip() throws -> Bool? {
    if next == .word { return try word() }
    try raw()
    return nil
  }
}

/// The numbers of lines, from 1, of places that are asked for in order.
struct LineCounter {
  private let bytes: [UInt8]
  private var place = 0
  private var number = 1
  /// Then the number of a line says nothing.
  let isOneLine: Bool

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    let last = bytes.lastIndex { $0 > 0x20 } ?? 0
    isOneLine = !bytes[..<min(last, bytes.count)].contains(0x0A)
  }

  mutating func line(of position: Int) -> Int {
    while place < min(position, bytes.count) {
      if bytes[place] == 0x0A { number += 1 }
      place += 1
    }
    return number
  }
}
