import FoundationEssentials
import OfflineSync
import Support
import TableProtocol
import Testing

@testable import TodoCore

@Suite("Dates as people say them")
struct DueWordTests {
  /// A Saturday.
  private let today = CalendarDay("2026-11-21")

  @Test(
    "each word is a day",
    arguments: [
      ("today", "2026-11-21"), ("Tomorrow", "2026-11-22"), ("fri", "2026-11-27"), ("saturday", "2026-11-28"),
      ("sun", "2026-11-22"), ("+3d", "2026-11-24"), ("3d", "2026-11-24"), ("+1w", "2026-11-28"),
      ("+2w", "2026-12-05"), ("+2m", "2027-01-21"), ("+1y", "2027-11-21"), ("1m", "2026-12-21"),
      ("1y", "2027-11-21"), ("nextweek", "2026-11-23"), ("nextmonth", "2026-12-01"), ("2026-12-24", "2026-12-24"),
      ("2026-1-5", "2026-01-05"), ("12-24", "2026-12-24"), ("11-21", "2026-11-21"), ("1-5", "2027-01-05"),
      ("02-29", "2028-02-29"), ("24.12.", "2026-12-24"), ("24.12", "2026-12-24"), ("5.1.2027", "2027-01-05"),
      ("24.12.26", "2026-12-24"), ("5.1.27", "2027-01-05"), ("01.02.20", "2020-02-01"),
      ("hoy", "2026-11-21"), ("MAÑANA", "2026-11-22"), ("vie", "2026-11-27"), ("sábado", "2026-11-28"),
      ("今日", "2026-11-21"), ("明日", "2026-11-22"), ("金曜", "2026-11-27"), ("月", "2026-11-23"),
      ("tonight", "2026-11-21"), ("yesterday", "2026-11-20"), ("tom", "2026-11-22"), ("eow", "2026-11-27"),
      ("eom", "2026-11-30"), ("eoy", "2026-12-31"), ("weekend", "2026-11-21"), ("next-week", "2026-11-23"),
      ("next week", "2026-11-23"), ("next fri", "2026-11-27"), ("next-fri", "2026-11-27"), ("nextsun", "2026-11-29"),
      ("+3", "2026-11-24"), ("in 3 days", "2026-11-24"), ("in-3-days", "2026-11-24"), ("2 weeks", "2026-12-05"),
      ("in a week", "2026-11-28"), ("in 1 month", "2026-12-21"), ("24dec", "2026-12-24"), ("dec 24", "2026-12-24"),
      ("dec-24", "2026-12-24"), ("24 December", "2026-12-24"), ("Dec 24th", "2026-12-24"), ("5jan", "2027-01-05"),
      ("24 dec 2027", "2027-12-24"), ("dec 24, 2027", "2027-12-24"), ("24/12", "2026-12-24"), ("12/24", "2026-12-24"),
      ("2026/12/24", "2026-12-24"), ("4/4", "2027-04-04"), ("ayer", "2026-11-20"), ("24 de dic", "2026-12-24"),
      ("en 3 días", "2026-11-24"), ("próximo vie", "2026-11-27"), ("fin de mes", "2026-11-30"),
      ("fin de semana", "2026-11-21"), ("昨日", "2026-11-20"), ("3日後", "2026-11-24"), ("12月24日", "2026-12-24"),
      ("24日", "2026-11-24"), ("5日", "2026-12-05"), ("来週金曜", "2026-11-27"), ("月末", "2026-11-30"),
      ("昨天", "2026-11-20"), ("3天", "2026-11-24"), ("下週五", "2026-11-27"), ("月底", "2026-11-30"),
      ("12月24號", "2026-12-24"), ("2027年1月25日", "2027-01-25"), ("2027年1月25号", "2027-01-25"), ("３日後", "2026-11-24"),
      ("２０２６／１２／２４", "2026-12-24"), ("１２月２４日", "2026-12-24"), ("３d", "2026-11-24"), ("24th", "2026-11-24"),
      ("1st", "2026-12-01"), ("the 22nd", "2026-11-22"), ("21st", "2026-11-21"), ("this fri", "2026-11-27"),
      ("this sat", "2026-11-21"), ("este vie", "2026-11-27"), ("今週の金曜", "2026-11-27"), ("這週五", "2026-11-27"),
      ("本週五", "2026-11-27"), ("day after tomorrow", "2026-11-23"), ("this weekend", "2026-11-21"),
      ("Wed 2 Dec", "2026-12-02"), ("wed2dec", "2026-12-02"), ("vie 27 nov", "2026-11-27"), ("12月2日 水曜", "2026-12-02"),
      ("Mon 25 Jan 2027", "2027-01-25"), ("2027年1月25日 週一", "2027-01-25"), ("Fri, 2026-11-27", "2026-11-27"),
      ("fri 27th", "2026-11-27"), ("3 days ago", "2026-11-18"), ("hace 3 días", "2026-11-18"), ("3 日前", "2026-11-18"),
      ("3 天前", "2026-11-18"), ("2 weeks ago", "2026-11-07"), ("fri next week", "2026-11-27"),
      ("this fri 27 nov", "2026-11-27"), ("next fri 4 dec", "2026-12-04"), ("fri 20 nov", "2026-11-20"),
      ("mié 2 de diciembre de 2026", "2026-12-02"), ("１５\u{3000}jan", "2027-01-15"),
      ("el lunes", "2026-11-23"), ("semana que viene", "2026-11-23"), ("la semana que viene", "2026-11-23"),
      ("el mes que viene", "2026-12-01"), ("in two weeks", "2026-12-05"), ("dentro de dos semanas", "2026-12-05"),
      ("el 24 de dic", "2026-12-24"), ("大後天", "2026-11-24"), ("三天後", "2026-11-24"),
      ("再来週", "2026-11-30"), ("這週末", "2026-11-21"),
      ("今天", "2026-11-21"), ("明天", "2026-11-22"), ("週五", "2026-11-27"), ("星期日", "2026-11-22"), ("周天", "2026-11-22"),
    ])
  func meanings(word: String, day: String) throws {
    #expect(DueWords.meaning(of: word, today: try #require(today)) == CalendarDay(day).map { .day($0) })
  }

