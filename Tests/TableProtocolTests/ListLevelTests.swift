import TableProtocol
import Testing

@Suite("The level of a list")
struct ListLevelTests {
  private static let moment = Timestamp(milliseconds: 1_764_058_504_120)
  private static let level = ListLevel(updatedAt: moment, database: "d-1", epoch: 3)

  @Test("is an event of the stream")
  func event() {
    #expect(
      String(decoding: Self.level.event, as: UTF8.self) == """
        id: 2025-11-25T08:15:04.120Z
        event: now
        data: {"updatedAt":"2025-11-25T08:15:04.120Z","database":"d-1","epoch":3}


        """)
  }

  @Test("is read back, with members that are not known, in any order")
  func read() {
    #expect(ListLevel(json: Self.level.json) == Self.level)
    let more = #" {"more":[{"epoch":9}],"epoch":3,"database":"D-1","updatedAt":"2025-11-25T08:15:04.12Z"} "#
    #expect(ListLevel(json: Array(more.utf8)) == Self.level)
  }

  @Test(
    "is not read from anything else",
    arguments: [
      "", "{}", "[]", "null", "7", #"{"updatedAt":"2025-11-25T08:15:04.120Z","database":"d"}"#,
      #"{"updatedAt":"soon","database":"d","epoch":1}"#,
      #"{"updatedAt":"2025-11-25T08:15:04.120Z","database":"d","epoch":0}"#,
      #"{"updatedAt":"2025-11-25T08:15:04.120Z","database":"a b","epoch":1}"#,
      #"{"updatedAt":"2025-11-25T08:15:04.120Z","database":"","epoch":1}"#,
      #"{"updatedAt":"2025-11-25T08:15:04.120Z","database":"d","epoch":1.5}"#,
      #"{"updatedAt":"2025-11-25T08:15:04.120Z","database":"d","epoch":1}}"#, "{\"updatedAt\":\"\u{0}\"}",
    ])
  func unreadable(text: String) {
    #expect(ListLevel(json: Array(text.utf8)) == nil)
  }
}
