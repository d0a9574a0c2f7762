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

  @Test("what is cut in one go comes back in one piece, and Alt-Y takes earlier pieces in its place")
  func ring() {
    #expect(after("buy oat milk", .cutWordBack, .cutWordBack, .yank) == "buy oat milk|")
    #expect(after("one two", .cutWordBack, .lineStart, .cutToEnd, .yank) == "one |")
    #expect(after("one two", .cutWordBack, .lineStart, .cutToEnd, .yank, .yankOlder) == "two|")
    #expect(after("one two", .cutWordBack, .lineStart, .cutToEnd, .yank, .yankOlder, .yankOlder) == "one |")
    #expect(after("one two", .cutWordBack, .yankOlder) == "one |")
  }

  @Test("Alt-U, Alt-L and Alt-C change the word after the cursor and go on behind it")
  func cases() {
    #expect(after("buy oat milk", .lineStart, .upcaseWord, .upcaseWord) == "BUY OAT| milk")
    #expect(after("BUY oat", .lineStart, .downcaseWord) == "buy| oat")
    #expect(after("+hOME éCRIRE", .lineStart, .capitalizeWord, .capitalizeWord) == "+Home Écrire|")
    #expect(after("buy", .upcaseWord) == "buy|")
  }

  @Test("Alt-T swaps the word at the cursor with the one before it")
  func swappedWords() {
    #expect(after("one  two three", .lineStart, .wordRight, .transposeWords) == "two  one| three")
    #expect(after("one two", .transposeWords) == "two one|")
    #expect(after("one", .transposeWords) == "one|")
    #expect(after("", .transposeWords) == "|")
  }

  @Test("the cursor goes by what a reader sees as one character")
  func characters() {
    #expect(after("a👨‍👩‍👧é", .cursorLeft) == "a👨‍👩‍👧|é")
    #expect(after("a👨‍👩‍👧é", .cursorLeft, .cursorLeft) == "a|👨‍👩‍👧é")
    #expect(after("ab", .cursorLeft, .cursorLeft, .cursorLeft, .cursorRight) == "a|b")
  }

  @Test("Ctrl-arrows move by words, Home and End to the ends")
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

  @Test("Alt-. brings the last word of the line before, and again that of the one before it")
  func lastWord() {
    var desk = Desk(items: [], memory: Memory(history: ["water plants", "buy oat milk"]))
    desk.press(.character("a"))
    desk.type("more ")
    desk.press(.alt("."))
    #expect(desk.row(1).hasSuffix("more milk"))
    desk.press(.alt("."))
    #expect(desk.row(1).hasSuffix("more plants"))
    desk.press(.alt("."))
    #expect(desk.row(1).hasSuffix("more plants"))
  }

  @Test(
    "a key with Alt or a function key that means nothing does nothing where one types",
    arguments: [Key.alt("x"), .alt("q"), .alt("r"), .alt("e"), .function(9), .unknown], ["a", "/", "t", ":"])
  func strangers(key: Key, place: Character) {
    var desk = Desk(["milk"])
    desk.press(.character(place))
    desk.type("m")
    let (screen, effects) = (desk.screen, desk.effects)
    desk.press(key)
    #expect(desk.screen == screen)
    #expect(desk.effects == effects)
  }

  @Test("Ctrl-T swaps the two characters at the cursor")
  func transpose() {
    var line = LineEditor("mlik")
    line.apply(.cursorLeft)
    line.apply(.cursorLeft)
    line.apply(.transpose)
    #expect(line.text == "milk")
    #expect(line.before == "mil")
  }
}
