import Chance
import TableProtocol
import Testing

struct TimestampTests {
  @Test(
    "every form a server writes is read to the millisecond",
    arguments: [
      ("2024-01-02T03:04:05Z", "2024-01-02T03:04:05.000Z"),
      ("2024-01-02T03:04:05.1Z", "2024-01-02T03:04:05.100Z"),
      ("2024-01-02T03:04:05.12Z", "2024-01-02T03:04:05.120Z"),
      ("2024-01-02T03:04:05.678Z", "2024-01-02T03:04:05.678Z"),
      ("2024-01-02T03:04:05.678+00:00", "2024-01-02T03:04:05.678Z"),
      ("2024-01-02T03:04:05.678+02:30", "2024-01-02T00:34:05.678Z"),
      ("2024-03-01T00:00:00-00:01", "2024-03-01T00:01:00.000Z"),
      ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"),
      ("9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"),
      ("1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59.999Z"),
    ])
  func reads(text: String, written: String) {
    #expect(Timestamp(text)?.text == written)
  }

  @Test("a finer fraction is cut, never rounded, so that no token passes a row")
  func cutsFraction() {
    #expect(Timestamp("2024-01-02T03:04:05.6789999Z")?.text == "2024-01-02T03:04:05.678Z")
    #expect(Timestamp("2024-01-02T03:04:05.999999999Z")?.text == "2024-01-02T03:04:05.999Z")
  }

  @Test(
    "what is no moment is refused",
    arguments: [
      "", "Z", "2024", "2024-01-02", "2024-02-30T00:00:00Z", "2023-02-29T00:00:00Z", "2024-13-01T00:00:00Z",
      "2024-01-02T24:00:00Z", "2024-01-02T03:60:05Z", "2024-01-02T03:04:05", "2024-01-02T03:04:05.Z",
      "2024-01-02T03:04:05.1234567890Z", "2024-01-02T03:04:05+0000", "2024-01-02T03:04:05Zx", "２024-01-02T03:04:05Z",
    ])
  func refuses(text: String) {
    #expect(Timestamp(text) == nil)
  }

  @Test("any moment of the years 0 to 9999 survives being written and read")
  func roundTrip() {
    let seed = UInt64.random(in: .min ... .max)
    var chance = SeededGenerator(seed: seed)
    for _ in 0..<2_000 {
      let moment = Timestamp(milliseconds: Int64.random(in: -62_167_219_200_000...253_402_300_799_999, using: &chance))
      #expect(Timestamp(moment.text) == moment, "seed \(seed)")
    }
  }

  @Test("moments beyond the calendar are written as its ends, and steps beyond Int64 stop there")
  func clamps() {
    #expect(Timestamp(milliseconds: .max).text == "9999-12-31T23:59:59.999Z")
    #expect(Timestamp(milliseconds: .min).text == "0000-01-01T00:00:00.000Z")
    #expect(Timestamp(milliseconds: .max).advanced(byMilliseconds: 1).milliseconds == .max)
    #expect(Timestamp(milliseconds: .min).advanced(byMilliseconds: -1).milliseconds == .min)
  }

  @Test("days and their numbers agree over four centuries and more")
  func civilDates() throws {
    for day in stride(from: Int64(-200_000), through: 200_000, by: 37) {
      let date = CivilDate(daysSinceEpoch: day)
      #expect(CivilDate(year: date.year, month: date.month, day: date.day) == date)
      #expect(date.daysSinceEpoch == day)
    }
    #expect(try #require(CivilDate(year: 2000, month: 2, day: 29)).daysSinceEpoch == 11_016)
    #expect(CivilDate(year: 1900, month: 2, day: 29) == nil)
    #expect(CivilDate(year: 2024, month: 4, day: 31) == nil)
    #expect(CivilDate(year: 2024, month: 0, day: 1) == nil)
  }
}
