import TableProtocol
import Testing
import TodoCore

@testable import Exchange

@Suite("A table")
struct CSVTests {
  @Test("has a header, quotes where they are needed, and what the texts say in columns of their own")
  func writes() {
    let items = [
      PortableItem("(A) Buy \"oat\" milk, tea +a +b @c due:2026-12-24\none\ntwo", id: "x"),
      PortableItem("plain", complete: true, created: .day(CalendarDay(year: 2026, month: 11, day: 1)!)),
    ]
    #expect(
      ExportFile.text(items, .csv) == """
        id,complete,text,note,priority,due,projects,contexts,created,completed\r
        x,false,"(A) Buy ""oat"" milk, tea +a +b @c due:2026-12-24","one
        two",A,2026-12-24,'+a +b,'@c,,\r
        ,true,plain,,,,,,2026-11-01,\r

        """)
  }

  @Test(
    "a field that a spreadsheet would take for a formula gets an apostrophe, which is taken away again",
    arguments: ["=1+1", "+shop milk", "-1", "@home call", "'=1", "''+a", "'quoted'", "'"])
  func formulas(text: String) throws {
    let file = ExportFile.text([PortableItem(text)], .csv)
    let field = file.split(separator: "\r\n")[1].split(separator: ",", omittingEmptySubsequences: false)[2]
    #expect(!"=+-@".contains(field.first ?? " "))
    #expect(try ImportResult.of(file, .csv).texts == [text])
  }

  @Test("an id with capitals, as other programs write it, is known under that name too")
  func capitals() throws {
    let id = "0F0C1A52-7D94-4C1E-9A55-1D2F6B7C8E01"
    let result = try ImportResult.of("id,text\n\(id),milk", .csv)
    #expect(result.portable.map(\.id) == [RecordID(id.lowercased())])
    #expect(result.portable.map(\.otherID) == [RecordID(id)])
  }

  @Test("the columns of other programs are known by their names, with any separator and Excel's mark")
  func others() throws {
    let file =
      "\u{FEFF}Title;Done;Due Date;Priority;Tags;List;Description;Colour\r\n"
      + "Buy milk;yes;2026/12/24;high;town, now;Big House;\"two\r\nlitres\";red\r\n\r\nTea;0;soon;9;;;;\r\n"
    let (format, result) = try ImportFile.read(Array(file.utf8), name: "list.csv")
    #expect(format == .csv)
    #expect(result.texts == ["(A) Buy milk +Big_House @town @now due:2026-12-24\ntwo\r\nlitres", "Tea"])
    #expect(result.portable.map(\.complete) == [true, false])
    #expect(result.dropped == ["colour": 1])
    #expect(
      result.notUnderstood == [StrangeValue("due date", "soon", line: 5), StrangeValue("priority", "9", line: 5)])
    #expect(result.items.map(\.line) == [2, 5])
  }

  @Test("a quote that is not closed is a problem with its line, and so is a table without a text")
  func problems() {
    #expect(throws: ImportProblem.notOfFormat(.csv, line: 2)) { try ImportResult.of("text,done\n\"milk,1\ntea", .csv) }
    #expect(throws: ImportProblem.noTextColumn(line: 1)) { try ImportResult.of("a,b\n1,2", .csv) }
  }

  @Test(
    "a date may be as a person types it; one that no calendar has is named with its line",
    arguments: [
      ("12/24/2026", "milk due:2026-12-24"), ("24.12.2026", "milk due:2026-12-24"), ("24.12.", "milk due:2026-12-24"),
      ("24.12.26", "milk due:2026-12-24"), ("tomorrow", "milk due:2026-11-24"), ("none", "milk"), ("2026-13-45", nil),
      ("soon", nil),
    ])
  func dates(value: String, text: String?) throws {
    let file = Array("title,due\nmilk,\(value)\n".utf8)
    let result = try ImportFile.read(file, name: "-", format: .csv, today: CalendarDay("2026-11-23")).result
    #expect(result.texts == [text ?? "milk"] && result.dropped.isEmpty)
    #expect(result.notUnderstood == (text == nil ? [StrangeValue("due", value, line: 2)] : []))
  }

  private func read(_ rows: [String], header: String = "title,due") throws -> ImportResult {
    let file = ([header] + rows).joined(separator: "\n")
    return try ImportFile.read(Array(file.utf8), name: "-", format: .csv, today: CalendarDay("2026-11-23")).result
  }

  @Test("a date that can be read in one way alone settles the order of day and month for its column")
  func orders() throws {
    let months = try read(["a,12/01/2026", "b,12/24/2026", "c, 1/2/2027", "d,2026-11-30"])
    #expect(months.texts == ["a due:2026-12-01", "b due:2026-12-24", "c due:2027-01-02", "d due:2026-11-30"])
    let days = try read(["a,12/01/2027", "b,24/12/2026"])
    #expect(days.texts == ["a due:2027-01-12", "b due:2026-12-24"])
    #expect(months.notUnderstood.isEmpty && days.notUnderstood.isEmpty)
    let rows = ["a,1/2/2027,", "b,,1/2/2027", "c,24/12/2026,", "d,,12/24/2026"]
    let columns = try read(rows, header: "title,due,deadline")
    #expect(columns.texts.prefix(2) == ["a due:2027-02-01", "b due:2027-01-02"], "each column has its own")
  }

  @Test(
    "if no date of a column settles the order, or two contradict each other, a date has the days that it could be",
    arguments: [["12/01/2026"], ["12/01/2026", "24/12/2026", "12/24/2026"]])
  func ambiguousDates(dates: [String]) throws {
    let result = try read(dates.map { "milk,\($0)" })
    let days = ["2026-01-12", "2026-12-01"].compactMap { CalendarDay($0) }
    #expect(result.notUnderstood == [StrangeValue("due", "12/01/2026", line: 2, couldBe: days)])
    #expect(result.texts == ["milk"] + dates.dropFirst().map { _ in "milk due:2026-12-24" })
  }

  @Test("a row without a text is left out")
  func noText() throws {
    let result = try ImportResult.of("text,done\n,1\nmilk,", .csv)
    #expect(result.texts == ["milk"] && result.leftOut == [LeftOut(line: 2, reason: .noText)])
  }

  @Test("of columns with one meaning the first value of a row stays, and another is named")
  func repeatedColumns() throws {
    let result = try ImportResult.of("text,text,title,status,done\nA,B,A,odd,yes\nC,C,D,,\n,,E,,", .csv)
    #expect(result.texts == ["A", "C", "E"] && result.portable.map(\.complete) == [true, false, false])
    #expect(result.repeatedColumns == ["text": 1, "title": 1])
    #expect(result.notUnderstood == [StrangeValue("status", "odd", line: 2)])
  }

  @Test("values of columns without a name are counted by the numbers of their columns")
  func unnamedColumns() throws {
    let result = try ImportResult.of("text,\nA,1,2\nB,,3", .csv)
    #expect(result.texts == ["A", "B"] && result.dropped.isEmpty && result.unnamedColumns == [2: 1, 3: 2])
  }

  @Test(
    "a tag with the sign of other programs loses it",
    arguments: [
      ("#now", "milk @now"), ("\"#a b,c\"", "milk @a_b @c"), ("#a #b", "milk @a @b"), ("c#", "milk @c#"),
      ("@#a", "milk @#a"),
    ])
  func tags(value: String, text: String) throws {
    #expect(try ImportResult.of("title,tags\nmilk,\(value)", .csv).texts == [text])
  }

  @Test("the separator may be stated in a line of its own, as for Excel", arguments: [";", ",", "\t", "|"])
  func statedSeparator(sign: String) throws {
    let file = Array("sep=\(sign)\r\ntext\(sign)done\r\nmilk\(sign)1\r\n".utf8)
    let (format, result) = try ImportFile.read(file, name: "-")
    #expect(format == .csv && result.portable == [PortableItem("milk", complete: true)])
    #expect(result.items.map(\.line) == [3])
    #expect(throws: ImportProblem.noTextColumn(line: 2)) { try ImportResult.of("sep=;\na;b\n1;2", .csv) }
  }

  @Test(
    "columns, states and priorities are known in the languages of Ebb",
    arguments: [
      ("Texto;Hecho;Vence;Prioridad;Etiquetas\nleche;Sí;2026-12-24;Alta;casa", "(A) leche @casa due:2026-12-24", true),
      ("tarea,completado,lista\nleche,VERDADERO,casa", "leche +casa", true),
      ("タスク,完了,期限\n牛乳,はい,2026-12-24", "牛乳 due:2026-12-24", true),
      ("事項,完成,標籤\n牛奶,否,家", "牛奶 @家", false),
    ])
  func languages(file: String, text: String, complete: Bool) throws {
    let result = try ImportFile.read(Array(file.utf8), name: "-").result
    #expect(result.portable == [PortableItem(text, complete: complete)])
    #expect(result.dropped.isEmpty && result.notUnderstood.isEmpty)
  }
}
