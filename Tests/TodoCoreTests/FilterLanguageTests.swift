import Chance
import OfflineSync
import Support
import TableProtocol
import Testing

@testable import TodoCore

@Suite("The language of the filter")
struct FilterLanguageTests {
  let list: TodoList
  private let device: TestDevice

  init() throws {
    device = try TestDevice(FakeServer())
    let today = try #require(CalendarDay("2026-11-21"))
    list = TodoList(context: device.context, today: { today })
  }

  private func texts(_ filter: String, view: TodoView = .open) throws -> [String] {
    let query = TodoQuery(view: view, filter: filter)
    let texts = try list.items(query, .first, count: 1_000).map(\.text)
    #expect(try list.count(query) == texts.count)
    return texts
  }

  private static let texts = [
    "(A) Call the plumber +house", "Buy milk +Shopping @town due:2026-11-20", "(B) pay rent due:2026-11-21",
    "write to a@b.com about 2+2 due:2026-11-27", "КУПИТЬ Молоко", "買茶 🍵 @家 due:2026-11-28", "it's (A) 'quoted' !now",
    "sums due:someday +shop",
  ]

  @Test(
    "each word does what it says",
    arguments: [
      ("", [0, 1, 2, 3, 4, 5, 6, 7]), ("PLUMBER", [0]), ("plmb", [0]), ("pb", []), ("plmb milk", []), ("milk buy", [1]),
      ("молоко", [4]), ("млк", [4]), ("茶", [5]), ("＠家", [5]), ("茶\u{3000}！＠家", []),
      ("＋sh", [1, 7]), ("（Ａ）", [0]), ("（ｂ）", [2]), ("（A） | ＠town", [0, 1]), ("(（Ａ）)", [0]), ("！（Ａ） ＋house", []),
      ("＋sh ｜ ＠家", [1, 5, 7]), ("＋sh｜＠家", [1, 5, 7]), ("（＋sh ｜ ＠家） ＠家", [5]), ("(＋sh | ＠家） buy", [1]),
      ("（（Ａ）｜（Ｂ）） ！rent", [0]), ("＂the plumber＂", [0]), ("！＂the plumber＂ pri:", [2]), ("＂＋sh＂", []),
      ("project:＋sh", [1, 7]), ("context：＠家", [5]), ("pri:Ａ", [0]), ("pri:ａ..ｂ", [0, 2]), ("茶（家", []), ("'茶｜", []),
      ("\"＋sh\"", []), ("'＋sh", []), ("＋2", []), ("'plmb", []), ("'plumb", [0]), ("!milk", [0, 2, 3, 4, 5, 6, 7]),
      ("!plmb", [0, 1, 2, 3, 4, 5, 6, 7]), ("+sh", [1, 7]), ("'+shop", [7]), ("+SHOP", [1, 7]), ("@b", []),
      ("@town", [1]), ("+2", []), ("!+", [2, 3, 4, 5, 6]), ("!@家", [0, 1, 2, 3, 4, 6, 7]), ("(A)", [0]), ("(b)", [2]),
      ("'(", [0, 2, 6]), ("'(A", [0, 6]), ("!(A)", [1, 2, 3, 4, 5, 6, 7]), ("it's", [6]),
      ("!'quoted", [0, 1, 2, 3, 4, 5, 7]),
      ("due:", [1, 2, 3, 5]), ("!due:", [0, 4, 6, 7]), ("due:none", [0, 4, 6, 7]), ("due:nunca", [0, 4, 6, 7]),
      ("due:today", [2]), ("due:overdue", [1]), ("overdue:", [1]), ("overdue:2026-11-20", [1]), ("vencida:", [1]),
      ("due:week", [2, 3]), ("due:semana", [2, 3]), ("due:+1w", [5]), ("due:fri", [3]), ("due:金曜", [3]), ("期限:金曜", [3]),
      ("vence:vie", [3]), ("到期：週五", [3]), ("DUE:Fri", [3]), ("due:2026-11-28", [5]), ("due:2026-11", [1, 2, 3, 5]),
      ("due:2026", [1, 2, 3, 5]), ("due:2026-12", []), ("due:month", [1, 2, 3, 5]), ("due:nextweek", [3, 5]),
      ("due:next week", [3, 5]), ("due:next-week !write", [5]), ("due:this week", [1, 2]), ("due:<next week", [1, 2]),
      ("due:this month", [1, 2, 3, 5]), ("due:next month", []), ("vence:próxima semana", [3, 5]),
      ("due:<fri", [1, 2]), ("due:<=fri", [1, 2, 3]), ("due:>11-21", [3, 5]), ("due:>=11-21", [2, 3, 5]),
      ("due:<2026-12", [1, 2, 3, 5]), ("due:<2026-11", []), ("due:<=2026-11", [1, 2, 3, 5]), ("due:>2026-11", []),
      ("due:>=2026-11", [1, 2, 3, 5]), ("due:<eow", [1, 2]), ("due:mon..fri", [3]), ("due:today..", [2, 3, 5]),
      ("due:..today", [1, 2]), ("due:2026-11-20..2026-11-27", [1, 2, 3]), ("!due:>11-21", [0, 1, 2, 4, 6, 7]),
      ("'due:some", [7]), ("milk | rent", [1, 2]), ("milk|rent", [1, 2]), ("(milk | rent) due:today", [2]),
      ("milk | rent due:today", [1, 2]), ("!(milk | rent | plumber)", [3, 4, 5, 6, 7]), ("!!milk", [1]),
      ("((milk))", [1]), ("(A) | (B)", [0, 2]), ("((A) | (B)) !rent", [0]), ("('quoted | milk)", [1, 6]),
      ("\"the plumber\"", [0]), ("\"plumber the\"", []), ("\"MILK  \"", []), ("!\"pay rent\" due:today", []),
      ("\"pay re", [2]), ("\"'quoted' !\"", [6]), ("\"2+2\" | \"buy \"", [1, 3]), ("milk OR rent", [1, 2]),
      ("(milk OR rent) due:today", [2]), ("milk or rent", []),
      ("buy AND milk", [1]), ("buy AND NOT milk", []), ("NOT milk", [0, 2, 3, 4, 5, 6, 7]),
      ("NOT (milk | rent) (A)", [0]), ("!NOT milk", [1]), ("milk AND buy OR NOT due:", [0, 1, 4, 6, 7]),
      ("milk and buy", []), ("AND", []), ("NOTE", []),
      ("OR", []), ("pri:a", [0]), ("prioridad:B", [2]),
      ("pri:a..b", [0, 2]), ("pri:B..", [2]), ("pri:..a", [0]), ("pri:c..z", []), ("!pri:a..z", [1, 3, 4, 5, 6, 7]),
      ("優先度:a..b rent", [2]),
      ("pri:", [0, 2]), ("due:fri 27 nov", [3]), ("due:this fri write", [3]), ("due:<=fri 27 nov", [1, 2, 3]),
      ("overdue:20 Nov", [1]), ("vencida:20 nov", [1]), ("逾期:11月20日", [1]), ("overdue:fri", [1]),
      ("overdue:20 days ago..yesterday", [1]), ("due:20 days ago..in 2 days", [1, 2]), ("due:..3 days ago", []),
      ("due:today..fri 27 nov", [2, 3]), ("due:today..fri 27 boxes", []), ("due:today ... milk", []),
      ("due:fri milk", []), ("pri:none", [1, 3, 4, 5, 6, 7]), ("project:+sh", [1, 7]),
      ("project:", [0, 1, 7]), ("project:sh", [1, 7]), ("proyecto:shop", [1, 7]), ("context:town", [1]),
      ("!project:shop @town", []), ("情境:家", [5]), ("project:\"shop\" @town", [1]), ("proyecto:\"shop", [1, 7]),
      ("a@b.com", [3]), ("note:", []), ("done:", []), ("done:week", []), ("http://x", []),
      ("-+", []), ("-milk", []), ("'-+work", []), ("-http://x", []),
    ])
  func words(filter: String, found: [Int]) throws {
    for text in Self.texts {
      device.world.advance(milliseconds: 1)
      try device.add(text)
    }
    #expect(try texts(filter) == found.map { Self.texts[$0] })
  }

