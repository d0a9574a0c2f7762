import OfflineSync
import Testing
import TodoCore

@testable import ebb

@Suite("The answer of --restored")
struct GivenAnswerTests {
  private static let answers: [RestoreAnswer?] = [.sendBack, .keepServers, nil]

  /// All ways in which a sync may end.
  private static let ends: [End] = [
    End(failure: .serverWentBack(ServerWentBack(items: 11)), isAsked: true), End(failure: nil),
    End(failure: .massRemoval(MassRemoval(rows: 15, total: 20))), End(failure: .cancelled),
    End(failure: .otherProgramBusy), End(failure: .remote(RemoteFailure(.signInNeeded, mayHaveActed: false))),
    End(failure: .store(.diskFull(path: "p"))), End(failure: .invalidPull(.select)), End(failure: .other("r")),
  ]

  struct End: Sendable {
    let failure: SyncFailure?
    /// The answer is one to that.
    var isAsked = false
  }

  @Test("is one to the question about a server that went back, and to no other end of a sync", arguments: answers, ends)
  func fits(answer: RestoreAnswer?, end: End) {
    var options = RefreshOptions()
    options.pushes = false
    options.accountChange = .takeAlong
    var given = GivenAnswer(answer)
    let next = given.next(after: RefreshResult(failure: end.failure), options)
    guard let answer, end.isAsked else {
      #expect(next == nil)
      return
    }
    // The list was taken along by the sync that raised the question: not a second time.
    options.accountChange = nil
    options.afterRestore = answer
    #expect(next == options)
  }

  @Test("counts again for what the next pull holds, not for ever", arguments: [RestoreAnswer.sendBack, .keepServers])
  func again(answer: RestoreAnswer) {
    var given = GivenAnswer(answer)
    let result = RefreshResult(failure: .serverWentBack(ServerWentBack(items: 1)))
    let uses = (0..<10).count { _ in given.next(after: result, RefreshOptions()) != nil }
    #expect(uses == 3)
  }
}