  @Test(
    "any other word says nothing",
    arguments: [
      "", "soon", "+", "d", "+d", "99999d", "-3d", "13-40", "02-30", "2026-13-01", "26-12-24", "24.13.26", "1.2.3",
      "1.2.3.4",
      "24/12/26", "..",
      "--", "thu 2 dec", "wed dec", "fri fri", "fri 3d", "12月2日 金曜", "2027年13月1日", "年月日", "31th 2", "this", "3", "in 3",
      "in", "next", "nextsoon", "dec", "dec 32", "24foo", "3/4", "13/13", "24dec!", "+dec",
      "++3",
      "dec 24 20271", "24 dec dec", "dec two", "week week", "que viene", "el", "el el lunes", "月日", "0月0日", "someday",
    ])
  func unknown(word: String) throws {
    #expect(DueWords.meaning(of: word, today: try #require(today)) == nil)
  }

  @Test(
    "of a date with a wrong weekday the day is known, and words that are a date or none have no such day",
    arguments: [
      ("thu 2 dec", "2026-12-02"), ("due:thu 2 dec", "2026-12-02"), ("12月2日 金曜", "2026-12-02"),
      ("this wed 2 dec 2027", "2027-12-02"), ("wed 2 dec", nil), ("thu 31 nov", nil), ("thu", nil), ("someday", nil),
    ])
  func otherWeekday(words: String, day: String?) throws {
    #expect(DueWords.dayOfOtherWeekday(words, today: try #require(today))?.text == day)
  }

  @Test(
    "a date with slashes has an order if it can be read in one alone, and the days of both if it can't",
    arguments: [
      ("12/24/2026", nil, "2026-12-24", .monthFirst), ("24/12/2026", "2026-12-24", nil, .dayFirst),
      ("3/4/2027", "2027-04-03", "2027-03-04", nil), ("4/4/2027", "2027-04-04", "2027-04-04", nil),
      ("3/12", "2026-12-03", "2027-03-12", nil), ("１２／２４", nil, "2026-12-24", .monthFirst),
    ] as [(String, String?, String?, SlashedDate.Order?)])
  func slashedDates(word: String, dayFirst: String?, monthFirst: String?, order: SlashedDate.Order?) throws {
    let today = try #require(today)
    let date = try #require(SlashedDate(word, today: today))
    #expect(date.dayFirst?.text == dayFirst && date.monthFirst?.text == monthFirst && date.order == order)
  }

