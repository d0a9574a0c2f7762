import Testing

@testable import Terminal
@testable import TodoUI

@Suite("Typing a line of text")
struct LineEditorTests {
  /// The text with a bar where the cursor is, after these edits.
  private func after(_ text: String, _ edits: LineEdit...) -> String {
    var editor = LineEditor(text)
    for edit in edits { editor.apply(edit) }
    return editor.before + "|" + editor.after
  }

  @Test("the cursor goes by what a reader sees as one character")
  func characters() {
    #expect(after("a👨‍👩‍👧é", .cursorLeft) == "a👨‍👩‍👧|é")
    #expect(after("a👨‍👩‍👧é", .cursorLeft, .cursorLeft) == "a|👨‍👩‍👧é")
    #expect(after("ab", .cursorLeft, .cursorLeft, .cursorLeft, .cursorRight) == "a|b")
  }

  @Test("words, and both ends")
  func words() {
    #expect(after("buy oat  milk", .wordLeft) == "buy oat  |milk")
    #expect(after("buy oat  milk", .wordLeft, .wordLeft) == "buy |oat  milk")
    #expect(after("buy oat", .lineStart, .wordRight) == "buy| oat")
    #expect(after("buy oat", .lineStart, .lineEnd) == "buy oat|")
  }

  @Test("deleting takes whole characters, and nothing where there is nothing")
  func deleting() {
    #expect(after("a👍🏽", .deleteBack) == "a|")
    #expect(after("👍🏽a", .lineStart, .deleteForward) == "|a")
    #expect(after("", .deleteBack, .deleteForward, .cutWordBack) == "|")
  }

  @Test("what was cut comes back")
  func cutting() {
    #expect(after("buy oat milk", .cutWordBack, .lineStart, .yank) == "milk|buy oat ")
    #expect(after("buy oat", .wordLeft, .cutToEnd, .lineStart, .yank) == "oat|buy ")
    #expect(after("buy oat", .wordLeft, .cutToStart, .lineEnd, .yank) == "oatbuy |")
    #expect(after("buy oat", .lineStart, .cutWordForward, .lineEnd, .yank) == " oatbuy|")
  }

  @Test("a mark typed after its letter joins it")
  func marks() {
    var editor = LineEditor("")
    for part in ["e", "\u{301}", "👩", "\u{200D}", "👧"] { editor.insert(part) }
    #expect(editor.text == "e\u{301}👩\u{200D}👧")
    editor.apply(.deleteBack)
    #expect(editor.text == "e\u{301}")
  }

  @Test("line breaks and tabs become spaces")
  func oneLine() {
    var editor = LineEditor("")
    editor.insert("a\r\nb\tc\n\n")
    #expect(editor.text == "a b c")
  }

  @Test("the keys of readline do what they do in a shell")
  func readline() {
    var desk = Desk([])
    desk.press(.character("a"))
    desk.type("buy oat milk")
    desk.press(.control("a"), .control("f"), .control("d"), .control("e"), .control("w"), .control("b"))
    desk.press(.control("k"), .alt("b"), .control("u"), .control("y"), .controlLeft, .alt("d"), .home, .delete, .end)
    desk.press(.backspace)
    desk.type("x")
    desk.press(.enter)
    #expect(desk.effects.contains(.change(.add(["oax"]))))
  }
}
