import OfflineSync
import Support
import TableClient
import TableProtocol
import Testing

@Suite("Comparing with the real server")
struct ComparingTests {
  private func device(_ address: String, _ version: ProtocolVersion?) throws -> TestDevice {
    let address = try #require(ServerAddress(address))
    return try TestDevice(
      HTTPRemoteTable(address: address, knowledge: ServerKnowledge(protocolVersion: version)))
  }

  @Test(
    "both sides are the same after each pull, and by verification", arguments: [nil, .v2, .v3] as [ProtocolVersion?])
  func same(version: ProtocolVersion?) async throws {
    try await withServer { address in
      let (laptop, phone) = (try device(address, version), try device(address, version))
      let ids = try (0..<120).map { try laptop.add("item \($0)") }
      #expect(try #require(await laptop.compare()).isSame)
      #expect(try #require(await phone.compare()).here.count == 120)
      for id in ids.prefix(7) { try laptop.table.delete(id) }
      try phone.edit(ids[50], "by phone")
      #expect(try #require(await laptop.compare()).here.count == 113)
      let found = try await phone.verify().get()
      #expect(found.missingThere == 7 && found.same == 113 && found.missingHere == 0 && found.different == 0)
      #expect(try #require(await phone.compare()).isSame)
      #expect(try await laptop.verify().get().different == 1)
      #expect(try #require(await laptop.compare()).isSame)
      #expect(try await laptop.verify().get().same == 113)
    }
  }
}