  @Test(
    "of a date with slashes it is known whether it could be two days, also behind its key",
    arguments: [("due:1/12", true), ("3/4/2027", true), ("due:4/4/2027", false), ("24/12", false), ("due:fri", false)])
  func ambiguousSlashes(words: String, isAmbiguous: Bool) throws {
    #expect((SlashedDate(ambiguous: words, today: try #require(today)) != nil) == isAmbiguous)
  }

  @Test("any other word is no date with slashes", arguments: ["13/13", "2026/12/24", "24.12.2026", "soon", "/", ""])
  func notSlashed(word: String) throws {
    #expect(SlashedDate(word, today: try #require(today)) == nil)
  }

  @Test(
    "a weekday of the next week is not the next one, and the end of the week is a Friday",
    arguments: [
      ("2026-11-18", "fri", "2026-11-20"), ("2026-11-18", "next fri", "2026-11-27"),
      ("2026-11-18", "eow", "2026-11-20"),
      ("2026-11-20", "eow", "2026-11-20"), ("2026-11-22", "eow", "2026-11-27"), ("2026-11-22", "weekend", "2026-11-28"),
      ("2026-11-18", "viernes próximo", "2026-11-27"), ("2026-11-18", "el viernes que viene", "2026-11-27"),
      ("2026-11-18", "lunes que viene", "2026-11-23"), ("2026-11-18", "monday week", "2026-11-30"),
      ("2026-11-18", "fri week", "2026-11-27"), ("2026-11-18", "wed week", "2026-12-02"),
      ("2026-11-22", "next mon", "2026-11-23"), ("2026-11-23", "next mon", "2026-11-30"),
      ("2026-12-24", "24dec", "2026-12-24"),
      ("2026-02-10", "eom", "2026-02-28"), ("2026-01-31", "31日", "2026-01-31"), ("2026-02-01", "31日", "2026-03-31"),
    ])
  func fromOtherDays(today: String, word: String, day: String) throws {
    #expect(DueWords.meaning(of: word, today: try #require(CalendarDay(today))) == CalendarDay(day).map { .day($0) })
  }

  @Test(
    "of what was done, words look back",
    arguments: [
      ("fri", "2026-11-20"), ("sat", "2026-11-21"), ("sun", "2026-11-15"), ("3d", "2026-11-18"),
      ("12-24", "2025-12-24"), ("today", "2026-11-21"),
      ("24dec", "2025-12-24"), ("2026-12-24", "2026-12-24"), ("24.12.26", "2026-12-24"), ("yesterday", "2026-11-20"),
      ("2 weeks", "2026-11-07"),
    ])
  func past(word: String, day: String) throws {
    #expect(DueWords.pastMeaning(of: word, today: try #require(today)) == CalendarDay(day).map { .day($0) })
  }

  @Test(
    "of what was done the 29th of February may be years back",
    arguments: [
      ("2026-11-21", "29 feb", "2024-02-29"), ("2026-11-21", "02-29", "2024-02-29"),
      ("2028-03-01", "29 feb", "2028-02-29"),
      ("2028-02-29", "29 feb", "2028-02-29"), ("2028-02-28", "2月29日", "2024-02-29"),
    ])
  func pastLeapDay(today: String, word: String, day: String) throws {
    let today = try #require(CalendarDay(today))
    #expect(DueWords.pastMeaning(of: word, today: today) == CalendarDay(day).map { .day($0) })
  }

  @Test(
    "months and years are counted back by the calendar, and not by the days that they have ahead",
    arguments: [
      ("1m", "2026-11-21", "2026-10-21"), ("1 month", "2026-03-31", "2026-02-28"), ("2m", "2026-11-21", "2026-09-21"),
      ("1 year", "2028-01-15", "2027-01-15"), ("2 weeks", "2026-11-21", "2026-11-07"),
    ])
  func backByCalendar(word: String, today: String, day: String) throws {
    let today = try #require(CalendarDay(today))
    #expect(DueWords.pastMeaning(of: word, today: today) == CalendarDay(day).map { .day($0) })
  }

