import OfflineSync
import ServedWorlds
import Simulation
import TableProtocol
import Testing

@Suite("Worlds whose server is the server's own code")
struct ServedWorldTests {
  static let worlds: UInt64 = 480
  static let parts: UInt64 = 4

  @Test("the laws hold in every world", arguments: 0..<parts)
  func lawsHold(part: UInt64) throws {
    let code = try #require(OwnServerCode())
    let share = Self.worlds / Self.parts
    var told = 0
    for seed in part * share + 1...(part + 1) * share {
      let story = StoryTeller.story(seed: seed)
      guard story.settings.server.canBeServed else { continue }
      told += 1
      guard let violation = story.told(code: code).violation else { continue }
      Issue.record("\(story.shortest(breaking: violation.law, code: code).report)")
    }
    #expect(told > 30)
  }

  /// A list whose last change was a deletion that the server had forgotten was compared at every refresh (P10).
  @Test(
    "what was mended stays mended",
    arguments: [
      (1_885, [.copiedServer, .neverPulled]), (4_299, [.retention]), (9_600_006_418, [.neverPulled, .orderEnds]),
    ] as [(UInt64, Set<Edge>)])
  func staysMended(seed: UInt64, edges: Set<Edge>) throws {
    let code = try #require(OwnServerCode())
    let story = StoryTeller.story(seed: seed, edges: edges)
    #expect(story.settings.server.canBeServed)
    let violation = story.told(code: code).violation
    #expect(violation == nil, "\(violation.map { story.shortest(breaking: $0.law, code: code).report } ?? "")")
  }

  @Test("a server that forgets what it wrote is noticed")
  func catchesBrokenCode() throws {
    let code = ForgetfulCode(base: try #require(OwnServerCode()))
    let caught = (1...200 as ClosedRange<UInt64>).contains { seed in
      let story = StoryTeller.story(seed: seed)
      return story.settings.server.canBeServed && story.told(code: code).violation != nil
    }
    #expect(caught)
  }
}

/// Answers as the server does, and keeps nothing of every change of a row that it has.
private struct ForgetfulCode: ServerCode {
  let base: OwnServerCode

  func send(_ change: RemoteChange, to list: ServedList, from client: ServedClient) -> ServedOutcome {
    let outcome = base.send(change, to: list, from: client)
    guard case .update = change else { return outcome }
    return ServedOutcome(answer: outcome.answer, writes: [])
  }

  func read(_ id: RecordID, in list: ServedList, for client: ServedClient) throws(RemoteFailure) -> Record? {
    try base.read(id, in: list, for: client)
  }

  func page(
    _ query: TableQuery, at link: PageLink?, of list: ServedList, for client: ServedClient
  ) throws(RemoteFailure) -> RemotePage {
    try base.page(query, at: link, of: list, for: client)
  }
}
