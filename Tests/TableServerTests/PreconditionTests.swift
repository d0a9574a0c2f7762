import HTTPTypes
import TableProtocol
import Testing

@testable import TableServer

@Suite("Conditions of requests")
struct PreconditionTests {
  /// Changed at 1994-11-06T08:49:37.500Z.
  private static let row = Record(
    id: "a",
    system: SystemProperties(
      createdAt: .epoch, updatedAt: Timestamp(milliseconds: 784_111_777_500), version: RecordVersion("AQ==")))

  private static let before = "Sun, 06 Nov 1994 08:49:36 GMT"
  private static let same = "Sun, 06 Nov 1994 08:49:37 GMT"
  private static let after = "Sun, 06 Nov 1994 08:49:38 GMT"
  private static let (yes, no) = ("\"AQ==\"", "\"Ag==\"")

  struct Case: Sendable, CustomStringConvertible {
    let headers: [String: String]
    let reading: RowOutcome.Kind
    let mayWrite: Bool

    init(_ headers: [String: String], _ reading: RowOutcome.Kind, mayWrite: Bool) {
      self.headers = headers
      self.reading = reading
      self.mayWrite = mayWrite
    }

    var description: String { headers.map { "\($0): \($1)" }.sorted().joined(separator: ", ") }
  }

  private static let cases = [
    Case([:], .found, mayWrite: true),
    Case(["If-Match": yes], .found, mayWrite: true),
    Case(["If-Match": no], .versionDiffers, mayWrite: false),
    Case(["If-Match": "W/\(yes)"], .versionDiffers, mayWrite: false),
    Case(["If-Match": "*"], .found, mayWrite: true),
    Case(["If-None-Match": yes], .unchanged, mayWrite: false),
    Case(["If-None-Match": "W/\(yes)"], .unchanged, mayWrite: false),
    Case(["If-None-Match": no], .found, mayWrite: true),
    Case(["If-None-Match": "\(no), \(yes)"], .unchanged, mayWrite: false),
    Case(["If-None-Match": "\(no),W/\(no)"], .found, mayWrite: true),
    Case(["If-None-Match": "*"], .unchanged, mayWrite: false),
    // Within the second of the change nothing can be told; then it counts as unchanged (RFC 9110 13.1.3 and 13.1.4).
    Case(["If-Modified-Since": before], .found, mayWrite: true),
    Case(["If-Modified-Since": same], .unchanged, mayWrite: true),
    Case(["If-Modified-Since": after], .unchanged, mayWrite: true),
    Case(["If-Unmodified-Since": before], .versionDiffers, mayWrite: false),
    Case(["If-Unmodified-Since": same], .found, mayWrite: true),
    Case(["If-Unmodified-Since": after], .found, mayWrite: true),
    // A date that is none is passed over.
    Case(["If-Modified-Since": "soon", "If-Unmodified-Since": "1"], .found, mayWrite: true),
    // A tag says more than a date.
    Case(["If-Match": yes, "If-Unmodified-Since": before], .found, mayWrite: true),
    Case(["If-Match": no, "If-Unmodified-Since": after], .versionDiffers, mayWrite: false),
    Case(["If-None-Match": no, "If-Modified-Since": after], .found, mayWrite: true),
    Case(["If-None-Match": yes, "If-Modified-Since": before], .unchanged, mayWrite: false),
    // What would refuse comes before what would only spare an answer.
    Case(["If-Match": no, "If-None-Match": yes], .versionDiffers, mayWrite: false),
    Case(["If-Match": yes, "If-None-Match": yes], .unchanged, mayWrite: false),
    Case(["If-Unmodified-Since": before, "If-None-Match": yes], .versionDiffers, mayWrite: false),
  ]

