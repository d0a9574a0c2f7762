import Testing
import TodoCore

@testable import Terminal
@testable import TodoUI

@Suite("Completing the word that is typed")
struct CompletingWordsTests {
  @Test("Tab completes a project or a context, and goes on to the next that fits")
  func completion() {
    var desk = Desk(["a"])
    desk.completions = ["+shop", "+shower", "@home"]
    desk.press(.character("a"))
    desk.type("buy +sh")
    desk.press(.tab)
    #expect(desk.row(2) == "▌  [ ]   buy +shop")
    desk.press(.tab)
    #expect(desk.row(2) == "▌  [ ]   buy +shower")
    desk.press(.tab)
    #expect(desk.row(2) == "▌  [ ]   buy +shop")
    desk.type(" b")
    desk.press(.tab)
    #expect(desk.row(2) == "▌  [ ]   buy +shop b")
  }

  @Test("the signs of East Asian keyboards are completed too, in an item and in the filter")
  func wideSigns() {
    var desk = Desk(["a"])
    desk.completions = ["+店", "@家"]
    for (typed, line) in [("買う ＋", "買う +店"), ("買う ＠家", "買う ＠家"), ("＋店", "＋店"), ("x ＠", "x @家")] {
      desk.press(.character("a"))
      desk.type(typed)
      desk.press(.tab)
      #expect(desk.model.editor.editing?.line.text == line)
      desk.press(.control("u"), .escape)
    }
    desk.press(.character("/"))
    desk.type("＠")
    desk.press(.tab)
    #expect(desk.bottom.contains("@家"), "\(desk.bottom)")
  }

  @Test("after the only word that fits a letter begins the next word, and a space that is typed stays the only one")
  func completedWord() {
    var desk = Desk(["a"])
    desk.completions = ["@errands", "+shop", "+shower"]
    desk.press(.character("a"))
    for (typed, keys, line) in [
      ("Ship @er", [.tab, .character("d")], "Ship @errands d"),
      ("Ship @er", [.tab, .tab, .character("d")], "Ship @errands d"),
      ("Ship @er", [.tab, .character(" "), .character("d")], "Ship @errands d"),
      ("Ship @er", [.tab], "Ship @errands"), ("Ship @er", [.tab, .backspace, .character("d")], "Ship @errandd"),
      ("buy +sh", [.tab, .character("d")], "buy +shopd"),
    ] as [(String, [Key], String)] {
      desk.type(typed)
      for key in keys { desk.press(key) }
      #expect(desk.model.editor.editing?.line.text == line)
      desk.press(.control("u"))
    }
  }
}
