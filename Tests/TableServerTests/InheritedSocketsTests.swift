import Testing

@testable import TableServer

@Suite("Sockets that are handed over")
struct InheritedSocketsTests {
  @Test("are those from 3 on, if they are meant for this process")
  func numbers() {
    func numbers(_ process: String?, _ count: String?) -> [Int32] {
      var environment: [String: String] = [:]
      environment["LISTEN_PID"] = process
      environment["LISTEN_FDS"] = count
      return InheritedSockets.numbers(environment, process: 17)
    }
    #expect(numbers("17", "1") == [3])
    #expect(numbers("17", "3") == [3, 4, 5])
    for (process, count) in [
      (nil, "1"), ("18", "1"), ("17", nil), ("17", "0"), ("17", "-1"), ("17", "x"), ("17", "999"),
    ]
      as [(String?, String?)]
    { #expect(numbers(process, count) == []) }
  }
}
