import Chance
import TableProtocol
import Testing

@testable import TableClient

@Suite("A stream of events")
struct EventStreamParserTests {
  typealias Output = EventStreamParser.Output

  private func read(_ bytes: [UInt8], inPartsOf size: Int) -> [Output] {
    var parser = EventStreamParser()
    return stride(from: 0, to: bytes.count, by: size).flatMap { parser.read(bytes[$0..<min($0 + size, bytes.count)]) }
  }

  private func event(_ data: String, _ type: String = "message") -> Output {
    .event(type: type, data: Array(data.utf8))
  }

  private static let cases: [(String, [Output])] = [
    ("data: a\n\n", [.event(type: "message", data: [97])]),
    ("data:a\r\n\r\n", [.event(type: "message", data: [97])]),
    ("data: a\r\r", [.event(type: "message", data: [97])]),
    ("event: now\ndata: a\n\n", [.event(type: "now", data: [97])]),
    ("data: a\nevent: now\n\n", [.event(type: "now", data: [97])]),
    ("event: now\n\ndata: a\n\n", [.event(type: "message", data: [97])]),
    ("data: a\ndata: b\n\n", [.event(type: "message", data: [97, 10, 98])]),
    ("data:  a\n\n", [.event(type: "message", data: [32, 97])]),
    ("data\n\n", []), ("data:\n\n", []), ("data\ndata\n\n", [.event(type: "message", data: [10])]),
    ("data: a\n", []), ("data: a", []), ("\n\n\n", []),
    (":\n\n", [.comment]), (": more\r\n", [.comment]), ("::\n", [.comment]),
    ("retry: 5000\n", [.retry(5_000)]), ("retry:0\n", [.retry(0)]), ("retry: 5s\n", []), ("retry\n", []),
    ("retry: 99999999\n", []), ("retry: -1\n", []),
    ("id: 7\nother: x\nDATA: b\n data: c\ndata: a\n\n", [.event(type: "message", data: [97])]),
    ("\u{FEFF}data: a\n\n", [.event(type: "message", data: [97])]),
    ("\u{FEFF}\u{FEFF}data: a\n\n", []),
    ("data: \u{FEFF}a\n\n", [.event(type: "message", data: [0xEF, 0xBB, 0xBF, 97])]),
    ("data: a\n\rdata: b\n\n", [.event(type: "message", data: [97]), .event(type: "message", data: [98])]),
    ("data: a\r\n\ndata: b\r\n\r\n", [.event(type: "message", data: [97]), .event(type: "message", data: [98])]),
  ]

  @Test("is read by its rules, wherever it is cut", arguments: cases)
  func rules(text: String, expected: [Output]) {
    let bytes = Array(text.utf8)
    for size in 1...max(1, bytes.count) { #expect(read(bytes, inPartsOf: size) == expected, "parts of \(size)") }
  }

  @Test("begins with a mark or not, and half of one is no mark")
  func halfMark() {
    let line = Array("data: a\n\n".utf8)
    #expect(read([0xEF, 0xBB] + line, inPartsOf: 1) == [])
    #expect(read([0xEF] + line + line, inPartsOf: 2) == [event("a")])
  }

  @Test("may hold bytes that are no text")
  func notUTF8() {
    let bytes = Array("data: ".utf8) + [0xFF, 0x00, 0xC3] + Array("\n\n".utf8)
    #expect(read(bytes, inPartsOf: 4) == [.event(type: "message", data: [0xFF, 0x00, 0xC3])])
    #expect(read([0xFF, 0xFE] + Array(": x\ndata: a\n\n".utf8), inPartsOf: 3) == [event("a")])
  }

  @Test("with lines that are too long is read on after them, and their events are passed over")
  func tooLong() {
    let long = String(repeating: "x", count: EventStreamParser.longestLine + 1)
    #expect(read(Array("data: \(long)\n\ndata: a\n\n".utf8), inPartsOf: 1_000) == [.comment, event("a")])
    #expect(read(Array(":\(long)\ndata: a\n\n".utf8), inPartsOf: 1_000) == [.comment, event("a")])
    let line = "data: " + String(repeating: "x", count: 4_000) + "\n"
    #expect(read(Array((String(repeating: line, count: 5) + "\ndata: a\n\n").utf8), inPartsOf: 999) == [event("a")])
  }

  @Test("holds no more than one event may have, also of lines without a value")
  func emptyLines() {
    var parser = EventStreamParser()
    for _ in 0..<100 { #expect(parser.read(Array(String(repeating: "data\n", count: 1_000).utf8)) == []) }
    let bytesHeld = Mirror(reflecting: parser).children.reduce(0) { $0 + (($1.value as? [UInt8])?.count ?? 0) }
    #expect(bytesHeld <= EventStreamParser.mostData + EventStreamParser.longestLine)
    #expect(parser.read(Array("\ndata: a\n\n".utf8)) == [event("a")], "that event is passed over, and the next is read")
  }

  @Test("says the same in whatever parts it comes: random streams")
  func random() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededGenerator(seed: seed)
    let words = ["data", "event", "retry", "id", ":", " ", "\n", "\r", "\r\n", "\u{FEFF}", "a", "now", "5", "\n\n"]
    for _ in 0..<500 {
      let text = (0..<Int.random(in: 0...60, using: &generator)).map { _ in words.randomElement(using: &generator) ?? ""
      }
      let bytes = Array(text.joined().utf8)
      let whole = read(bytes, inPartsOf: max(1, bytes.count))
      for size in [1, 2, 3, 7] { #expect(read(bytes, inPartsOf: size) == whole, "seed \(seed): \(text)") }
    }
  }
}
