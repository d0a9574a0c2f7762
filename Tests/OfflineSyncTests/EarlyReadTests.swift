import Support
import TableProtocol
import Testing

@testable import OfflineSync

@Suite("What is read of the store while a request is under way")
struct EarlyReadTests {
  private let device: TestDevice
  private var store: any LocalStore { device.store }

  init() throws {
    device = try TestDevice(FakeServer())
    try device.add("milk")
  }

  private func count() throws -> EarlyRead<Int> {
    try #require(try EarlyRead(of: store, device.world.environment) { try $0.operationCount() })
  }

  private func value(of early: EarlyRead<Int>) throws -> Int? {
    early.finish()
    return try store.write { try early.value(in: $0) }
  }

  @Test("holds while nobody writes")
  func quiet() throws {
    #expect(try value(of: count()) == 1)
  }

  @Test("is void after a change, here or of another program")
  func written() throws {
    let here = try count()
    try device.add("bread")
    #expect(try value(of: here) == nil)
    let elsewhere = try count()
    try device.beside(FakeServer()).add("tea")
    #expect(try value(of: elsewhere) == nil)
    #expect(try value(of: count()) == 3)
  }

  @Test("still holds after a write that is no part of it, unless another came before or after that")
  func kept() throws {
    let quiet = try count()
    try store.write { store in try quiet.keep(in: store) { try store.setFact("epoch", "1") } }
    #expect(try value(of: quiet) == 1)

    let before = try count()
    try device.add("bread")
    try store.write { store in try before.keep(in: store) { try store.setFact("epoch", "2") } }
    #expect(try value(of: before) == nil)

    let after = try count()
    try store.write { store in try after.keep(in: store) { try store.setFact("epoch", "3") } }
    try device.add("tea")
    #expect(try value(of: after) == nil)
  }

  @Test("is no value but the error if it could not be read")
  func failing() throws {
    struct Torn: Error {}
    let early = try #require(
      try EarlyRead<Int>(of: store, device.world.environment) { _ in throw Torn() })
    #expect(throws: Torn.self) { try value(of: early) }
  }
}
