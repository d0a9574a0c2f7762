import OfflineSync
import TableProtocol
import Testing
import TodoCore

@testable import Terminal
@testable import TodoUI
@testable import Words

@Suite("The screen in every language")
struct LanguageScreensTests {
  private static let sizes = [Size(columns: 80, rows: 24), Size(columns: 40, rows: 10)]

  private func desk(_ language: Language, _ size: Size) -> Desk {
    let items = [
      TodoItem(id: "1", text: "Pan +casa", state: .waiting), TodoItem(id: "2", text: "oat milk", state: .conflict),
      TodoItem(id: "3", text: "買雞蛋"),
    ]
    var desk = Desk(
      items: items, columns: size.columns, rows: size.rows,
      preferences: Preferences(catalogue: Catalogue.of(language)))
    desk.conflicts = [
      TodoConflict(
        id: "2", base: TodoCopy(text: "milk"), mine: TodoCopy(text: "oat milk"), theirs: TodoCopy(text: "rice milk"))
    ]
    (desk.sync.pending, desk.sync.conflicts) = (2, 1)
    desk.survey()
    return desk
  }

  /// The rows that are not empty.
  private func rows(_ desk: Desk) -> String {
    desk.screen.split(separator: "\n").joined(separator: "\n")
  }

  @Test("Spanish at 40 by 10 and at 80 by 24")
  func spanish() {
    var narrow = desk(.spanish, Self.sizes[1])
    #expect(
      rows(narrow) == """
         Pendientes 3                     ↑1 ≠1
        ▌↑ [ ]   Pan +casa
         ≠ [ ]   oat milk
           [ ]   買雞蛋
         aún sin enviar                  1 de 3
         ? ayuda  c decidir  a añadir
        """)
    narrow.press(.character("c"))
    #expect(
      rows(narrow) == """
         Por decidir 1                    ↑1 ≠1
        ≠ Cambió aquí y en el servidor.
        antes milk
        aquí  {+oat+} milk
        allí  {+rice+} milk
        unido oat rice milk
                                         1 de 1
         Enter unido  h aquí  t allí  b ambas
        """)
    let wide = desk(.spanish, Self.sizes[0])
    #expect(wide.syncState == "↑1  ≠1 · nunca sincronizada")
    #expect(wide.bottom == "? ayuda  c decidir  a añadir  Space hecha  r sinc.  q salir  Enter editar")
  }

  @Test("Japanese at 40 by 10 and at 80 by 24")
  func japanese() {
    var narrow = desk(.japanese, Self.sizes[1])
    #expect(
      rows(narrow) == """
         未完了 3               ↑1  ≠1 · 未同期
        ▌↑ [ ]   Pan +casa
         ≠ [ ]   oat milk
           [ ]   買雞蛋
         未送信                        3 件中 1
         ? ヘルプ  c 解決  a 追加  Space 完了
        """)
    narrow.press(.character("c"))
    #expect(
      rows(narrow) == """
         未解決 1               ↑1  ≠1 · 未同期
        ≠ こことサーバーの両方で変更されました。
        元       milk
        ここ     {+oat+} milk
        サーバー {+rice+} milk
        統合     oat rice milk
                                       1 件中 1
         Enter 統合  h ここ  t サーバー  b 両方
        """)
    let wide = desk(.japanese, Self.sizes[0])
    #expect(wide.bottom == "? ヘルプ  c 解決  a 追加  Space 完了  r 同期  q 終了  Enter 編集  / 絞り込み")
  }

  @Test("Traditional Chinese at 40 by 10 and at 80 by 24")
  func chinese() {
    var narrow = desk(.traditionalChinese, Self.sizes[1])
    #expect(
      rows(narrow) == """
         未完成 3             ↑1  ≠1 · 從未同步
        ▌↑ [ ]   Pan +casa
         ≠ [ ]   oat milk
           [ ]   買雞蛋
         還沒送出              第 1 個，共 3 個
         ? 說明  c 決定  a 新增  Space 完成
        """)
    narrow.press(.character("c"))
    #expect(
      rows(narrow) == """
         待決定 1             ↑1  ≠1 · 從未同步
        ≠ 這裡和伺服器都改過。
        原本 milk
        這裡 {+oat+} milk
        那裡 {+rice+} milk
        合併 oat rice milk
                               第 1 個，共 1 個
         Enter 合併  h 這裡  t 那裡  b 都要
        """)
    let wide = desk(.traditionalChinese, Self.sizes[0])
    #expect(wide.bottom == "? 說明  c 決定  a 新增  Space 完成  r 同步  q 離開  Enter 編輯  / 篩選  u 復原")
  }

  @Test("no row is wider than the terminal, and what stands at the right ends there", arguments: Language.allCases)
  func columns(language: Language) {
    for size in Self.sizes + [Size(columns: 20, rows: 5), Size(columns: 33, rows: 7)] {
      var desk = desk(language, size)
      for keys: [Key] in [[], [.character("c")], [.escape, .character("?")], [.escape, .character("s")]] {
        for key in keys { desk.press(key) }
        let widths = desk.screen.split(separator: "\n").map { TextWidth.columns(of: String($0)) }
        #expect(widths.allSatisfy { $0 <= size.columns }, "\(desk.screen)")
      }
      #expect(TextWidth.columns(of: self.desk(language, size).row(0)) == size.columns - 1)
    }
  }

  @Test("at 40 columns no line of the help is cut, and it has every command", arguments: Language.allCases)
  func help(language: Language) {
    var desk = desk(language, Size(columns: 40, rows: 600))
    desk.press(.character("?"))
    let screen = desk.screen
    #expect(!screen.contains("…"), "\(screen)")
    let catalogue = Catalogue.of(language)
    #expect(Command.allCases.filter { !screen.contains(" " + catalogue.help($0)) } == [])
    #expect(Place.allCases.filter { !screen.contains(catalogue.name(of: $0)) } == [])
  }

  @Test("a question about another account is not cut at 40 by 10", arguments: Language.allCases)
  func questions(language: Language) {
    let home = "http://127.0.0.1:8080"
    let notices = [
      OtherAccount(owner: home, current: "http://127.0.0.1:9090", pending: 12),
      OtherAccount(owner: home, current: home, pending: 12),
      OtherAccount(owner: home, current: "http://127.0.0.1:9090", isOtherUser: true, pending: 12),
    ]
    for notice in notices {
      let lines = TextWidth.wrap(Catalogue.of(language).question(about: notice), columns: 39)
      #expect(lines.count <= 6, "\(lines.joined(separator: "\n"))")
    }
  }
}
