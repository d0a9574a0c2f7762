import Testing
import TodoCore

@testable import Words

@Suite("The languages")
struct LanguageTests {
  private static let others = Language.allCases.filter { $0 != .english }

  @Test(
    "the first of LC_ALL, LC_MESSAGES and LANG that is set and not empty decides",
    arguments: [
      (["LC_ALL": "es_ES.UTF-8", "LC_MESSAGES": "ja_JP.UTF-8", "LANG": "en_US.UTF-8"], Language.spanish),
      (["LC_ALL": "", "LC_MESSAGES": "ja_JP.UTF-8", "LANG": "es_ES"], .japanese),
      (["LC_CTYPE": "ja_JP.UTF-8", "LANG": "es"], .spanish),
      (["LC_ALL": "C.UTF-8", "LANG": "es_ES.UTF-8"], .english),
      (["LC_ALL": "fr_FR.UTF-8", "LANG": "es_ES.UTF-8"], .english),
      ([:], .english),
    ])
  func order(environment: [String: String], language: Language) {
    #expect(Language.chosen(EnvironmentVariables(environment)) == language)
  }

  @Test(
    "a language is known by the name of its locale, however that is written",
    arguments: [
      ("es", Language.spanish), ("es_MX.UTF-8", .spanish), ("es-419", .spanish), ("ES_es@euro", .spanish),
      ("ja_JP.eucJP", .japanese), ("zh_TW", .traditionalChinese), ("zh_HK.UTF-8", .traditionalChinese),
      ("zh_MO", .traditionalChinese), ("zh-Hant", .traditionalChinese), ("zh-Hant-TW", .traditionalChinese),
      ("zh_Hans_HK", .english), ("zh", .english), ("zh_CN.UTF-8", .english), ("POSIX", .english), ("C", .english),
      ("en_GB", .english), ("est", .english), ("_", .english), ("...", .english),
    ])
  func names(locale: String, language: Language) {
    #expect(Language.chosen(["LANG": locale]) == language)
  }

  @Test(
    "LANGUAGE names several, of which the first that is spoken here is taken, but not in the locale C",
    arguments: [
      (["LANGUAGE": "fr:es:ja", "LANG": "ja_JP.UTF-8"], Language.spanish),
      (["LANGUAGE": "zh_CN:zh_TW", "LANG": "zh_CN.UTF-8"], .traditionalChinese),
      (["LANGUAGE": "en:es", "LANG": "es_ES.UTF-8"], .english),
      (["LANGUAGE": "fr", "LANG": "es_ES.UTF-8"], .english),
      (["LANGUAGE": "", "LANG": "es_ES.UTF-8"], .spanish),
      (["LANGUAGE": "es", "LANG": "C.UTF-8"], .english),
      (["LANGUAGE": "es"], .english),
    ])
  func list(environment: [String: String], language: Language) {
    #expect(Language.chosen(EnvironmentVariables(environment)) == language)
  }

  @Test("every language can be read, and each says something of its own", arguments: Language.allCases)
  func parses(language: Language) throws {
    let catalogue = try Catalogue(parsing: String(decoding: language.bytes, as: UTF8.self))
    #expect(catalogue == Catalogue.of(language))
    #expect(Language.allCases.filter { Catalogue.of($0).text(.viewOpen) == catalogue.text(.viewOpen) } == [language])
  }

  @Test("every language has every text that English has, with the same placeholders, and no other", arguments: others)
  func complete(language: Language) {
    let differences = Self.differences(of: Catalogue.of(language), pluralForms: language == .spanish ? 2 : 1)
    let isComplete = differences.isEmpty
    #expect(isComplete, "\(language.rawValue).strings\n\(differences.joined(separator: "\n"))")
  }

  @Test("what a language lacks, has too much, or fills in otherwise is found")
  func findsDifferences() throws {
    let source = "\"title.position\" = \"{position}\";\n\"made.up\" = \"\";"
    let differences = Set(Self.differences(of: try Catalogue(parsing: source), pluralForms: 1))
    let expected: Set = [
      "lacks view.open", "made.up is no text of English",
      "title.position fills in position, English position, total",
    ]
    let (isFound, isAsked) = (differences.isSuperset(of: expected), differences.contains("lacks status.toSend.one"))
    #expect(isFound && !isAsked)
  }

