import Testing
import TodoCore

@testable import Exchange

@Suite("A check list in Markdown")
struct MarkdownTests {
  @Test("boxes with any bullet or number are items, nested ones keep their indentation, the rest is left out")
  func reads() throws {
    let text = """
      # Shopping

      - [ ] Buy milk +shop
        two litres

        of oat
      * [x] Buy tea
        + [X] green
          1. [ ] from Uji
      2) [ ] Call Léo
      • [x] Pay rent
      - plain bullet
      A paragraph.
      - [] no box
      -[ ] no space
      - [ ]
      ```
      - [ ] code
      ```
      """
    let result = try ImportResult.of(text, .markdown)
    #expect(
      result.texts == [
        "Buy milk +shop\ntwo litres\n\nof oat", "Buy tea", "  green", "    from Uji", "Call Léo", "Pay rent",
      ])
    #expect(result.portable.map(\.complete) == [false, true, true, false, false, true])
    #expect(result.leftOut.filter { $0.reason == .notInCheckList }.map(\.line) == [1, 12, 13, 14, 15, 17, 18, 19])
    #expect(result.leftOut.filter { $0.reason == .noText }.map(\.line) == [16])
  }

  @Test("signs that are boxes need no bullet, and a note that begins so comes back")
  func readsSigns() throws {
    let result = try ImportResult.of("☑ rent\n☐ tea\n  from Uji\n- ✓ salt\n✔\u{FE0F} oil\n☑x\n☐\n", .markdown)
    #expect(result.texts == ["rent", "tea\nfrom Uji", "salt", "oil"])
    #expect(result.portable.map(\.complete) == [true, false, true, true])
    #expect(result.leftOut.map(\.line) == [6, 7])
    let item = PortableItem("☑ shop\n☐ tea\n✓ done")
    #expect(try ImportResult.of(ExportFile.text([item], .markdown), .markdown).portable == [item])
  }

  @Test(
    "lines that were added are sent here only if each of them and its tick is kept",
    arguments: [
      (["- [x] rent", "* [ ] tea"], true), (["• [x] milk"], true), (["2. [X] tea", "  - [ ] green"], true),
      (["- [x] salt", "oil"], false), (["- [x] salt", "- oil"], false), (["- [x] salt", "  - pepper"], false),
      (["☑ rent", "☐ tea"], true), (["✓ rent"], true), (["- ☑ rent", "✔\u{FE0F} tea"], true),
      (["☑ salt", "oil"], false), (["☑salt"], false),
      (["- [x] salt", "oil", "rye"], false), (["- [x] salt", "- [ ]"], false), (["x rent", "- [x] tea"], false),
    ])
  func advised(lines: [String], isKept: Bool) throws {
    #expect((MarkedLines(lines) == .checkList) == isKept)
    let file = try ImportFile.read(Array(lines.joined(separator: "\n").utf8), name: "-")
    let items = file.result.items
    #expect((file.format == .markdown && items.count == lines.count) == isKept)
  }

  @Test(
    "lines of a todo.txt that were added are sent to an import only if no line has a box",
    arguments: [
      (["x rent", "milk"], true), (["x rent"], true), (["x rent", "- [ ] milk"], false), (["- x rent"], false),
      ([" x rent"], false), (["milk"], false),
    ])
  func advisedAsTodoTxt(lines: [String], isKept: Bool) throws {
    #expect((MarkedLines(lines) == .todoTxt) == isKept)
    let result = try ImportResult.of(lines.joined(separator: "\n"), .todotxt)
    if isKept { #expect(result.portable.count == lines.count && result.portable[0].complete) }
  }

  @Test("an item is a line with a box, its note stands below it, and comes back")
  func writes() throws {
    let items = [
      PortableItem("(A) Buy milk\ntwo litres\n\n  of oat\n- [ ] not an item\n\\- [x] nor this\n```\ncode"),
      PortableItem("  nested\nnote", complete: true), PortableItem("plain"),
    ]
    let text = ExportFile.text(items, .markdown)
    #expect(text.hasPrefix("- [ ] (A) Buy milk\n  two litres\n\n    of oat\n  \\- [ ] not an item\n"))
    #expect(text.hasSuffix("  - [x] nested\n    note\n- [ ] plain\n"))
    #expect(try ImportResult.of(text, .markdown).portable == items)
  }
}
