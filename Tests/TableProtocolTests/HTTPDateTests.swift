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
    "are written in the first form, cut to the second",
    arguments: [
      (784_111_777_999, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
      (-1, "Wed, 31 Dec 1969 23:59:59 GMT"), (1_709_164_799_000, "Wed, 28 Feb 2024 23:59:59 GMT"),
      (1_709_164_800_000, "Thu, 29 Feb 2024 00:00:00 GMT"), (Int64.max, "Fri, 31 Dec 9999 23:59:59 GMT"),
    ])
  func written(milliseconds: Int64, text: String) {
    let moment = Timestamp(milliseconds: milliseconds)
    #expect(moment.httpDate == text)
    if milliseconds < .max { #expect(Timestamp(httpDate: text) == moment.wholeSecond) }
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
