import TableProtocol
import Testing

@testable import TableServer

/// What the known clients send, byte for byte, on one connection each (wire 15). Only `Host` and `Content-Length`,
/// which HTTP wants, are added.
@Suite("Requests of known clients")
struct KnownClientTests {
  /// Serves any table from 2026-11-21T02:10:11.239Z on: the first write is of this moment, and each further one is a
  /// millisecond later.
  private func serve(_ body: @Sendable (RawClient) async throws -> Void) async throws {
    var policy = TablePolicy(.open)
    policy.aliases = try #require(ColumnNames(["text": "title", "complete": "isComplete"]))
    let clock = TestServer.clock(standingAt: 1_795_227_011_239)
    try await TestServer.run(clock: clock, tables: policy) { server async throws in
      try await body(RawClient(server))
    }
  }

  private func serveOld(_ body: @Sendable (RawClient) async throws -> Void) async throws {
    try await TestServer.run(clock: TestServer.clock(standingAt: 1_795_227_011_239)) { server async throws in
      try await body(RawClient(server))
    }
  }

  @Test("iOS: push, then pull until a page is empty")
  func iOS() async throws {
    let telemetry = "ZUMO/3.3 (lang=objective-c; os=iOS; os_version=10.1; arch=arm64; version=3.3.0)"
    let common = """
      ZUMO-API-VERSION: 2.0.0
      X-ZUMO-INSTALLATION-ID: 7F0C3A52-7D94-4C1E-9A55-1D2F6B7C8E01
      X-ZUMO-VERSION: \(telemetry)
      User-Agent: \(telemetry)
      """
    let id = "A1B2C3D4-7D94-4C1E-9A55-1D2F6B7C8E01"
    try await serveOld { client async throws in
      let made = try await client.send(
        "POST /tables/TodoItem HTTP/1.1\n\(common)\nX-ZUMO-FEATURES: OL\nContent-Type: application/json",
        #"{"id":"\#(id)","text":"Milk","complete":false}"#)
      try made.expect(201, item: RecordID(id), ["text": .text("Milk"), "complete": .bool(false)])
      let changed = try await client.send(
        "PATCH /tables/TodoItem/\(id) HTTP/1.1\n\(common)\nIf-Match: \(made.tag)\nX-ZUMO-FEATURES: OC,OL\n"
          + "Content-Type: application/json",
        #"{"id":"\#(id)","text":"Milk 2","complete":false}"#)
      try changed.expect(200, item: RecordID(id), ["text": .text("Milk 2"), "complete": .bool(false)])
      let stale = try await client.send(
        "DELETE /tables/TodoItem/\(id) HTTP/1.1\n\(common)\nIf-Match: \(made.tag)\nX-ZUMO-FEATURES: OC,OL")
      try stale.expect(412, item: RecordID(id), ["text": .text("Milk 2"), "complete": .bool(false)])
      let gone = try await client.send(
        "DELETE /tables/TodoItem/\(id) HTTP/1.1\n\(common)\nIf-Match: \(changed.tag)\nX-ZUMO-FEATURES: OC,OL")
      #expect(gone.status == 200)
      for (skip, count) in [(0, 1), (1, 0)] {
        let page = try await client.send(
          "GET /tables/TodoItem?$skip=\(skip)&$orderby=updatedAt%20asc&$filter=(updatedAt%20ge%20datetimeoffset"
            + "'1970-01-01T00%3A00%3A00.000Z')&$top=50&__includeDeleted=true HTTP/1.1\n\(common)\n"
            + "X-ZUMO-FEATURES: TQ,OL,IP")
        try page.expectList(.v2, count: count)
        #expect(try page.items.allSatisfy(\.system.deleted))
      }
    }
  }

  @Test("JavaScript: push of all columns, and a first pull of three requests whose headers grow")
  func javaScript() async throws {
    let common = """
      ZUMO-API-VERSION: 2.0.0
      X-ZUMO-INSTALLATION-ID: 1b482ced-6a34-4d5b-9f0e-0c3f3c1f7a10
      X-ZUMO-VERSION: ZUMO/2.0 (lang=Web; os=--; os_version=--; arch=--; version=2.0.1)
      """
    let json = "Content-Type: application/json"
    try await serveOld { client async throws in
      let made = try await client.send(
        "POST /tables/todoitem HTTP/1.1\n\(common)\nX-ZUMO-FEATURES: OL\n\(json)", #"{"id":"cli1","text":"hello"}"#)
      try made.expect(201, item: "cli1", ["text": .text("hello"), "complete": .null])
      let changed = try await client.send(
        "PATCH /tables/todoitem/cli1 HTTP/1.1\n\(common)\nIf-Match: \(made.tag)\nX-ZUMO-FEATURES: OL,OC\n\(json)",
        #"{"id":"cli1","text":"hello 2","complete":null,"priority":null}"#)
      try changed.expect(200, item: "cli1", ["text": .text("hello 2"), "complete": .null])
      var features = "OL,IP,TR,QS"
      for (from, skip, count, quote) in [
        ("1969-12-31T00:00:00.000Z", "", 1, "'"), ("2026-11-21T02:10:11.240Z", "", 1, "%27"),
        ("2026-11-21T02:10:11.240Z", "&$skip=1", 0, "'"),
      ] {
        let page = try await client.send(
          "GET /tables/todoitem?$filter=(updatedAt%20ge%20datetimeoffset\(quote)\(from)\(quote))&$orderby=updatedAt\(skip)"
            + "&$top=50&__includeDeleted=true HTTP/1.1\n\(common)\nX-ZUMO-FEATURES: \(features)")
        try page.expectList(.v2, count: count)
        // It fails on a row without either.
        #expect(page.text.contains(#""deleted":"#) == (count > 0) && page.text.contains("11.240Z") == (count > 0))
        features += ",TR,QS"
      }
      let deleted = try await client.send(
        "DELETE /tables/todoitem/cli1 HTTP/1.1\n\(common)\nIf-Match: \(changed.tag)\nX-ZUMO-FEATURES: OL,OC")
      #expect(deleted.status == 200)
      let long = String(repeating: ",TR,QS", count: 2_000)
      let page = try await client.send(
        "GET /tables/todoitem?$top=50 HTTP/1.1\n\(common)\nX-ZUMO-FEATURES: OL,IP\(long)")
      try page.expectList(.v2, count: 0)
    }
  }

  @Test(".NET of the first years: pull with a plus in the offset")
  func net2() async throws {
    try await serveOld { client async throws in
      for number in 0..<3 {
        _ = try await client.send(
          "POST /tables/TodoItem HTTP/1.1\nZUMO-API-VERSION: 2.0.0\nX-ZUMO-FEATURES: TT,OL\nContent-Type: application/json",
          #"{"id":"net\#(number)","text":"x","complete":true}"#
        ).expect(201, item: RecordID("net\(number)"), ["text": .text("x"), "complete": .bool(true)])
      }
      for (from, count) in [("1970-01-01T00%3A00%3A00.0000000", 3), ("2026-11-21T02%3A10%3A11.2410000", 1)] {
        let page = try await client.send(
          "GET /tables/TodoItem?$filter=(updatedAt%20ge%20datetimeoffset'\(from)%2B00%3A00')&$orderby=updatedAt&$skip=0"
            + "&$top=50&__includeDeleted=true HTTP/1.1\nZUMO-API-VERSION: 2.0.0\nAccept: application/json\n"
            + "X-ZUMO-FEATURES: TT,OL")
        try page.expectList(.v2, count: count)
      }
    }
  }

  @Test("Android: pulls, the earliest of which put the date in parentheses")
  func android() async throws {
    try await serveOld { client async throws in
      let head = "HTTP/1.1\nZUMO-API-VERSION: 2.0.0\nX-ZUMO-FEATURES: OL"
      let insert = "POST /tables/TodoItem \(head)\nContent-Type: application/json"
      #expect(try await client.send(insert, #"{"id":"a","text":"x"}"#).status == 201)
      let order = "$top=50&$skip=0&$orderby=updatedAt%20asc&__includeDeleted=true"
      for query in [
        order, "$filter=updatedAt%20ge%20datetimeoffset'2026-11-21T02%3A10%3A11.239Z'&\(order)",
        "$filter=updatedAt%20gt%20(datetimeoffset'2026-11-21T02%3A10%3A11.238Z')&\(order)",
      ] {
        let page = try await client.send("GET /tables/TodoItem?\(query) \(head)")
        try page.expectList(.v2, count: 1)
      }
    }
  }

  @Test("Microsoft.Datasync.Client: its own names of columns, whole items, an undelete by PATCH")
  func net6() async throws {
    let version = "ZUMO-API-VERSION: 3.0.0"
    let json = "Content-Type: application/json"
    try await serve { client async throws in
      let made = try await client.send(
        "POST /tables/todoitem HTTP/1.1\n\(version)\n\(json)", #"{"id":"n1","title":"Milk","isComplete":true}"#)
      try made.expect(201, item: "n1", ["title": .text("Milk"), "isComplete": .bool(true)])
      #expect(made.header("location")?.hasSuffix("/tables/todoitem/n1") == true)
      let whole =
        #"{"id":"n1","updatedAt":"2026-11-21T02:10:11.239Z","version":\#(made.tag),"deleted":false,"title":"Milk 2"}"#
      let put = try await client.send(
        "PUT /tables/todoitem/n1 HTTP/1.1\n\(version)\nIf-Match: \(made.tag)\n\(json)", whole)
      try put.expect(200, item: "n1", ["title": .text("Milk 2"), "isComplete": .bool(false)])
      let gone = try await client.send("DELETE /tables/todoitem/n1 HTTP/1.1\n\(version)\nIf-Match: \(put.tag)")
      #expect(gone.status == 204 && gone.body.isEmpty)
      let page = try await client.send(
        "GET /tables/todoitem?$filter=%28updatedAt%20gt%20cast%282024-08-23T20%3A22%3A54.291Z%2CEdm.DateTimeOffset%29%29"
          + "&$orderby=updatedAt&$count=true&__includedeleted=true HTTP/1.1\n\(version)\nX-ZUMO-Options: nextLink=path")
      try page.expectList(.v3, count: 1)
      #expect(page.text.hasSuffix(#""count":1,"nextLink":null}"#))
      let back = try await client.send("PATCH /tables/todoitem/n1 HTTP/1.1\n\(version)\n\(json)", #"{"deleted":false}"#)
      try back.expect(200, item: "n1", ["title": .text("Milk 2"), "isComplete": .bool(false)])
    }
  }

  @Test("CommunityToolkit: tables of its own, next links taken as they are, a repeat without a condition")
  func toolkit() async throws {
    let version = "ZUMO-API-VERSION: 3.0.0"
    let json = "Content-Type: application/json"
    try await serve { client async throws in
      for page in ["$orderby=updatedAt&$count=true&__includedeleted=true"] {
        let empty = try await client.send("GET /tables/movies?\(page) HTTP/1.1\n\(version)")
        try empty.expectList(.v3, count: 0)
      }
      let made = try await client.send(
        "POST /tables/movies HTTP/1.1\n\(version)\n\(json)", #"{"id":"m1","title":"Dune","rating":"G"}"#)
      try made.expect(201, item: "m1", ["title": .text("Dune"), "rating": .text("G")])
      let whole =
        #"{"id":"m1","updatedAt":"2026-11-21T02:10:11.239Z","version":\#(made.tag),"title":"Dune 2","rating":"G"}"#
      let put = try await client.send(
        "PUT /tables/movies/m1 HTTP/1.1\n\(version)\nIf-Match: \(made.tag)\n\(json)", whole)
      try put.expect(200, item: "m1", ["title": .text("Dune 2"), "rating": .text("G")])
      let conflict = try await client.send(
        "PUT /tables/movies/m1 HTTP/1.1\n\(version)\nIf-Match: \(made.tag)\n\(json)", whole)
      try conflict.expect(412, item: "m1", ["title": .text("Dune 2"), "rating": .text("G")])
      let clientWins = try await client.send("PUT /tables/movies/m1 HTTP/1.1\n\(version)\n\(json)", whole)
      #expect(clientWins.status == 200)
      // Its online client ends the URL with a slash, and an application that brings its own HTTP sends no version.
      for number in 2...102 {
        let body = #"{"id":"m\#(number)","rating":"R"}"#
        #expect(try await client.send("POST /tables/movies/ HTTP/1.1\n\(json)", body).status == 201)
      }
      let filter =
        "$filter=%28%28rating%20eq%20%27R%27%29%20and%20%28updatedAt%20gt%20cast%28"
        + "2024-08-23T20%3A22%3A54.291Z%2CEdm.DateTimeOffset%29%29%29&"
      let first = try await client.send(
        "GET /tables/movies?\(filter)$orderby=updatedAt&$count=true&__includedeleted=true HTTP/1.1\n\(version)")
      try first.expectList(.v3, count: 100)
      #expect(try first.list.count == 101)
      let link = try #require(try first.list.nextLink)
      try (try await client.send("GET /tables/movies?\(link) HTTP/1.1\n\(version)")).expectList(.v3, count: 1)
      let gone = try await client.send(
        "DELETE /tables/movies/m1 HTTP/1.1\n\(version)\nIf-Match: \(clientWins.tag)")
      #expect(gone.status == 204)
      #expect(try await client.send("DELETE /tables/movies/m1 HTTP/1.1\n\(version)").status == 410)
    }
  }
}

/// A client that sends what a test says and nothing else.
private final class RawClient {
  private let connection: RawConnection

  init(_ server: TestServer) throws { connection = try RawConnection(server) }

  struct NoAnswer: Error {}

  /// `head` is the first line and the headers. The connection stays for the next request.
  func send(_ head: String, _ body: String? = nil) async throws -> RawAnswer {
    var lines = head.split(separator: "\n").map(String.init)
    lines.append("Host: localhost")
    if let body { lines.append("Content-Length: \(body.utf8.count)") }
    await connection.send(lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? ""))
    var text = ""
    while let part = await connection.readSome(), !part.isEmpty {
      text += part
      if let answer = RawAnswer(text) { return answer }
    }
    throw NoAnswer()
  }
}

private struct RawAnswer {
  let status: Int
  private let headers: [String: String]
  let text: String

  /// Nil until the answer is there as a whole.
  init?(_ received: String) {
    guard let end = received.firstRange(of: "\r\n\r\n") else { return nil }
    let lines = received[..<end.lowerBound].split(separator: "\r\n")
    status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    headers = Dictionary(
      lines.dropFirst().map { line in
        let name = line.prefix { $0 != ":" }
        return (name.lowercased(), String(line.dropFirst(name.count + 2)))
      }
    ) { $1 }
    text = String(received[end.upperBound...])
    guard text.utf8.count >= headers["content-length"].flatMap({ Int($0) }) ?? 0 else { return nil }
  }

  var body: [UInt8] { Array(text.utf8) }
  func header(_ name: String) -> String? { headers[name] }
  /// With its quotes.
  var tag: String { headers["etag"] ?? "" }

  var list: ListBody {
    get throws { try ListBody(json: body) }
  }

  var items: [Record] {
    get throws { try list.items }
  }

  /// An item goes with its version as a strong tag, and with all its columns.
  func expect(_ status: Int, item id: RecordID, _ values: [String: FieldValue]) throws {
    #expect(self.status == status, "\(text)")
    let item = try Record(json: body)
    #expect(item.id == id && item.values == values)
    #expect(tag == item.system.version?.entityTag && tag.hasPrefix("\""))
  }

  func expectList(_ form: ProtocolVersion, count: Int) throws {
    #expect(status == 200, "\(text)")
    let list = try list
    #expect(list.form == form && list.items.count == count && tag.isEmpty)
    let moments = list.items.compactMap(\.system.updatedAt)
    #expect(moments == moments.sorted() && moments.count == count)
  }
}