  @Test(
    "a distance that says that it lies ahead is no date of what was done",
    arguments: [
      "in 3 days", "in-3-days", "+3", "+3d", "3 days from now", "en 3 días", "dentro de dos semanas", "3日後", "2週間後",
      "3天後", "3天后", "２か月後",
    ])
  func pastAhead(word: String) throws {
    let today = try #require(today)
    #expect(DueWords.pastMeaning(of: word, today: today) == nil)
    #expect(DueWords.meaning(of: word, today: today) != nil)
  }

  @Test(
    "a day of the month that was done is in this month or the last month that has such a day",
    arguments: [
      ("2026-11-21", "24th", "2026-10-24"), ("2026-11-21", "24日", "2026-10-24"), ("2026-11-21", "20th", "2026-11-20"),
      ("2026-11-21", "21st", "2026-11-21"), ("2026-11-21", "31st", "2026-10-31"), ("2026-07-15", "31st", "2026-05-31"),
      ("2026-03-10", "30日", "2026-01-30"), ("2027-01-05", "24th", "2026-12-24"),
    ])
  func pastDayOfMonth(today: String, word: String, day: String) throws {
    let today = try #require(CalendarDay(today))
    #expect(DueWords.pastMeaning(of: word, today: today) == CalendarDay(day).map { .day($0) })
  }

  @Test(
    "a date of several words, of another language or as a list shows it is stored as due: and the day",
    arguments: [
      ("call due:in 3 days +bank", "call due:2026-11-24 +bank"), ("due:dec 24 call", "due:2026-12-24 call"),
      ("call vence:vie", "call due:2026-11-27"), ("電話 期限:金曜", "電話 due:2026-11-27"),
      ("打電話 到期：週五 @家", "打電話 due:2026-11-27 @家"), ("pay overdue:2026-11-19", "pay due:2026-11-19"),
      ("overdue: the books", "overdue: the books"), ("Due:fri call", "due:2026-11-27 call"),
      ("due:next fri due:sun", "due:2026-11-27 due:sun"), ("due:soon vence:vie", "due:soon vence:vie"),
      ("call due: fri", "call due: fri"), ("vence:nunca llamar", "llamar"), ("x due:fri 13", "x due:2026-11-27 13"),
      ("x due:Wed 2 Dec 3 boxes", "x due:2026-12-02 3 boxes"), ("x due:fri 2 dec", "x due:fri 2 dec"),
      ("x due:Mon 25 Jan 2027 y", "x due:2027-01-25 y"), ("買 期限:12月2日 水曜 パン", "買 due:2026-12-02 パン"),
      ("x due:day after tomorrow", "x due:2026-11-23"),
      ("x due:3 days ago", "x due:2026-11-18"), ("x vence:24 de dic de 2027 y", "x due:2027-12-24 y"),
      ("x vence:mar 2 dic 3 cajas", "x vence:mar 2 dic 3 cajas"),
      ("x vence:mar 31 nov", "x vence:mar 31 nov"),
      ("x due:sat mar 99 red balloons", "x due:2026-11-28 mar 99 red balloons"),
      ("x due:31 nov tue", "x due:31 nov tue"), ("x due:mar 99 red balloons", "x due:mar 99 red balloons"),
      ("x due:31st nov", "x due:31st nov"),
      ("x due:wed 2 dec 2027 3", "x due:wed 2 dec 2027 3"), ("x due:2 weeks of rest", "x due:2026-12-05 of rest"),
      ("x due:1st of all", "x due:2026-12-01 of all"), ("x due:10th of the list", "x due:2026-12-10 of the list"),
      ("x vence:24 de diciembre de compras", "x due:2026-12-24 de compras"), ("(x due:fri)", "(x due:fri)"),
      ("x due:3 days from now", "x due:2026-11-24"),
      ("x due:fri, then", "x, due:2026-11-27 then"), ("x due:a week ago", "x due:2026-11-14"),
      ("x due:24.12.", "x due:2026-12-24"),
      ("x due:fri.", "x due:2026-11-27"), ("x due:tomorrow! y", "x! due:2026-11-22 y"),
      ("x due:next week fri", "x due:2026-11-27"),
      ("x vence:lunes que viene y", "x due:2026-11-23 y"), ("x vence:el viernes próximo", "x due:2026-11-27"),
      ("x due:fri week +bank", "x due:2026-12-04 +bank"), ("x due:monday week", "x due:2026-11-30"),
      ("x due:in two weeks", "x due:2026-12-05"),
      ("x due:\"20 days ago\" y", "x due:2026-11-01 y"), ("due:\"next fri\"", "due:2026-11-27"),
      ("x due:\"soon\" y", "x due:\"soon\" y"), ("due:\"fri\"y", "due:\"fri\"y"),
      ("x due:\"fri y", "x due:\"fri y"), ("subdue:fri", "subdue:fri"),
      ("pay overdue:20 Oct now", "pay due:2026-10-20 now"), ("pay overdue:fri", "pay due:2026-11-20"),
      ("pagar vencida:vie 18 sep", "pagar due:2026-09-18"), ("繳費 逾期:10月20日", "繳費 due:2026-10-20"),
      ("pay overdue:29 feb", "pay due:2024-02-29"),
      ("pay overdue:sat", "pay due:2026-11-14"), ("繳費 逾期:週六", "繳費 due:2026-11-14"),
      ("pay overdue:sat 21 nov", "pay overdue:sat 21 nov"),
      ("pay overdue:3 days", "pay due:2026-11-18"), ("pay overdue:in 3 days", "pay overdue:in 3 days"),
      ("pay overdue:24th", "pay due:2026-10-24"), ("繳費 逾期:24日", "繳費 due:2026-10-24"),
      ("pay overdue:20 Oct.", "pay due:2026-10-20"), ("pay overdue:\"20 Oct\" y", "pay due:2026-10-20 y"),
      ("pay overdue:tomorrow", "pay overdue:tomorrow"), ("overdue:Sun 22 Nov pay", "overdue:Sun 22 Nov pay"),
      ("overdue:today due:fri", "overdue:today due:2026-11-27"),
      ("list overdue:31 nov due:fri y", "list overdue:31 nov due:2026-11-27 y"),
      ("overdue:today overdue:fri", "overdue:today due:2026-11-20"),
      ("overdue:today due:soon due:fri", "overdue:today due:soon due:fri"),
      ("overdue:soon due:fri", "overdue:soon due:2026-11-27"),
    ])
  func typed(text: String, stored: String) throws {
    #expect(DueWords.resolved(text, today: try #require(today)) == stored)
  }