  @Test(
    "several words of a note are found in quotes, behind its key too",
    arguments: [
      ("note:\"with oats\"", ["tea"]), ("note:＂with oats＂", ["tea"]), ("note:\"with oats\" milk", []),
      ("note:\"WITH oats|rye", ["tea"]),
      ("note:'with", ["tea", "milk"]), ("note:\"\"", ["tea", "milk"]), ("!note:\"with oats\"", ["milk"]),
      ("nota:\"with honey\" | tea", ["tea", "milk"]), ("x:\"with oats\"", []),
    ])
  func phrasesInNotes(filter: String, found: [String]) throws {
    try device.add("tea\nwith oats|rye\nwith oats")
    device.world.advance(milliseconds: 1)
    try device.add("milk\nwith honey")
    #expect(try texts(filter).map { String($0.prefix { $0 != "\n" }) } == found)
  }

  @Test(
    "what is not understood is an error with its place",
    arguments: [
      ("due:overdu", .noDate, "due:overdu", true), ("due:overdu milk", .noDate, "due:overdu", false),
      ("due:<blah", .noDate, "due:<blah", false), ("milk due:<", .noDate, "due:<", true),
      ("due:some", .noDate, "due:some", false), ("due:2026-1", .noDate, "due:2026-1", true),
      ("due:fri..blah", .noDate, "due:fri..blah", false), ("due:..", .noDate, "due:..", true),
      ("due:2026-12-24..2026-12-01 x", .backwards, "due:2026-12-24..2026-12-01", false),
      ("due:tomorrow..today x", .backwards, "due:tomorrow..today", false),
      ("due:3d..tomorrow x", .backwards, "due:3d..tomorrow", false),
      ("due:20 days ago..blah x", .noDate, "due:20 days ago..blah", false),
      ("due:today..31 nov x", .noDate, "due:today..31 nov", false),
      ("due:3 days ago..20 days ago x", .backwards, "due:3 days ago..20 days ago", false),
      ("due:mon 22 nov..tue 24 nov x", .noDate, "due:mon 22 nov..tue 24 nov", false),
      ("due:sun 22 nov..mon 24 nov x", .noDate, "due:sun 22 nov..mon 24 nov", false),
      ("overdue:thu 20 nov x", .noDate, "overdue:thu 20 nov", false),
      ("overdue:in 3 days x", .noDate, "overdue:in 3 days", false), ("done:+3d x", .noDate, "done:+3d", false),
      ("overdue:9 days ago..in 2 days x", .noDate, "overdue:9 days ago..in 2 days", false),
      ("vence:mar 31 nov x", .noDate, "vence:mar 31 nov", false),
      ("due:sun 31 nov x", .noDate, "due:sun 31 nov", false),
      ("created:<", .noDate, "created:<", true), ("done:soon", .noDate, "done:soon", false),
      ("vence:algo", .noDate, "vence:algo", false), ("(", .unclosed, "(", true), ("(milk", .unclosed, "(", true),
      ("call(x", .unclosed, "(", true), ("milk)", .unopened, ")", false), (")", .unopened, ")", false),
      ("() x", .nothingThere, "()", false), ("()", .nothingThere, "()", false), ("!", .nothingThere, "!", true),
      ("! milk", .nothingThere, "!", false), ("'", .nothingThere, "'", true), ("milk |", .nothingThere, "|", true),
      ("| milk", .nothingThere, "|", false), ("milk | | rent", .nothingThere, "|", false),
      ("milk OR ", .nothingThere, "OR", true), ("milk OR", .nothingThere, "OR", true),
      ("milk AND", .nothingThere, "AND", true), ("milk AND | rent", .nothingThere, "AND", false),
      ("NOT", .nothingThere, "NOT", true), ("(NOT ) x", .nothingThere, "NOT", false),
      ("pri:high x", .noPriority, "pri:high", false), ("pri:a..high x", .noPriority, "pri:a..high", false),
      ("pri:b..a x", .backwards, "pri:b..a", false), ("pri:..", .noPriority, "pri:..", true),
      ("due:thu 2 dec x", .noDate, "due:thu 2 dec", false), ("due:31st nov", .noDate, "due:31st nov", true),
      ("\"", .nothingThere, "\"", true),
      ("\"\" x", .nothingThere, "\"\"", false),
      ("-+work", .hyphen, "-+work", false), ("milk -@mail x", .hyphen, "-@mail", false),
      ("-due:fri", .hyphen, "-due:fri", false), ("!-pri:a", .hyphen, "-pri:a", false),
      ("(milk |)", .nothingThere, "|", false),
    ] as [(String, FilterProblem.Reason, String, Bool)])
  func problems(filter: String, reason: FilterProblem.Reason, word: String, isUnfinished: Bool) throws {
    let problem = try #require(TodoFilter.problem(in: filter, today: list.today()))
    #expect(problem.reason == reason)
    #expect(problem.word == word)
    #expect(problem.isUnfinished == isUnfinished)
    #expect(String(Array(filter)[problem.place]) == word)
    #expect(throws: problem) { try list.items(TodoQuery(filter: filter), .first, count: 1) }
    #expect(throws: problem) { try list.count(TodoQuery(filter: filter)) }
  }

