import Chance
import TableProtocol
import Testing

/// The server answers a write with what it wrote, and does not read it back; so what a read gives afterwards
/// must be the same.
struct WrittenAnswerTests {
  private let table = "/tables/TodoItem"

  private func stored(_ id: RecordID, on server: TestServer) async throws -> Record {
    try await server.send(.get, "\(table)/\(id)?__includedeleted=true", .v3).item
  }

  @Test("what a write answers is what a read gives", arguments: ProtocolVersion.allCases)
  func everyVerb(version: ProtocolVersion) async throws {
    try await TestServer.run { server in
      // Later columns come to be while there are rows.
      try await server.insert("first", #""text":"x","priority":1,"flag":true"#)
      let writes: [(Verb, String, String?)] = [
        (.post, table, #"{"id":"a","TEXT":"買 \"\\ é\u0301 \n","flag":1,"priority":1.50}"#),
        (.patch, "\(table)/a", #"{"Priority":-0.0,"later":2.5e-7,"zebra":"z","none":null}"#),
        (.patch, "\(table)/a", #"{"priority":9223372036854775807,"later":9007199254740993}"#),
        (.patch, "\(table)/a", #"{"priority":1e300,"later":123456789012345678901234567890,"text":null}"#),
        (.put, "\(table)/a", #"{"id":"a","complete":0,"priority":12345.000}"#),
        (.patch, "\(table)/first", #"{"text":""}"#), (.post, table, #"{"id":"b"}"#),
      ]
      for (verb, path, body) in writes {
        let answer = try await server.send(verb, path, version, body: body)
        #expect(answer.status < 300, "\(answer.text)")
        #expect(try await stored(try answer.item.id, on: server) == answer.item, "\(body ?? "")")
      }
      let tombstone = try await server.send(.delete, "\(table)/a", version)
      if version == .v2 { #expect(try await stored("a", on: server) == tombstone.item) }
      let back = try await server.send(.post, "\(table)/a", version)
      #expect(try await stored("a", on: server) == back.item)
      #expect(try await server.send(.post, table, version, body: #"{"id":"a"}"#).item == back.item)
    }
  }

  @Test("random numbers are stored as they are answered")
  func numbers() async throws {
    let seed = UInt64.random(in: .min ... .max)
    var chance = SeededGenerator(seed: seed)
    let numbers = (0..<500).map { _ in
      switch Int.random(in: 0..<3, using: &chance) {
      case 0: String(Int64.random(in: .min ... .max, using: &chance))
      case 1: String(Double(bitPattern: UInt64.random(in: .min ... .max, using: &chance)))
      default: String(Double(Int.random(in: -1_000_000...1_000_000, using: &chance)) / 8)
      }
    }.filter { Double($0)?.isFinite == true }
    try await TestServer.run { server in
      let entries = numbers.enumerated().map { index, number in
        #"{"id":"\#(index)","method":"post","url":"\#(table)","body":{"id":"\#(index)","number":\#(number)}}"#
      }
      let body = #"{"requests":[\#(entries.joined(separator: ","))]}"#
      let answer = try await server.send(.post, "/$batch", .v3, body: body)
      let answered = try #require(try BatchResponse.all(in: answer.body)).map { try Record(json: $0.body ?? []) }
      let list = try await server.send(.get, "\(table)?$orderby=updatedAt&$top=1000").list
      #expect(list.items == answered, "seed \(seed)")
    }
  }

  @Test("moments rise over entries that are undone")
  func undone() async throws {
    let clock = TestServer.clock(standingAt: 1_000)
    @Sendable func entry(_ id: RecordID, _ body: String, _ group: String? = nil) -> String {
      let group = group.map { #","atomicityGroup":"\#($0)""# } ?? ""
      return #"{"id":"\#(id)","method":"post","url":"/tables/TodoItem","body":\#(body)\#(group)}"#
    }
    try await TestServer.run(clock: clock) { server in
      let entries = [
        entry("1", #"{"id":"a","text":"x"}"#), entry("2", #"{"id":"b","more":1}"#, "g"),
        entry("3", #"{"id":"c","text":5}"#, "g"), entry("4", #"{"id":"d","new":1,"text":5}"#),
        entry("5", #"{"id":"e","more":"a text now"}"#),
      ]
      let body = #"{"requests":[\#(entries.joined(separator: ","))]}"#
      let answer = try await server.send(.post, "/$batch", .v3, body: body)
      #expect(try BatchResponse.all(in: answer.body)?.map(\.status) == [201, 424, 400, 400, 201])
      let later = try await server.insert("f")
      let items = try await server.send(.get, "\(table)?$orderby=updatedAt").list.items
      #expect(items.map(\.id) == ["a", "e", "f"])
      let moments = items.compactMap(\.system.updatedAt)
      #expect(moments == moments.sorted() && Set(moments).count == 3 && moments.last == later.system.updatedAt)
      #expect(Set(items.compactMap(\.system.version)).count == 3)
      #expect(items.last?.values["new"] == nil)
    }
  }

  @Test("an item with too many new properties leaves no column, in a batch too")
  func tooManyColumns() async throws {
    try await TestServer.run { server in
      let members = (0..<101).map { #""p\#($0)":1"# }.joined(separator: ",")
      let entry = #"{"id":"1","method":"post","url":"\#(table)","body":{"id":"a",\#(members)}}"#
      let good = #"{"id":"2","method":"post","url":"\#(table)","body":{"id":"b","text":"x"}}"#
      let answer = try await server.send(.post, "/$batch", .v3, body: #"{"requests":[\#(entry),\#(good)]}"#)
      #expect(try BatchResponse.all(in: answer.body)?.map(\.status) == [400, 201])
      #expect(try await stored("b", on: server).values.keys.sorted() == ["complete", "text"])
    }
  }
}