  @Test("the names of the days are seven", arguments: Language.allCases)
  func weekdays(language: Language) {
    #expect(Catalogue.of(language).text(.weekdays).split(separator: " ").count == 7)
  }

  @Test("the names of days that are shown are understood when they are typed", arguments: Language.allCases)
  func days(language: Language) throws {
    let catalogue = Catalogue.of(language)
    let today = try #require(CalendarDay("2026-11-21"))
    #expect(DueWords.meaning(of: catalogue.text(.dueToday), today: today) == .day(today))
    #expect(DueWords.meaning(of: catalogue.text(.dueTomorrow), today: today) == .day(today.adding(days: 1)))
    for (index, name) in catalogue.text(.weekdays).split(separator: " ").enumerated() {
      guard case .day(let day) = DueWords.meaning(of: name, today: today) else {
        Issue.record("\(name)")
        continue
      }
      #expect(day.weekday % 7 == index, "\(name)")
    }
  }

  @Test("a date that is shown in a row is understood when it is typed into an item", arguments: Language.allCases)
  func shownDates(language: Language) throws {
    let catalogue = Catalogue.of(language)
    let today = try #require(CalendarDay("2026-11-21"))
    for days in [-400, -31, -30, -7, -2, -1, 0, 1, 3, 6, 7, 40, 364, 366] {
      let day = today.adding(days: days)
      let shown = catalogue.due(day, today: today, isDone: false)
      #expect(DueWords.resolved("call \(shown)", today: today) == "call due:\(day.text)", "\(shown)")
    }
  }

  @Test(
    "a day with its weekday is understood in a filter as it is shown, and so are two of them",
    arguments: Language.allCases)
  func shownInFilters(language: Language) throws {
    let catalogue = Catalogue.of(language)
    let today = try #require(CalendarDay("2026-11-21"))
    for days in -400...400 {
      let (first, last) = (today.adding(days: days), today.adding(days: days + 9))
      let shown = [first, last].map { catalogue.weekdayAndDay($0, today: today) }
      for (words, end) in [(shown[0], first), (shown.joined(separator: ".."), last)] {
        let filter = catalogue.text(.dueOn, ["date": words])
        let dates = try TodoFilter(filter, today: today).dates
        #expect(dates.map(\.first) == [first] && dates.map(\.last) == [end], "\(filter)")
      }
    }
  }