  @Test(
    "an error at a wide sign has its place too",
    arguments: [
      ("milk ！ 牛乳", .nothingThere, 5..<6), ("牛乳 ｜", .nothingThere, 3..<4), ("＋仕事 （牛乳", .unclosed, 4..<5),
      ("＂＂ x", .nothingThere, 0..<2), ("＠家 pri:Ａ．．高", .noPriority, 3..<11),
    ] as [(String, FilterProblem.Reason, Range<Int>)])
  func wideProblems(filter: String, reason: FilterProblem.Reason, place: Range<Int>) throws {
    let problem = try #require(TodoFilter.problem(in: filter, today: list.today()))
    #expect(problem.reason == reason && problem.place == place, "\(problem)")
  }

  @Test("what is made of several words finds what its parts say", arguments: 1...10)
  func combinations(seed: UInt64) throws {
    for text in Self.texts {
      device.world.advance(milliseconds: 1)
      try device.add(text)
    }
    let atoms: [(String, Set<Int>)] = [
      ("milk", [1]), ("due:", [1, 2, 3, 5]), ("(A)", [0]), ("+sh", [1, 7]), ("overdue:", [1]), ("due:>=fri", [3, 5]),
      ("'it's", [6]), ("молоко", [4]),
    ]
    var random = SeededGenerator(seed: seed)
    func made(_ depth: Int) throws -> (String, Set<Int>) {
      let atom = try #require(atoms.randomElement(using: &random))
      guard depth > 0 else { return atom }
      let (left, right) = (try made(depth - 1), try made(depth - 1))
      switch Int.random(in: 0..<4, using: &random) {
      case 0: return ("(\(left.0)) (\(right.0))", left.1.intersection(right.1))
      case 1: return ("(\(left.0) | \(right.0))", left.1.union(right.1))
      case 2: return ("!(\(left.0))", Set(0..<8).subtracting(left.1))
      default: return atom
      }
    }
    for _ in 0..<30 {
      let (filter, found) = try made(4)
      // A word in parentheses of its own is still that word: `((A))`.
      #expect(Set(try texts(filter)) == Set(found.map { Self.texts[$0] }), "\(filter)")
    }
  }

