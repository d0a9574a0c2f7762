import TableProtocol
import Testing
import TodoCore

@testable import Exchange

@Suite("Ebb's JSON")
struct JSONListTests {
  private let milk = PortableItem(
    "(A) Buy milk +shop due:2026-12-24\n\u{1B}[31m\t two litres", complete: true, id: "1a2b-c",
    created: .moment(Timestamp(milliseconds: 1_700_000_000_123)),
    completed: .moment(Timestamp(milliseconds: 1_800_000_000_456)))

  @Test("has a version and the items, with what their texts mean")
  func form() {
    let text = ExportFile.text([milk], .json)
    #expect(text.hasPrefix("{\"version\":1,\"items\":[\n{\"id\":\"1a2b-c\",\"text\":\"(A) Buy milk"))
    #expect(text.contains("\"createdAt\":\"2023-11-14T22:13:20.123Z\",\"completedAt\":\"2027-01-15T08:00:00.456Z\""))
    #expect(text.contains("\"priority\":\"A\",\"due\":\"2026-12-24\",\"projects\":[\"+shop\"],\"contexts\":[]"))
    #expect(text.hasSuffix("]}\n") && !text.contains("\u{1B}"))
    #expect(ExportFile.text([], .json) == "{\"version\":1,\"items\":[]}\n")
  }

  @Test("what is read of it is the same to the letter")
  func roundTrip() throws {
    let items = [milk, PortableItem("  two  spaces  ", id: "x"), PortableItem("é\u{2028}\u{202E}", id: "y")]
    let result = try ImportResult.of(ExportFile.text(items, .json), .json)
    #expect(result.portable == items && result.isExact && result.leftOut.isEmpty)
  }

  @Test("the array of ebb list --json is read too, and members that are not known are passed over")
  func listArray() throws {
    let text = """
      [{"handle":"1a2b","id":"1a2b-c","text":"milk","complete":false,"projects":[],"note":null,"pending":"insert"},
       {"more":{"a":[1]},"text":"tea","complete":true}]
      """
    #expect(try ImportResult.of(text, .json).texts == ["milk", "tea"])
  }

  @Test("an element that is no item is left out, with its line")
  func malformed() throws {
    let text =
      "{\"items\":[\n1,\n{\"complete\":true},\n{\"text\":\"a\",\"complete\":\"yes\"},\n{\"text\":\"b\"}],\"version\":1}"
    let result = try ImportResult.of(text, .json)
    #expect(result.texts == ["b"])
    #expect(
      result.leftOut == [
        LeftOut(line: 2, reason: .malformed), LeftOut(line: 3, reason: .noText), LeftOut(line: 4, reason: .malformed),
      ])
  }

  @Test("a time that can't be read is named with its line; null and an empty text say that it is not known")
  func strangeTimes() throws {
    let text = """
      [{"text":"a","createdAt":"yesterday","completedAt":5},
       {"text":"b","createdAt":"2026-02-30","completedAt":null},
       {"text":"c","createdAt":"","completedAt":"2026-11-23"}]
      """
    let result = try ImportResult.of(text, .json)
    #expect(result.texts == ["a", "b", "c"] && result.portable.allSatisfy { $0.created == nil })
    #expect(
      result.notUnderstood == [
        StrangeValue("createdAt", "yesterday", line: 1), StrangeValue("completedAt", "5", line: 1),
        StrangeValue("createdAt", "2026-02-30", line: 2),
      ])
  }

  @Test("half of a character keeps no file out: it becomes U+FFFD, and the lines of the texts are named")
  func halfCharacters() throws {
    let text = #"""
      [{"text":"x\ud83d"},
       {"text":"\uDE00 y \uD83D\uDE00 \\ud83d","note":"\ud83d"},
       {"text":"\ud83d\ud83d\ude00","note":"\ud83d"},
       {"text":"z","note":"\ud83d"}]
      """#
    let result = try ImportResult.of(text, .json)
    #expect(result.texts == ["x\u{FFFD}", "\u{FFFD} y 😀 \\ud83d", "\u{FFFD}😀", "z"])
    #expect(result.halfCharacters == [1, 2, 3])
    let task = try ImportResult.of(#"{"uuid":"1","description":"x\ud83d"}"#, .taskwarrior)
    #expect(task.texts == ["x\u{FFFD}"] && task.halfCharacters == [1])
  }

  @Test(
    "what is not this form is a problem with its line, and so is JSON that is damaged or lacks its end",
    arguments: [
      ("{\"items\":[],\"version\":2}", ImportProblem.newerVersion(2)), ("{\"a\":1}", .notOfFormat(.json, line: nil)),
      ("milk", .notOfFormat(.json, line: nil)), ("[{\"text\":\"a\",\n\"b\":1e999}]", .notOfFormat(.json, line: 2)),
      ("{\"items\":[\n{\"text\":\"a\"", .jsonEndsEarly(line: 2)), ("[{\"text\":\"a\"},\n\n", .jsonEndsEarly(line: 1)),
      ("[{\"text\":\"a", .jsonEndsEarly(line: 1)), ("[\n{\"complete\":tr", .jsonEndsEarly(line: 2)),
      ("[]x", .damagedJSON(line: 1)), ("[\n{\"text\":\"a\"},\n]", .damagedJSON(line: 3)),
      ("[{\"text\":\"\\q\"}]", .damagedJSON(line: 1)),
    ])
  func problems(text: String, problem: ImportProblem) {
    #expect(throws: problem) { try ImportResult.of(text, .json) }
  }
}
