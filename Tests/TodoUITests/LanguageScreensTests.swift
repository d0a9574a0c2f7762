import Testing
import TodoCore

@testable import Terminal
@testable import TodoUI

@Suite("The screen in every language")
struct LanguageScreensTests {
  private static let sizes = [Size(columns: 80, rows: 24), Size(columns: 40, rows: 10)]

  @Test("print", arguments: Language.allCases)
  func prints(language: Language) {
    for size in Self.sizes {
      var desk = LanguageDesk.list(language, size)
      print(desk.screen)
      desk.press(.character("c"))
      print(desk.screen)
      desk.press(.escape, .character("?"))
      print(desk.screen)
    }
  }
}

enum LanguageDesk {
  static func list(_ language: Language, _ size: Size) -> Desk {
    let conflict = TodoConflict(
      id: "2", base: TodoCopy(text: "milk"), mine: TodoCopy(text: "oat milk"), theirs: TodoCopy(text: "rice milk"))
    let items = [
      TodoItem(id: "1", text: "Buy bread", state: .waiting), TodoItem(id: "2", text: "oat milk", state: .conflict),
      TodoItem(id: "3", text: "買雞蛋", complete: true),
    ]
    var desk = Desk(
      items: items, columns: size.columns, rows: size.rows,
      preferences: Preferences(catalogue: Catalogue.of(language)))
    desk.conflicts = [conflict]
    (desk.sync.pending, desk.sync.conflicts) = (2, 1)
    desk.survey()
    return desk
  }
}
