import TableProtocol
import Testing
import TodoCore

@testable import Exchange

@Suite("Lists that other programs wrote")
struct OtherProgramsTests {
  @Test("Taskwarrior's export, as an array and an object a line", arguments: ["", "-lines"])
  func taskwarrior(kind: String) throws {
    let (format, result) = try Files.read("taskwarrior-2.6.2\(kind).json")
    #expect(format == .taskwarrior)
    #expect(
      result.texts == [
        "(A) Buy oat milk +shop.weekly @town due:2026-12-24", "買茶 🍵 und Bröt @home",
        "(B) Call Léo about \"quotes\" and a+b@c.org +Big_House @phone", "(C) Pay rent +home due:2026-12-01",
        "Two  spaces, key:value http://x.org/a?b=c", "Read the book @next\npage 12, chapter two\nsecond note: 日本語",
        "Water plants due:2026-11-30", "Wait for the parcel", "Return library books @town due:2026-11-20",
      ])
    #expect(result.portable.map(\.complete) == Array(repeating: false, count: 8) + [true])
    #expect(result.portable.last?.completed?.day == CalendarDay(year: 2026, month: 11, day: 23))
    #expect(result.portable.allSatisfy { $0.id != nil && $0.created != nil })
    #expect(result.leftOut.map(\.reason) == [.repeating, .deleted])
    #expect(result.leftOut.map(\.line) == (kind.isEmpty ? [8, 12] : [7, 11]))
    #expect(result.dropped == ["recur": 1, "scheduled": 1, "wait": 1])
  }

  @Test("todoman's lists, a file a to-do")
  func todoman() throws {
    let home = try Files.readAll("todoman-4.7.0/home")
    #expect(
      Set(home.texts) == [
        "(D) Buy oat milk @shop @town due:2026-12-24", "買茶 🍵 und Bröt, dann; Kuchen", "Return library books",
        "Given up",
      ])
    #expect(Set(home.portable.filter(\.complete).map(\.text)) == ["Return library books", "Given up"])
    #expect(home.portable.allSatisfy { $0.id != nil && $0.otherID?.text.hasSuffix("@example") == true })
    let work = try Files.readAll("todoman-4.7.0/work")
    let note =
      "first line\nsecond, with comma; and semicolon\n\\backslash and a very long line that has to be folded because it is "
      + "much longer than seventy-five octets: 長い行は折り返されます\n"
    #expect(
      Set(work.texts) == ["(E) Call Léo about \"quotes\" due:2026-11-30\n" + note, "(I) Pay rent"])
    #expect(work.dropped == ["LOCATION": 1] && work.timesOfDay == 1)
  }

  @Test(
    "the todo.txt of topydo and todo.txt-cli is the same after it was read and written",
    arguments: ["topydo-0.16-todo.txt", "topydo-0.16-done.txt", "todotxt-cli-2.11-todo.txt"])
  func todoTxt(name: String) throws {
    let (format, result) = try Files.read(name)
    #expect(format == .todotxt && result.leftOut.isEmpty)
    let written = result.portable.map { TodoTxtWriter.line($0) }.joined()
    #expect(Array(written.utf8) == (try Files.bytes(name)))
  }
}

@Suite("The format of a file")
struct FormatTests {
  @Test(
    "is told by what is in it, and where that leaves a choice by its name",
    arguments: [
      ("milk", "-", ExchangeFormat.todotxt), ("milk", "list.md", .markdown), ("- [ ] milk", "-", .markdown),
      ("- [ ] milk", "todo.txt", .markdown), ("[x] milk", "-", .todotxt), ("# todo\n\n* [x] a", "x", .markdown),
      ("a\nb\nc\n- [ ] d", "-", .todotxt), ("begin:vcalendar\n", "a.txt", .ics), ("{\"items\":[]}", "-", .json),
      (" [\n]", "-", .json), ("[{\"uuid\":\"1\",\"description\":\"a\"}]", "-", .taskwarrior),
      ("{\"uuid\":\"1\",\"description\":\"a\"}", "a.json", .taskwarrior), ("text,done\na,1", "-", .csv),
      ("text,done\na,1", "todo.txt", .todotxt), ("a,b", "x.csv", .csv), ("a", "X.ICS", .ics),
      ("task one, two", "-", .todotxt), ("{\n", "-", .json), ("[", "-", .json), ("{ braces", "-", .todotxt),
    ])
  func detection(text: String, name: String, format: ExchangeFormat) {
    #expect(ExchangeFormat(of: text, name: name) == format)
  }

  @Test(
    "what is no text in UTF-8 is said before anything else",
    arguments: [
      ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0], ImportProblem.notText), ([0x61, 0], .notText),
      (Array("caf".utf8) + [0xE9], .notUTF8), ([], .empty), (Array(" \n\t\r\n".utf8), .empty),
      ([0xFF, 0xFE, 0x61, 0], .isUTF16),
    ] as [([UInt8], ImportProblem)])
  func notText(bytes: [UInt8], problem: ImportProblem) {
    for format in [nil] + ExchangeFormat.allCases {
      #expect(throws: problem) { try ImportFile.read(bytes, name: "a.txt", format: format) }
    }
  }

  @Test("a date beside a text takes the place of its date, and stands before a word of it that is none")
  func dateInText() throws {
    func imported(_ text: String) throws -> [String] {
      try ImportResult.of("[{\"description\":\"\(text)\",\"due\":\"20261201\"}]", .taskwarrior).texts
    }
    #expect(try imported("Pay due:fri to Bob") == ["Pay due:2026-12-01 due:fri to Bob"])
    #expect(try imported("Pay due:2026-11-30 to Bob") == ["Pay due:2026-12-01 to Bob"])
    #expect(try imported("Pay Bob") == ["Pay Bob due:2026-12-01"])
  }

  @Test("a date or priority of Taskwarrior and a date of a calendar that are none are named with their line")
  func strangeValues() throws {
    let tasks = try ImportResult.of("[\n{\"description\":\"a\",\"due\":\"soon\",\"priority\":\"X\"}]", .taskwarrior)
    #expect(tasks.notUnderstood == [StrangeValue("due", "soon", line: 2), StrangeValue("priority", "X", line: 2)])
    let calendar = "BEGIN:VCALENDAR\nBEGIN:VTODO\nSUMMARY:a\nDUE:soon\nEND:VTODO\nEND:VCALENDAR\n"
    #expect(try ImportResult.of(calendar, .ics).notUnderstood == [StrangeValue("DUE", "soon", line: 2)])
  }
}
