/// Reads a stream of events as WHATWG describes it (HTML, 9.2.6, "Interpreting an event stream"): bytes in parts of any
/// size in, events out.
///
/// It holds one event and one line at most, each up to a bound: what is longer is passed over.
struct EventStreamParser: Sendable, Equatable {
  /// Bytes of a line, and of the data of an event.
  static let longestLine = 4_096
  static let mostData = 16_384
  /// Digits of a time to wait.
  private static let longestRetry = 7

  enum Output: Sendable, Equatable {
    /// Its type is `message` if the stream names none. `data` has at least one byte, which need not mean anything.
    case event(type: String, data: [UInt8])
    /// Milliseconds to wait before the client comes back.
    case retry(Int)
    /// A line that says nothing: a sign of life.
    case comment
  }

  private var line: [UInt8] = []
  /// The line is longer than may be, and is passed over.
  private var isTooLong = false
  /// The last line ended with CR: an LF right after it belongs to that.
  private var afterReturn = false
  /// Bytes of a byte order mark at the start that have come; nil once something else has.
  private var mark: Int? = 0
  private var type: [UInt8] = []
  private var data: [UInt8] = []
  private var hasData = false
  /// The data of the event is more than may be; the event is passed over.
  private var isTooLarge = false

  /// Takes the next bytes.
  mutating func read(_ bytes: some Sequence<UInt8>) -> [Output] {
    var outputs: [Output] = []
    for byte in bytes { read(byte, into: &outputs) }
    return outputs
  }

  private mutating func read(_ byte: UInt8, into outputs: inout [Output]) {
    if let count = mark {
      let whole: [UInt8] = [0xEF, 0xBB, 0xBF]
      mark = byte == whole[count] && count < 2 ? count + 1 : nil
      if byte == whole[count] { return }
      line += whole.prefix(count)
    }
    defer { afterReturn = byte == UInt8(ascii: "\r") }
    switch byte {
    case UInt8(ascii: "\n") where afterReturn: break
    case UInt8(ascii: "\r"), UInt8(ascii: "\n"):
      endLine(into: &outputs)
      line.removeAll(keepingCapacity: true)
      isTooLong = false
    case _:
      if line.count < Self.longestLine { line.append(byte) } else { isTooLong = true }
    }
  }

  private mutating func endLine(into outputs: inout [Output]) {
    if isTooLong {
      // A part of a value is no value.
      isTooLarge = isTooLarge || line.starts(with: Array("data".utf8))
      return outputs.append(.comment)
    }
    if line.isEmpty { return endEvent(into: &outputs) }
    let colon = line.firstIndex(of: UInt8(ascii: ":"))
    if colon == 0 { return outputs.append(.comment) }
    var value = colon.map { line[($0 + 1)...] } ?? []
    if value.first == UInt8(ascii: " ") { value.removeFirst() }
    switch String(decoding: line[..<(colon ?? line.endIndex)], as: UTF8.self) {
    case "event": type = Array(value)
    case "data":
      // The ends of lines count: a stream of empty lines would grow for ever.
      isTooLarge = isTooLarge || data.count + value.count + 1 > Self.mostData
      guard !isTooLarge else { return }
      if hasData { data.append(UInt8(ascii: "\n")) }
      hasData = true
      data += value
    case "retry":
      guard (1...Self.longestRetry).contains(value.count), value.allSatisfy({ (0x30...0x39).contains($0) }) else {
        return
      }
      outputs.append(.retry(value.reduce(0) { $0 * 10 + Int($1 - 0x30) }))
    // `id` is what a browser sends when it comes back; here the data has it. Other fields mean nothing.
    case _: break
    }
  }

  private mutating func endEvent(into outputs: inout [Output]) {
    defer {
      type.removeAll(keepingCapacity: true)
      data.removeAll(keepingCapacity: true)
      (hasData, isTooLarge) = (false, false)
    }
    guard hasData, !data.isEmpty, !isTooLarge else { return }
    outputs.append(.event(type: type.isEmpty ? "message" : String(decoding: type, as: UTF8.self), data: data))
  }
}
