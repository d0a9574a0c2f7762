import HTTPTypes
import TableProtocol
import Testing

@testable import TableServer
@testable import TableStorage

@Suite("Reads that may take long", .timeLimit(.minutes(5)))
struct CostlyReadsTests {
  private let reads = CostlyReads()

  /// Reads that run until the stream ends.
  private func begin(_ count: Int, until end: AsyncStream<Void>) async -> [Task<Bool, any Error>] {
    let before = reads.waiting
    let (begun, begin) = AsyncStream.makeStream(of: Void.self)
    let tasks = (0..<count).map { _ in
      Task { [reads] in
        try await reads.run {
          begin.yield()
          for await _ in end {}
          return true
        }
      }
    }
    let running = min(count, CostlyReads.mostRunning)
    if before == 0 {
      var seen = 0
      for await _ in begun {
        seen += 1
        if seen == running { break }
      }
    }
    return tasks
  }

  @Test("run a few at a time, the others in their order; one that is given up waits no longer")
  func turns() async throws {
    let (end, finish) = AsyncStream.makeStream(of: Void.self)
    let running = await begin(CostlyReads.mostRunning, until: end)
    let next = Task { [reads] in try await reads.run { true } }
    while reads.waiting < 1 { await Task.yield() }
    let leaving = Task { [reads] in try await reads.run { true } }
    while reads.waiting < 2 { await Task.yield() }
    leaving.cancel()
    await #expect(throws: CancellationError.self) { try await leaving.value }
    #expect(reads.waiting == 1)
    finish.finish()
    for task in running { #expect(try await task.value) }
    #expect(try await next.value)
    #expect(reads.waiting == 0)
  }

  @Test("are told to come again if too many wait")
  func tooMany() async throws {
    let (end, finish) = AsyncStream.makeStream(of: Void.self)
    let running = await begin(CostlyReads.mostRunning, until: end)
    let waiting = (0..<CostlyReads.mostWaiting).map { _ in Task { [reads] in try await reads.run { true } } }
    while reads.waiting < CostlyReads.mostWaiting { await Task.yield() }
    let oneMore = Task { [reads] in try await reads.run { true } }
    await #expect(throws: RequestError.overloaded) { try await oneMore.value }
    finish.finish()
    for task in running + waiting { #expect(try await task.value) }
  }

  @Test("of one user never keep those of another waiting")
  func ofOneUser() async throws {
    let (bob, anna) = (try #require(UserName("bob")), try #require(UserName("anna")))
    let (end, finish) = AsyncStream.makeStream(of: Void.self)
    let bobs = (0..<CostlyReads.mostRunningOfAUser + CostlyReads.mostWaitingOfAUser).map { _ in
      Task { [reads] in
        try await reads.run(of: bob) {
          for await _ in end {}
          return true
        }
      }
    }
    while reads.waiting < CostlyReads.mostWaitingOfAUser { await Task.yield() }
    await #expect(throws: RequestError.overloaded) { try await reads.run(of: bob) {} }
    for _ in 0..<3 { #expect(try await reads.run(of: anna) { true }) }
    finish.finish()
    for task in bobs { #expect(try await task.value) }
    #expect(reads.waiting == 0)
  }

  @Test(
    "are those that look at more rows than they answer; pulls are none",
    arguments: [
      ("", false), ("$filter=updatedAt gt cast(2026-01-01T00:00:00Z,Edm.DateTimeOffset)&$orderby=updatedAt", false),
      ("$filter=(updatedAt ge datetimeoffset'2026-01-01T00:00:00Z')&$orderby=updatedAt&$skip=0&$top=50", false),
      ("$filter=updatedAt gt 2026-01-01T00:00:00Z and id gt 'x'", false), ("$filter=id eq 'x' and text eq 'y'", false),
      ("$filter=id gt '' and text eq 'y'", true), ("$filter=id gt '' and contains(text,'y')", true),
      ("$filter=id eq 'x' and contains(text,'y')", true), ("$filter=id eq 'x' and length(text) gt 2", true),
      ("$filter=id eq concat('x','y')", true), ("$count=true", false), ("$filter=contains(text,'x')", true),
      ("$filter=id gt 'x' or text eq 'y'", true), ("$orderby=text", true), ("$skip=5000", true),
      ("$count=true&__includedeleted=true", true), ("$filter=id ne 'x'", true),
    ])
  func kinds(query: String, isCostly: Bool) throws {
    let request = TableRequest(method: .get, target: "/tables/TodoItem")
    let route = try ListRoute(request, QueryItems(query[...]), table: .todoItem, version: .v3, TablePolicy())
    #expect(route.isCostly == isCostly)
  }
}