  @Test(
    "weekend is Saturday and Sunday in a filter, on Sunday the same ones, and looking back the last ones",
    arguments: [
      ("2026-11-18", "due:weekend", "2026-11-21", "2026-11-22"),
      ("2026-11-21", "due:this weekend", "2026-11-21", "2026-11-22"),
      ("2026-11-22", "due:weekend", "2026-11-21", "2026-11-22"),
      ("2026-11-23", "vence:finde", "2026-11-28", "2026-11-29"),
      ("2026-11-18", "vence:fin de semana", "2026-11-21", "2026-11-22"),
      ("2026-11-18", "期限:今週末", "2026-11-21", "2026-11-22"),
      ("2026-11-18", "到期：週末", "2026-11-21", "2026-11-22"),
      ("2026-11-18", "created:weekend", "2026-11-14", "2026-11-15"),
      ("2026-11-22", "done:weekend", "2026-11-21", "2026-11-22"),
      ("2026-11-18", "due:fri..weekend", "2026-11-20", "2026-11-22"),
    ])
  func weekend(today: String, filter: String, first: String, last: String) throws {
    let dates = try TodoFilter(filter, today: #require(CalendarDay(today))).dates
    #expect(dates.map { $0.first?.text } == [first] && dates.map { $0.last?.text } == [last])
  }

  @Test(
    "last week and last month are those of the calendar, on their last day too and in January",
    arguments: [
      ("2026-11-21", "done:lastweek", "2026-11-09", "2026-11-15"),
      ("2026-11-22", "done:\"last week\"", "2026-11-09", "2026-11-15"),
      ("2026-11-23", "created:last week", "2026-11-16", "2026-11-22"),
      ("2026-11-21", "hecha:semana pasada", "2026-11-09", "2026-11-15"),
      ("2026-11-21", "完了:先週", "2026-11-09", "2026-11-15"),
      ("2026-11-21", "完成：上週", "2026-11-09", "2026-11-15"),
      ("2026-11-21", "due:last-week", "2026-11-09", "2026-11-15"),
      ("2026-11-30", "done:lastmonth", "2026-10-01", "2026-10-31"),
      ("2027-01-31", "done:last month", "2026-12-01", "2026-12-31"),
      ("2026-11-21", "hecha:mes pasado", "2026-10-01", "2026-10-31"),
      ("2026-11-21", "作成:先月", "2026-10-01", "2026-10-31"),
      ("2026-11-21", "建立：上個月", "2026-10-01", "2026-10-31"),
      ("2026-11-21", "done:lastmonth..lastweek", "2026-10-01", "2026-11-15"),
    ])
  func lastSpans(today: String, filter: String, first: String, last: String) throws {
    let dates = try TodoFilter(filter, today: #require(CalendarDay(today))).dates
    #expect(dates.map { $0.first?.text } == [first] && dates.map { $0.last?.text } == [last])
  }

  @Test(
    "a date beside its weekday is the one that a list shows, also if it is long past",
    arguments: [
      ("overdue:Fri 20 Nov", "2026-11-20", "2026-11-20"), ("overdue:Fri 18 Sep", "2026-09-18", "2026-09-18"),
      ("due:Fri 18 Sep", "2026-09-18", "2026-09-18"), ("due:Fri 18 Sep..Tue 24 Nov", "2026-09-18", "2026-11-24"),
      ("due:Sun 22 Nov..Tue 24 Nov", "2026-11-22", "2026-11-24"), ("done:Fri 18 Sep", "2026-09-18", "2026-09-18"),
      ("vencida:vie 18 sep..vie 20 nov", "2026-09-18", "2026-11-20"), ("vencida:mar 3 mar", "2026-03-03", "2026-03-03"),
      ("期限切れ:9月18日 金曜..11月20日 金曜", "2026-09-18", "2026-11-20"),
      ("逾期:9月18日 週五..11月20日 週五", "2026-09-18", "2026-11-20"),
      ("overdue:24th", "2026-10-24", "2026-10-24"), ("created:24日", "2026-10-24", "2026-10-24"),
      // Today is a Saturday.
      ("overdue:sat", "2026-11-14", "2026-11-14"), ("done:sat", "2026-11-21", "2026-11-21"),
      ("overdue:sat..mon", "2026-11-14", "2026-11-16"), ("overdue:sun..sat", "2026-11-15", "2026-11-21"),
      // It is not overdue, but the day is the one that the list shows.
      ("overdue:Sun 22 Nov", "2026-11-22", "2026-11-22"),
    ])
  func besideWeekday(filter: String, first: String, last: String) throws {
    let dates = try TodoFilter(filter, today: list.today()).dates
    #expect(dates.map { $0.first?.text } == [first] && dates.map { $0.last?.text } == [last])
  }

  @Test("no other day stands for a 29th of February that a year does not have")
  func leapDay() throws {
    let today = try #require(CalendarDay("2027-06-01"))
    // The 28th of February 2027 is a Sunday.
    #expect(TodoFilter.problem(in: "due:sun 29 feb x", today: today)?.reason == .noDate)
    let dates = try TodoFilter("overdue:29 feb", today: today).dates
    #expect(dates.map { $0.first?.text } == ["2024-02-29"])
  }

  @Test("any garbage is either a filter or an error, and never ends the program")
  func garbage() throws {
    for text in Self.texts { try device.add(text) }
    let filter =
      "!plmb 'it (+shop | !@home) due:<=2026-12-24 due:mon..fri !due:none (A) created:3d %_*?[a-z] \"x\" \0 \u{301}é \\"
    let whole = try texts(filter, view: .all)
    #expect(whole.isEmpty)
    for count in 0...filter.unicodeScalars.count {
      _ = try? texts(String(filter.unicodeScalars.prefix(count)), view: .all)
    }
    for long in ["x", "x ", "!", "(", "x|", "!x ", "due:", "'("] {
      _ = try? texts(String(repeating: long, count: 20_000))
      _ = try? texts(String(repeating: long, count: 90))
    }
    var random = SeededGenerator(seed: 7)
    let letters = Array("'!+@(A)|due:<>=0123-.\u{301} \u{FEFF}%*[]?\u{0}wk金：")
    for _ in 0..<1_000 {
      let filter = String((0..<14).compactMap { _ in letters.randomElement(using: &random) })
      do {
        _ = try texts(filter)
      } catch let problem as FilterProblem {
        #expect(problem.place.upperBound <= filter.count && !problem.word.isEmpty, "\(filter.debugDescription)")
      }
    }
  }

  @Test("what is typed on the way to a date does not hide what the date will show, and is no mistake")
  func onTheWay() throws {
    try device.add("pay due:2026-11-27")
    for filter in ["due:fri", "due:<2027-12-01", "due:+6d", "due:2026-11-27", "due:week", "due:nextfri"] {
      for count in 1...filter.count {
        do {
          #expect(try texts(String(filter.prefix(count))) == ["pay due:2026-11-27"], "\(filter.prefix(count))")
        } catch let problem as FilterProblem {
          #expect(problem.isUnfinished, "\(filter.prefix(count))")
        }
      }
    }
  }

  @Test("each beginning of a range is a filter or unfinished")
  func towardsARange() throws {
    for filter in ["due:mon..fri", "due:<2026-12-01", "(milk | !'rent) done:>=3d", "done:lastweek"] {
      for count in 1...filter.count {
        let problem = TodoFilter.problem(in: String(filter.prefix(count)), today: list.today())
        #expect(problem?.isUnfinished != false, "\(filter.prefix(count))")
      }
    }
  }

  @Test("created: finds what was made on a day")
  func created() throws {
    try device.add("milk")
    let today = CalendarDay(device.world.now.date)
    let (before, after) = (today.adding(days: -1).text, today.adding(days: 1).text)
    for (filter, count) in [
      ("created:\(today.text)", 1), ("created:<\(today.text)", 0), ("created:<=\(today.text)", 1),
      ("created:>\(before)", 1), ("created:\(before)..\(after)", 1), ("created:>=\(after)", 0),
      ("!created:<\(after)", 0), ("created:", 1), ("!created:", 0),
      ("created:\(today.text.prefix(7))", 1),
    ] {
      #expect(try texts(filter).count == count, "\(filter)")
    }
  }

  @Test("done: finds what was completed, also among the open items, by the day on which it was")
  func done() throws {
    try device.add("milk")
    let bread = try device.add("bread")
    try list.setComplete([bread], true)
    let today = CalendarDay(device.world.now.date).text
    #expect(try texts("done:") == ["bread"])
    #expect(try texts("done:\(today)") == ["bread"])
    #expect(try texts("done:<\(today)") == [])
    #expect(try texts("milk | done:>=\(today)") == ["milk", "bread"])
    #expect(try texts("!done:\(today)") == ["milk"])
  }

  @Test("done: with a day finds no item whose day of completion is not known, done:none finds those")
  func doneUnknown() throws {
    let undated = PortableItem("undated", complete: true)
    let dated = PortableItem("dated", complete: true, completed: CalendarDay("2026-01-02").map { .day($0) })
    _ = try list.add([undated, dated], exact: false)
    let today = CalendarDay(device.world.now.date).text
    for filter in ["done:\(today)", "done:<=\(today)", "done:>=2020-01-01", "done:2020-01-01..", "!done:none done:"] {
      #expect(try !texts(filter).contains("undated"), "\(filter)")
    }
    #expect(try texts("done:2026-01-02") == ["dated"])
    #expect(try texts("done:none") == ["undated"])
    #expect(try texts("done:") == ["undated", "dated"])
  }

  @Test("wide signs inside of a word, of a title and behind no key are text; behind a group they count")
  func wideText() throws {
    let texts = ["飲み会(＠渋谷)", "見積書｜A社", "やった!！", "件名:＂至急＂", "牛乳 +店"]
    for text in texts { _ = try list.add(text) }
    for text in texts.prefix(4) { #expect(try self.texts(text) == [text]) }
    for filter in ["（牛乳｜パン）", "（牛乳 ｜ パン）＋店", "＂牛乳＂（＋店）", "!！牛乳 ＋店 ｜ ＋店"] {
      #expect(try self.texts(filter).contains("牛乳 +店") == (filter != "（牛乳｜パン）"), "\(filter)")
    }
  }

  @Test("letters match without accents and case")
  func accents() throws {
    try device.add("Call Léo about the café")
    for filter in ["leo", "LÉO", "cafe", "!leon", "'Leo"] {
      #expect(try texts(filter).count == 1, "\(filter)")
    }
  }

  @Test("words that a filter takes for one another are counted together, and spelled as in most items")
  func spellings() throws {
    for text in ["+Café", "+café @x", "+cafe +CAFÉ", "+café due:2026-11-20", "@X +abc"] { try list.add(text) }
    let counts = try list.wordCounts()
    #expect(counts.map(\.word) == ["+abc", "+café", "@X"] && counts.map(\.count) == [1, 4, 2])
    #expect(counts.map(\.late) == [0, 1, 0])
    for count in counts { #expect(try texts(count.word).count == count.count) }
  }

  @Test("projects and contexts in use are offered, most used first, those of done items not")
  func completion() throws {
    for text in ["+a @x", "+b +b", "+b +A", "x+c a@y +", "+abc\u{0}+nul"] { try list.add(text) }
    try list.setComplete([list.add("+done @done").id], true)
    #expect(try list.projects() == ["+A", "+b", "+abc", "+nul"])
    #expect(try list.projects(beginning: "A") == ["+A", "+abc"])
    #expect(try list.contexts() == ["@x"])
    for number in 0..<250 { try list.add("+p\(number)") }
    #expect(try list.projects(beginning: "p").count == 200)
  }
}