  @Test(
    "a day to come is no date behind overdue:, and is reported as such; other words there are text",
    arguments: [
      ("pay overdue:tomorrow now", "tomorrow"), ("overdue:Sun 22 Nov pay", "Sun 22 Nov"), ("overdue:today", "today"),
      ("pay overdue:in 3 days now", "in 3 days"), ("overdue:+3 pay", "+3"), ("逾期:3天後 繳費", "3天後"),
      ("pay overdue:\"in 3 days\"", "\"in 3 days\""), ("pay overdue:fri next week", "fri next week"),
      ("逾期:明天 繳費", "明天"), ("overdue:Thu 20 Nov", "Thu 20 Nov"), ("overdue: the books", nil), ("overdue:soon", nil),
    ] as [(String, String?)])
  func notOverdue(text: String, words: String?) throws {
    let typed = TypedDue(text, today: try #require(today))
    #expect(typed?.words == words && typed?.meaning == nil)
  }

  @Test(
    "words that are no date are reported also if a date stands behind overdue: and them",
    arguments: [
      ("list overdue:31 nov due:fri", "overdue:31 nov"), ("overdue:tomorrow pay due:2026-11-27", "overdue:tomorrow"),
      ("pagar vence:mar 31 nov", "vence:mar 31 nov"), ("due:sun 31 nov 2026 x", "due:sun 31 nov 2026"),
      ("due:sat mar 99 red balloons", nil), ("due:dec 32 x", "due:dec 32"),
      ("due:soon due:fri", "due:soon"), ("overdue:31 nov due:soon", "overdue:31 nov"), ("due:fri due:soon", nil),
      ("due:fri overdue:31 nov", nil), ("pay overdue:fri", nil), ("pay", nil),
    ] as [(String, String?)])
  func reported(text: String, words: String?) throws {
    let range = TypedDue(text, today: try #require(today))?.noDate
    #expect(range.map { String(text[$0]) } == words)
  }

  @Test(
    "wide spaces and signs as East Asian keyboards type them do not hide tags, priorities and dates",
    arguments: [
      ("牛乳\u{3000}+買い物\u{3000}due:明日", "牛乳 +買い物 due:2026-11-22"), ("(A)\u{3000}家賃", "(A) 家賃"),
      ("（Ａ）\u{3000}家賃", "(A) 家賃"), ("（B） 家賃", "(B) 家賃"), ("（ａ） 家賃", "（ａ） 家賃"),
      ("（Ａ）家賃", "(A) 家賃"), ("（Ｄ）掃除", "(D) 掃除"), ("（A）掃除", "(A) 掃除"), ("（Ｂ）＋家 掃除", "(B) +家 掃除"),
      ("(A)家賃", "(A)家賃"), ("(Ａ)家賃", "(Ａ)家賃"), ("（ａ）家賃", "（ａ）家賃"), ("（ＡＢ）家賃", "（ＡＢ）家賃"),
      ("（Ａ）\n家賃", "（Ａ）\n家賃"), (" （Ａ）家賃", " （Ａ）家賃"),
      ("家 （Ａ） 家", "家 （Ａ） 家"), ("（Ａ）", "（Ａ）"),
      ("牛乳\u{3000}＋買い物", "牛乳 +買い物"), ("＠電話 母", "@電話 母"), ("母 ＠電話", "母 @電話"),
      ("牛乳\u{3000}\u{3000}＋店", "牛乳  +店"), ("牛乳\u{3000}期限：明日\u{3000}卵", "牛乳 due:2026-11-22 卵"),
      ("x due:next\u{3000}fri\u{3000}y", "x due:2026-11-27 y"), ("薬\u{3000}rec:1w", "薬 rec:1w"),
      ("雪国\u{3000}上 +本", "雪国\u{3000}上 +本"), ("1 ＋ 2", "1 ＋ 2"), ("1 ＋2", "1 ＋2"), ("牛乳＋卵", "牛乳＋卵"),
      ("牛乳\u{3000}卵", "牛乳\u{3000}卵"), ("家\u{3000}(A)\u{3000}家", "家\u{3000}(A)\u{3000}家"),
      ("牛乳\n卵\u{3000}＋店", "牛乳\n卵\u{3000}＋店"),
    ])
  func wide(text: String, stored: String) throws {
    #expect(DueWords.resolved(text, today: try #require(today)) == stored)
  }

  @Test("an imported text keeps its wide spaces and signs")
  func importedWide() {
    #expect(TodoText.imported("牛乳\u{3000}＋買い物\u{3000}due:明日") == "牛乳\u{3000}＋買い物\u{3000}due:明日")
  }

  @Test("a text is kept with the day itself, by whatever way it comes in")
  func saved() async throws {
    let server = FakeServer()
    let device = try TestDevice(server)
    let day = try #require(today)
    let list = TodoList(context: device.context, today: { day })
    let item = try list.add("call due:fri +bank")
    #expect(item.text == "call due:2026-11-27 +bank")
    try list.edit(item.id, text: "call due:mañana", seen: item.text)
    #expect(try list.item(item.id)?.text == "call due:2026-11-22")
    try list.edit(item.id, text: "call due:none now")
    #expect(try list.item(item.id)?.text == "call now")
    #expect(try list.add("call due:soon due:fri").text == "call due:soon due:fri")
    #expect(throws: TodoError.emptyText) { try list.add("due:none") }
    await device.sync()
    server.put(item.id, ["text": .text("write")])
    try list.edit(item.id, text: "phone")
    await device.sync()
    try list.decide(item.id, .text("phone due:today"))
    #expect(try list.item(item.id)?.text == "phone due:2026-11-21")
  }

  @Test("a text that was typed before midnight is kept with the day that was meant then")
  func typedBefore() throws {
    let day = try #require(today)
    let device = try TestDevice(FakeServer())
    defer { withExtendedLifetime(device) {} }
    let list = TodoList(context: device.context, today: { day.adding(days: 1) })
    #expect(try list.add("call due:today").text == "call due:2026-11-22")
    #expect(try list.typed(on: day).add("call due:today").text == "call due:2026-11-21")
  }

  @Test("a day ends in the moment in which the next one begins, whatever is done to the clocks")
  func ends() throws {
    let first = try #require(today)
    for day in (0..<800).map({ first.adding(days: $0) }) {
      #expect(CalendarDay(day.end) == day.adding(days: 1) && CalendarDay(day.end - 1) == day, "\(day.text)")
    }
  }
}
