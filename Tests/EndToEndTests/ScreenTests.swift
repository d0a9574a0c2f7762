import Testing

@Suite("The reading of a screen")
struct ScreenTests {
  @Test("finds the rows of the list, whatever stands around their text")
  func findsRows() {
    let screen = Screen(
      " Open 4    ↑1\n▌↑ [ ]   Buy milk\n   [x]   買牛奶   10:05  \n   [ ]   a  b\n ! [x] A call\n\nnot yet sent  1 of 4\n ? help"
    )
    #expect(screen.rows == ["[ ] Buy milk", "[x] 買牛奶", "[ ] a", "[x] (A) call"])
    #expect(screen.status == " Open 4    ↑1\n\nnot yet sent  1 of 4\n ? help")
    #expect(screen.shows("買牛奶", complete: true) && !screen.shows("買牛奶"))
    #expect(screen.index(of: "Buy milk") == 0)
  }
}
