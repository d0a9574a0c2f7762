import FoundationEssentials
import GRDB
import Synchronization
import TableProtocol
import Testing

struct ClockTests {
  private let table = "/tables/TodoItem"

  @Test("1,000 inserts get 1,000 rising moments, and a pull after any of them finds exactly the rest")
  func rising() async throws {
    try await TestServer.run { server in
      var moments: [Timestamp] = []
      for number in 0..<1_000 {
        moments.append(try #require(try await server.insert("i\(number)").system.updatedAt))
      }
      #expect(zip(moments, moments.dropFirst()).allSatisfy { $0 < $1 })
      for prefix in stride(from: 0, to: 1_000, by: 97) {
        let filter = "updatedAt gt cast(\(moments[prefix].text),Edm.DateTimeOffset)"
        let query = QueryItemsText.of([("$filter", filter), ("$orderby", "updatedAt"), ("$top", "2000")])
        let rest = try await server.send(.get, "\(table)?\(query)").list.items
        #expect(rest.map(\.id) == (prefix + 1..<1_000).map { "i\($0)" })
      }
    }
  }

  @Test("time goes on when the clock stands still or goes back")
  func stubbornClock() async throws {
    let ticks = ClockHand(5_000)
    let moments = try await TestServer.result(clock: ticks.clock) { server in
      var items = [try await server.insert("a"), try await server.insert("b")]
      ticks.set(1_000)
      items.append(try await server.insert("c"))
      items.append(try await server.send(.delete, "\(table)/a", .v2).item)
      ticks.set(9_000)
      items.append(try await server.insert("d"))
      return items.map(\.system.updatedAt?.milliseconds)
    }
    #expect(moments == [5_000, 5_001, 5_002, 5_003, 9_000])
  }

  @Test("a restart with a clock that went back keeps rows, versions and the order of time")
  func restart() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "ebb-restart-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "server.sqlite").path
    let before = try await TestServer.result(databasePath: path, clock: TestServer.clock(standingAt: 9_000)) {
      server async throws in
      try await server.insert("a", #""extra":1"#)
      return try await server.send(.get, table).list.items
    }
    try await TestServer.run(databasePath: path, clock: TestServer.clock(standingAt: 10)) { server async throws in
      #expect(try await server.send(.get, table).list.items == before)
      #expect(try await server.insert("b").system.updatedAt?.milliseconds == 9_001)
    }
  }

  @Test("writers at once get different moments, and the order of moments is the order in which rows appear")
  func concurrentWriters() async throws {
    try await TestServer.run { server in
      try await withThrowingTaskGroup(of: Void.self) { tasks in
        for writer in 0..<8 {
          tasks.addTask { for number in 0..<25 { try await server.insert("w\(writer)-\(number)") } }
        }
        var token = Timestamp.epoch
        var seen: Set<RecordID> = []
        while seen.count < 200 {
          let filter = "updatedAt gt cast(\(token.text),Edm.DateTimeOffset)"
          let query = QueryItemsText.of([("$filter", filter), ("$orderby", "updatedAt"), ("$top", "7")])
          for item in try await server.send(.get, "\(table)?\(query)").list.items {
            #expect(seen.insert(item.id).inserted)
            token = try #require(item.system.updatedAt)
          }
          if tasks.isEmpty { break }
        }
        try await tasks.waitForAll()
        #expect(seen.count == 200)
      }
    }
  }

  @Test("of many conditional updates at once exactly one wins")
  func oneWinner() async throws {
    try await TestServer.run { server in
      let base = try await server.insert("a")
      let statuses = try await withThrowingTaskGroup(of: Int.self) { tasks in
        for number in 0..<20 {
          tasks.addTask {
            let headers = ["If-Match": base.system.version?.entityTag ?? ""]
            return try await server.send(.patch, "\(table)/a", .v2, headers, body: #"{"text":"\#(number)"}"#).status
          }
        }
        return try await tasks.reduce(into: []) { $0.append($1) }
      }
      #expect(statuses.count { $0 == 200 } == 1)
      #expect(statuses.count { $0 == 412 } == 19)
    }
  }

  @Test("a pull with nothing new is answered from the index of moments")
  func indexOnly() async throws {
    try await TestServer.run { server in
      try await server.insert("a")
      let plan = try await DatabaseQueue(path: server.databasePath).read { database in
        try Row.fetchAll(
          database,
          sql:
            "EXPLAIN QUERY PLAN SELECT * FROM TodoItem WHERE (updatedAt >= ?) AND 1 ORDER BY updatedAt, id LIMIT 1001",
          arguments: [5]
        ).map { $0["detail"] as String }
      }
      #expect(plan == ["SEARCH TodoItem USING INDEX TodoItem_updatedAt (updatedAt>?)"])
    }
  }
}

/// A clock that is moved by hand.
final class ClockHand: Sendable {
  private let time: Mutex<Int64>

  init(_ milliseconds: Int64) {
    time = Mutex(milliseconds)
  }

  var clock: @Sendable () -> Timestamp {
    { [self] in Timestamp(milliseconds: time.withLock { $0 }) }
  }

  func set(_ milliseconds: Int64) {
    time.withLock { $0 = milliseconds }
  }
}
