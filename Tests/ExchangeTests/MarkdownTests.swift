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