  @Test("are judged by version, then by time", arguments: cases)
  func judged(item: Case) throws {
    var headers: HTTPFields = [:]
    for (name, value) in item.headers { headers[try #require(HTTPField.Name(name))] = value }
    let preconditions = try Preconditions(headers)
    #expect(preconditions.reading(Self.row) == item.reading)
    #expect(preconditions.allowWriting(Self.row) == item.mayWrite)
  }

  private let path = "/tables/TodoItem/a"

  @Test("spare a reader of 3.0.0 what it has, and those of 2.0.0 get it all the same")
  func reading() async throws {
    try await TestServer.run(clock: TestServer.clock(standingAt: 784_111_777_500)) { server async throws in
      let tag = try #require(try await server.insert("a").system.version?.entityTag)
      for headers in [["If-None-Match": tag], ["If-Modified-Since": Self.same]] {
        for verb in [Verb.get, .head] {
          let answer = try await server.send(verb, path, .v3, headers)
          #expect(answer.status == 304 && answer.body.isEmpty)
          #expect(answer.eTag == tag && answer.header("Last-Modified") == Self.same)
          #expect(answer.header("Cache-Control") == "no-store")
        }
        #expect(try await server.send(.get, path, .v2, headers).item.id == "a")
      }
      let stale = try await server.send(.get, path, .v3, ["If-Match": Self.no])
      #expect(stale.status == 412 && stale.eTag == tag)
      #expect(try await server.send(.get, path, .v3, ["If-None-Match": "\"a"]).status == 400)
      #expect(try await server.send(.get, "/tables/TodoItem/b", .v3, ["If-None-Match": "*"]).status == 404)
      #expect(try await server.send(.get, "/tables/TodoItem", .v3, ["If-None-Match": "*"]).status == 200)
    }
  }

  @Test("that a write does not meet are answered with the stored item", arguments: ProtocolVersion.allCases)
  func writing(version: ProtocolVersion) async throws {
    try await TestServer.run(clock: TestServer.clock(standingAt: 784_111_777_500)) { server async throws in
      let stored = try await server.insert("a", #""text":"x""#)
      let tag = stored.system.version?.entityTag ?? ""
      for headers in [["If-None-Match": tag], ["If-None-Match": "*"], ["If-Unmodified-Since": Self.before]] {
        for (verb, body) in [(Verb.patch, #"{"text":"y"}"#), (.put, #"{"id":"a"}"#), (.delete, nil), (.post, nil)] {
          let answer = try await server.send(verb, path, version, headers, body: body)
          #expect(answer.status == 412 && answer.eTag == tag)
          #expect(try answer.item == stored)
        }
      }
      let done = try await server.send(
        .patch, path, version, ["If-None-Match": Self.no, "If-Unmodified-Since": Self.same], body: #"{"text":"y"}"#)
      #expect(done.status == 200)
      // An insert is about the list, of which nobody can know a version.
      let insert = try await server.send(
        .post, "/tables/TodoItem", version, ["If-None-Match": "*"], body: #"{"id":"b"}"#)
      #expect(insert.status == 201)
    }
  }

  @Test("Last-Modified is on every answer of one item in 3.0.0, and on no other")
  func lastModified() async throws {
    try await TestServer.run(clock: TestServer.clock(standingAt: 784_111_777_500)) { server async throws in
      for (version, date) in [(ProtocolVersion.v3, Self.same as String?), (.v2, nil)] {
        let id = version == .v3 ? "new" : "old"
        let body = #"{"id":"\#(id)"}"#
        let item = "/tables/TodoItem/\(id)"
        for (verb, path, body) in [
          (Verb.post, "/tables/TodoItem", body), (.get, item, nil), (.head, item, nil), (.put, item, body),
          (.patch, item, #"{"text":"x"}"#), (.post, "/tables/TodoItem", body), (.post, item, nil),
        ] as [(Verb, String, String?)] {
          #expect(try await server.send(verb, path, version, body: body).header("Last-Modified") == date, "\(verb)")
        }
        let stale = try await server.send(.delete, item, version, ["If-Match": Self.no])
        #expect(stale.status == 412 && stale.header("Last-Modified") == date)
        #expect(try await server.send(.get, "/tables/TodoItem", version).header("Last-Modified") == nil)
        #expect(try await server.send(.get, item + "x", version).header("Last-Modified") == nil)
      }
      #expect(try await server.send(.delete, "/tables/TodoItem/new").header("Last-Modified") == nil)
    }
  }

  @Test("stand in an entry of a batch as anywhere")
  func batch() async throws {
    try await TestServer.run { server async throws in
      let tag = try #require(try await server.insert("a").system.version?.text)
      let headers = #""headers":{"if-none-match":"\"\#(tag)\""}"#
      let entries = [
        #"{"id":"1","method":"get","url":"\#(path)",\#(headers)}"#,
        #"{"id":"2","method":"patch","url":"\#(path)",\#(headers),"body":{"text":"x"}}"#,
      ]
      let answer = try await server.send(.post, "/$batch", body: #"{"requests":[\#(entries.joined(separator: ","))]}"#)
      #expect(try BatchResponse.all(in: answer.body)?.map(\.status) == [304, 412])
    }
  }
}