  @Test("of a date that could be two days the forms are said that work", arguments: Language.allCases)
  func slashedDate(language: Language) throws {
    let catalogue = Catalogue.of(language)
    let today = try #require(CalendarDay("2026-11-21"))
    let said = catalogue.explained("Next.", noDate: "due:1/12", today: today)
    #expect(said.contains("due:1/12") && said.contains("1.12.") && said.contains("2026-12-01"), "\(said)")
    #expect(said.hasSuffix("Next."))
    #expect(DueWords.meaning(of: "1.12.", today: today) == .day(try #require(CalendarDay("2026-12-01"))))
    guard language == .english else { return }
    #expect(
      said == "due:1/12 could be 1 Dec or 12 Jan 2027. Write one of these, or as in 1.12. or 2026-12-01. Next.")
    #expect(DueWords.meaning(of: "12 Jan 2027", today: today) == .day(try #require(CalendarDay("2027-01-12"))))
    let year = catalogue.explained("", noDate: "1/12/2026", today: today)
    #expect(year.contains("1.12.2026"))
    #expect(catalogue.explained("Next.", noDate: "due:4/4", today: today) == "Next.")
  }

  @Test("a day to come behind overdue: has a sentence of its own with the right key", arguments: Language.allCases)
  func dayToCome(language: Language) throws {
    let catalogue = Catalogue.of(language)
    let today = try #require(CalendarDay("2026-11-21"))
    for words in ["overdue:today", "vencida:mañana", "逾期：3天後", "overdue:in 3 days", "overdue:\"fri next week\""] {
      let said = catalogue.explained("Next.", noDateInItem: words, today: today)
      #expect(said.contains(words) && !said.contains("Next."), "\(said)")
    }
    for words in ["overdue:31 nov", "due:soon", "overdue:20 nov"] {
      #expect(catalogue.explained("Next.", noDateInItem: words, today: today) == "Next.")
    }
    guard language == .english else { return }
    #expect(
      catalogue.explained("Next.", noDateInItem: "overdue:tomorrow", today: today)
        == "overdue:tomorrow counts as text: only a day before today is overdue. Write due: instead of overdue:.")
  }

  @Test("a number is written as the language writes it")
  func numbers() {
    #expect(Catalogue.english.number(1_234_567) == "1,234,567")
    #expect(Catalogue.of(.spanish).number(1_234_567) == "1.234.567")
    #expect(Catalogue.of(.spanish).seconds(2.34) == "2,3")
    #expect(Catalogue.of(.japanese).number(12_345) == "12,345")
  }

  @Test("Spanish tells one from many; Japanese and Chinese have one form for both")
  func plurals() {
    #expect(Catalogue.of(.spanish).text(.statusConflicts, count: 1) == "1 conflicto")
    #expect(Catalogue.of(.spanish).text(.statusConflicts, count: 2) == "2 conflictos")
    #expect(Catalogue.of(.japanese).text(.noticeAdded, count: 1, ["number": "1"]) == "1 件を追加しました")
    #expect(Catalogue.of(.traditionalChinese).text(.agoDays, count: 1) == "1 天前")
  }

  @Test("Japanese and Chinese do not say of several items that all are hidden, if some are")
  func hiddenItems() {
    let (japanese, chinese) = (Catalogue.of(.japanese), Catalogue.of(.traditionalChinese))
    #expect(japanese.text(.didHiddenByFilter, count: 2) == "フィルターで隠れているものがあります")
    #expect(japanese.text(.didHiddenByView, count: 2) == "この表示では見えないものがあります")
    #expect(chinese.text(.didHiddenByFilter, count: 2) == "有事項在目前的篩選中看不到")
    #expect(chinese.text(.didHiddenByView, count: 2) == "有事項在目前的檢視中看不到")
  }

  @Test("of blobs after a restore it is said which column to change", arguments: Language.allCases)
  func blobs(language: Language) {
    let said = Catalogue.of(language).text(
      .serveFoundRetypedBlobs, ["table": "TodoItem", "name": "weight", "type": "BLOB", "count": "30"])
    #expect(said.ranges(of: "weight").count == 2 && !said.contains("{"), "\(said)")
  }

  @Test("examples have projects and contexts in the words of their language", arguments: others)
  func examples(language: Language) {
    for (name, text) in Catalogue.of(language).texts where name.hasPrefix("examples.") {
      #expect(!["+shop", "+home", "@phone"].contains { text.contains($0) }, "\(name): \(text)")
    }
  }

  /// What a translator has to do, a line each.
  private static func differences(of catalogue: Catalogue, pluralForms: Int) -> [String] {
    let english = Catalogue.english.texts.filter { pluralForms == 2 || !$0.key.hasSuffix(".one") }
    let wrong = english.sorted { $0.key < $1.key }.compactMap { key, text -> String? in
      guard let translation = catalogue.texts[key] else { return "lacks \(key)" }
      let (here, there) = (placeholders(in: translation), placeholders(in: text))
      return here == there ? nil : "\(key) fills in \(list(here)), English \(list(there))"
    }
    return wrong + catalogue.texts.keys.filter { english[$0] == nil }.sorted().map { "\($0) is no text of English" }
  }

  private static func placeholders(in text: String) -> Set<String> {
    Set(text.matches(of: /{([a-zA-Z]+)}/).map { String($0.1) })
  }

  private static func list(_ names: Set<String>) -> String { names.sorted().joined(separator: ", ") }
}
