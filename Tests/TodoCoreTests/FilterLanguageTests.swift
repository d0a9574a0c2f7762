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
      ("молоко", [4]), ("млк", [4]), ("茶", [5]), ("'plmb", []), ("'plumb", [0]), ("!milk", [0, 2, 3, 4, 5, 6, 7]),
      ("!plmb", [0, 1, 2, 3, 4, 5, 6, 7]), ("+sh", [1, 7]), ("'+shop", [7]), ("+SHOP", [1, 7]), ("@b", []),
      ("@town", [1]),
      ("+2", []), ("!+", [2, 3, 4, 5, 6]), ("!@家", [0, 1, 2, 3, 4, 6, 7]), ("(A)", [0]), ("(b)", [2]),
      ("(", [0, 2, 6]),
      ("(A", [0, 6]), ("!(A)", [1, 2, 3, 4, 5, 6, 7]), ("due:", [1, 2, 3, 5]), ("!due:", [0, 4, 6, 7]),
      ("due:none", [0, 4, 6, 7]),
      ("due:today", [2]), ("due:overdue", [1]), ("due:week", [2, 3]), ("due:fri", [3]), ("due:金曜", [3]),
      ("due:2026-11-28", [5]), ("due:2026-11", [1, 2, 3, 5]), ("due:2026-12", []), ("due:<fri", [1, 2]),
      ("due:>11-21", [3, 5]), ("due:<", [1, 2, 3, 5]), ("due:some", [7]), ("!due:>11-21", [0, 1, 2, 4, 6, 7]),
      ("it's", [6]),
      ("!", [0, 1, 2, 3, 4, 5, 6, 7]), ("'", [0, 1, 2, 3, 4, 5, 6, 7]), ("!'", [0, 1, 2, 3, 4, 5, 6, 7]),
      ("!'quoted", [0, 1, 2, 3, 4, 5, 7]),
    ])
  func words(filter: String, found: [Int]) throws {
    for text in Self.texts {
      device.world.advance(milliseconds: 1)
      try device.add(text)
    }
    #expect(try texts(filter) == found.map { Self.texts[$0] })
  }

  @Test("every beginning of a filter is a filter, and so is any garbage")
  func beginnings() throws {
    for text in Self.texts { try device.add(text) }
    let filter = "!plmb 'it +shop !@home due:<2026-12-24 due:>fri !due:none (A) due:+3d %_*?[a-z] \"x\" \0 \u{301}é \\"
    for count in 0...filter.unicodeScalars.count {
      _ = try texts(String(filter.unicodeScalars.prefix(count)), view: .all)
    }
    _ = try texts(String(repeating: "x", count: 100_000))
    var random = SeededGenerator(seed: 7)
    let letters = Array("'!+@(A)due:<>0123-.\u{301} \u{FEFF}%*[]?\u{0}wk金")
    for _ in 0..<300 {
      _ = try texts(String((0..<12).compactMap { _ in letters.randomElement(using: &random) }), view: .all)
    }
  }

  @Test("what is typed on the way to a date does not hide what the date will show")
  func onTheWay() throws {
    try device.add("pay due:2026-11-27")
    for filter in ["due:fri", "due:<2026-12-01", "due:+6d", "due:2026-11-27", "due:week"] {
      for count in 1...filter.count {
        #expect(try texts(String(filter.prefix(count))) == ["pay due:2026-11-27"], "\(filter.prefix(count))")
      }
    }
  }

  @Test("projects and contexts in use are offered, most used first, those of done items not")
  func completion() throws {
    for text in ["+a @x", "+b +b", "+b +A", "x+c a@y +", "+abc\u{0}+nul"] { try list.add(text) }
    try list.setComplete(list.add("+done @done").id, true)
    #expect(try list.projects() == ["+b", "+A", "+a", "+abc", "+nul"])
    #expect(try list.projects(beginning: "A") == ["+A", "+a", "+abc"])
    #expect(try list.contexts() == ["@x"])
    for number in 0..<250 { try list.add("+p\(number)") }
    #expect(try list.projects(beginning: "p").count == 200)
  }
}
