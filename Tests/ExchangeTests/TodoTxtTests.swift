import Testing
import TodoCore

@testable import Exchange

@Suite("A todo.txt")
struct TodoTxtTests {
  private func item(_ line: String) -> PortableItem { TodoTxtReader.item(line[...]) }
  private func day(_ text: String) -> PortableTime? { CalendarDay(text).map(PortableTime.day) }

  @Test(
    "a line that is read and written is the same, and so are words that mean nothing here",
    arguments: [
      "Buy milk", "(A) Buy milk", "2026-11-01 Buy milk", "(A) 2026-11-01 Buy  milk +shop @town due:2026-12-24",
      "x Buy milk", "x 2026-11-20 Buy milk", "x 2026-11-20 2026-11-01 Buy milk pri:A", "x 2026-11-20 Buy milk pri:B ",
      "xylophone", "X not done", "(b) not a priority", "(A)-> neither", " (A) nor this", "a (A) b", " x spaced",
      "  x spaced twice", " 2026-11-01 spaced date", "(A)  2026-11-01 spaced date", "x  2026-11-01 text with a date",
      "x 2026-11-20  2026-11-01 text with a date", "2026-13-40 no date", "2026-11-01", "(A) 2026-11-01", "x 2026-11-20",
      "t:2026-11-28 rec:1m id:1 p:2 h:1 http://x.org/a?b=c a@b.com 2+2", "Buy milk␤two litres␤  (A) indented",
      "trailing  ",
      "Buy milk uid:1a2b", "x Buy milk pri:A uid:1a2b", "uid:1a2b", "x pri:A", "(A) x 2026-11-01 text", "買茶 🍵 \u{301}e",
      "(A) \u{301}accent", "x x", "x  x", "(A) (B) twice", "2026-11-01 2026-11-02 both",
      "2026-11-05 (A) date before priority", " 2026-11-05 (A) spaced", "2026-11-01 2026-11-05 (A) two dates",
      "(A) 2026-11-01 (B) twice", "x 2026-11-20 (b) no priority", "x  (A) spaced", "x (A) ␤note", "x (A)",
      "2026-11-05 (A) ␤note", "x 2026-11-20 (B) twice pri:A",
    ])
  func staysTheSame(line: String) {
    let read = item(line)
    // A handle that names nothing here is a word of the text.
    var kept = read
    kept.text = read.handle?.text ?? read.text
    #expect(TodoTxtWriter.line(kept) == line + "\n", "\(read)")
    #expect(TodoTxtReader.read(line).rewritten.isEmpty)
  }

  @Test("a date before a priority is text, and so the letter is none")
  func dateBeforePriority() {
    let read = item("2026-11-05 (A) call")
    #expect(read == PortableItem("2026-11-05 (A) call"))
    #expect(TodoNotation(read.text).priority == nil)
  }

  @Test(
    "a done line that still begins with its priority comes out in the standard form, and is named",
    arguments: [
      ("x (C) Done", "x Done pri:C"),
      ("x 2026-11-10 (A) 2026-11-01 weird", "x 2026-11-10 2026-11-01 weird pri:A"),
      ("x (A) 2026-11-10 2026-11-01 weird", "x 2026-11-10 2026-11-01 weird pri:A"),
      ("x 2026-11-10 2026-11-01 (B) both", "x 2026-11-10 2026-11-01 both pri:B"),
      ("x (A) Buy milk uid:1a2b␤note", "x Buy milk uid:1a2b pri:A␤note"),
    ])
  func leadingPriority(line: String, written: String) throws {
    let result = TodoTxtReader.read("Buy tea\n\n" + line)
    #expect(result.rewritten == [3])
    var read = try #require(result.items.last?.item)
    read.text = read.handle?.text ?? read.text
    #expect(TodoTxtWriter.line(read) == written + "\n", "\(read)")
  }

  @Test("a priority, dates and a mark of what is done are read where they stand for that, and nowhere else")
  func meaning() {
    let open = item("(A) 2026-11-01 Buy milk 2026-11-02 x (B)")
    #expect(open == PortableItem("(A) Buy milk 2026-11-02 x (B)", created: day("2026-11-01")))
    let done = item("x 2026-11-20 2026-11-01 Buy milk pri:A")
    #expect(
      done
        == PortableItem("(A) Buy milk", complete: true, created: day("2026-11-01"), completed: day("2026-11-20")))
    #expect(item("x 2026-11-20 Buy milk").created == nil)
    #expect(item("x pri:A").text == "pri:A")
    #expect(item("X Buy milk").complete == false)
  }

  @Test("a done item keeps its priority as a word, also above a note")
  func donePriority() {
    let item = PortableItem("(A) Buy milk\ntwo litres", complete: true)
    #expect(TodoTxtWriter.line(item) == "x Buy milk pri:A␤two litres\n")
    #expect(self.item("x Buy milk pri:A␤two litres").text == "(A) Buy milk␤two litres")
  }

  @Test("a handle goes to the end of the first line, and is found there")
  func handles() {
    let milk = PortableItem("(A) Buy milk\ntwo litres", complete: true)
    let line = TodoTxtWriter.line(milk, handle: "1a2b")
    #expect(line == "x Buy milk pri:A uid:1a2b␤two litres\n")
    let read = item(String(line.dropLast()))
    #expect(read.handle?.name == "1a2b" && read.text == "(A) Buy milk␤two litres")
    #expect(item("Buy milk uid:no").handle == nil)
    #expect(item("uid:1a2b").handle == nil)
  }

  @Test("an open text that begins like a done one, or with a date, is not taken for that")
  func guards() {
    #expect(TodoTxtWriter.line(PortableItem("x marks the spot")) == " x marks the spot\n")
    #expect(TodoTxtWriter.line(PortableItem("2026-12-24 party")) == " 2026-12-24 party\n")
    #expect(item(" x marks the spot").text == "x marks the spot")
    let party = PortableItem("2026-12-24 party", created: day("2026-11-01"))
    #expect(TodoTxtWriter.line(party) == "2026-11-01 2026-12-24 party\n")
  }

  @Test("one date of a done item is that of its completion: where that is not known, none is written")
  func unknownCompletion() {
    let item = PortableItem("Buy milk", complete: true, created: day("2026-11-01"))
    #expect(TodoTxtWriter.line(item) == "x Buy milk\n")
  }

  @Test("blank lines are passed over, line ends of any system are read, and lines keep their numbers")
  func lines() throws {
    let result = try ImportResult.of("\u{FEFF}Buy milk\r\n\r\n  \nBuy tea\rBuy jam", .todotxt)
    #expect(result.texts == ["Buy milk", "Buy tea", "Buy jam"])
    #expect(result.items.map(\.line) == [1, 4, 5])
    #expect(result.leftOut.isEmpty)
  }
}
