import TableProtocol
import TodoCore

/// Reads Ebb's own JSON: what ``JSONListWriter`` writes, and the array that `ebb list --json` prints.
struct JSONListReader {
  private var reader: JSONReader
  private var lines: LineCounter
  private var result = ImportResult()

  private init(_ bytes: [UInt8]) throws {
    reader = try JSONReader(bytes)
    lines = LineCounter(bytes)
    result.isExact = true
    result.countsItems = lines.isOneLine
  }

  static func read(_ text: String) throws(ImportProblem) -> ImportResult {
    try JSONText.read(text, .json) { bytes in
      var list = try JSONListReader(bytes)
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
    try reader.beginObject()
    while let name = try reader.nextName() {
      switch name {
      case "id": item.id = try reader.textOrSkip().map { RecordID($0) }
      case "text": text = try reader.textOrSkip()
      case "complete": complete = try reader.boolOrSkip()
      case "createdAt": item.created = try reader.textOrSkip().flatMap(JSONText.time)
      case "completedAt": item.completed = try reader.textOrSkip().flatMap(JSONText.time)
      default: try reader.raw()
      }
    }
    guard let complete, item.id?.isValid != false else { return result.leaveOut(.malformed, line: line) }
    guard let text else { return result.leaveOut(.noText, line: line) }
    (item.text, item.complete) = (text, complete)
    result.add(item, line: line)
  }
}

enum JSONText {
  /// Makes a problem of what is wrong with the JSON.
  static func read(
    _ text: String, _ format: ExchangeFormat, _ body: ([UInt8]) throws -> ImportResult
  ) throws(ImportProblem) -> ImportResult {
    let bytes = Array(text.utf8)
    do {
      return try body(bytes)
    } catch let problem as ImportProblem {
      throw problem
    } catch let error as JSONError {
      var lines = LineCounter(bytes)
      throw .notOfFormat(format, line: lines.isOneLine ? nil : lines.line(of: error.position))
    } catch {
      throw .notOfFormat(format, line: nil)
    }
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
