import TableProtocol
import Testing

@Suite("Dates of HTTP")
struct HTTPDateTests {
  @Test(
    "are read in all three forms",
    arguments: [
      "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    ])
  func forms(text: String) {
    #expect(Timestamp(httpDate: text)?.text == "1994-11-06T08:49:37.000Z")
  }

  @Test("with two digits for the year are of 1970 to 2069")
  func century() {
    #expect(Timestamp(httpDate: "Saturday, 21-Nov-26 10:00:00 GMT")?.text == "2026-11-21T10:00:00.000Z")
    #expect(Timestamp(httpDate: "Thursday, 01-Jan-70 00:00:00 GMT") == .epoch)
  }

  @Test(
    "that are none are not read",
    arguments: [
      "", "120", "Sun, 31 Feb 2026 08:49:37 GMT", "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 CET",
      "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 19945 08:49:37 GMT", "Sun, x6 Nov 1994 08:49:37 GMT",
      "1994-11-06T08:49:37Z", "Sun, 06 nov 1994 08:49:37 GMT", "Sun, 99999999999999999999 Nov 1994 08:49:37 GMT",
      String(repeating: "1,", count: 4), String(repeating: "Nov ", count: 10_000),
    ])
  func malformed(text: String) {
    #expect(Timestamp(httpDate: text) == nil)
  }
}
