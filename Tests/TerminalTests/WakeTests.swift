import Testing

@testable import Terminal

@Suite("The pipe that wakes the main thread")
struct WakeTests {
  @Test("rings and signals come out in order, once")
  func order() throws {
    let wake = try Wake()
    wake.ring()
    Wake.send(15, to: wake.writeEnd)
    #expect(wake.drain() == [0, 15])
    #expect(wake.drain() == [])
  }

  @Test("ringing a pipe that is full neither blocks nor fails")
  func full() throws {
    let wake = try Wake()
    for _ in 0..<100_000 { wake.ring() }
    #expect(!wake.drain().isEmpty)
    #expect(wake.drain() == [])
  }
}
