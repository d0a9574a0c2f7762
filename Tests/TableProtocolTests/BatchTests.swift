import TableProtocol
import Testing

@Suite("The JSON form of a batch")
struct BatchTests {
  private func requests(_ json: String, atMost limit: Int = 10) throws(BatchError) -> [BatchRequest] {
    try BatchBody.requests(in: Array(json.utf8), atMost: limit)
  }

  private func entry(_ members: String) -> String { #"{"method":"post","url":"/tables/t",\#(members)}"# }

  @Test("what is written reads back, request and answer")
  func roundTrip() throws {
    let sent = [
      BatchRequest(
        id: "1", method: "PATCH", url: "/tables/t/a%20b", headers: ["if-match": "\"v\"", "content-type": "x/y"],
        body: Array(#"{"text":"買 \"q\""}"#.utf8)),
      BatchRequest(id: "2", method: "DELETE", url: "/tables/t/c"),
    ]
    let body = BatchBody.bytes(sent.map(\.bytes))
    #expect(try BatchBody.requests(in: body, atMost: 2) == sent)
    #expect(body.count == BatchBody.overhead + sent.reduce(-1) { $0 + $1.bytes.count + 1 })
    var writer = BatchResponseWriter()
    let answers = [
      BatchResponse(id: "1", status: 200, headers: ["etag": "\"w\""], body: Array("{\"id\":\"a\"}".utf8)),
      BatchResponse(id: "2", status: 424, atomicityGroup: "g"),
    ]
    for answer in answers { writer.append(answer) }
    #expect(try BatchResponse.all(in: writer.finished()) == answers)
  }

  @Test("headers are found by their names, which are each there once, and come out in the order of these")
  func headerFields() {
    var headers: HeaderFields = ["location": "l", "etag": "e", "a": "1", "etag": "other"]
    #expect(headers["etag"] == "e" && headers["prefer"] == nil && headers.count == 3)
    #expect(!headers.insert("m", as: "location") && headers.insert("p", as: "prefer"))
    headers["a"] = nil
    headers["etag"] = "f"
    #expect(headers.map(\.name) == ["etag", "location", "prefer"] && headers.map(\.value) == ["f", "l", "p"])
    #expect(headers == ["prefer": "p", "location": "l", "etag": "f"] && !headers.isEmpty && HeaderFields().isEmpty)
  }

  @Test("names of methods and headers come in any case")
  func anyCase() throws {
    let read = try requests(
      #"{"requests":[{"id":"1","method":"pAtch","url":"/a","headers":{"If-Match":"x"},"body":1}]}"#)
    #expect(read.first?.method == "PATCH")
    #expect(read.first?.headers == ["if-match": "x"])
  }

  @Test(
    "a batch that is not sound is refused as a whole, with its reason",
    arguments: [
      ("", .malformed(position: 0)), ("[]", .malformed(position: 0)), ("{}", .noRequests),
      (#"{"requests":{}}"#, .malformed(position: 12)), (#"{"requests":[1]}"#, .malformed(position: 13)),
      (#"{"requests":[]}x"#, .malformed(position: 15)),
      (#"{"requests":[{"id":"1","method":"get"}]}"#, .malformed(position: 13)),
      (#"{"requests":[{"id":"1","method":"get","method":"delete","url":"/a"}]}"#, .malformed(position: 13)),
      (#"{"requests":[{"id":"1","headers":{"a":"b","A":"c"},"method":"get","url":"/a"}]}"#, .malformed(position: 46)),
      (#"{"requests":[{"id":"1","method":"head","url":"/a"}]}"#, .method("HEAD")),
      (#"{"requests":[{"id":"1","method":"post","url":"/tables/$batch"}]}"#, .nested),
      (#"{"requests":[{"id":"1","method":"post","url":"%24batch/?x"}]}"#, .nested),
      (#"{"requests":[{"id":"1","method":"get","url":"/a","body":{}}]}"#, .unwantedBody("1")),
      (#"{"requests":[{"id":"1","method":"get","url":"/a","headers":{"X-ZUMO-AUTH":"t"}}]}"#, .credentials("1")),
    ] as [(String, BatchError)])
  func refuses(json: String, error: BatchError) {
    #expect(throws: error) { try requests(json) }
  }

  @Test(
    "ids, groups and references must be in order",
    arguments: [
      ([#""id":"1""#, #""id":"1""#], .repeatedID("1")),
      ([#""id":"1","dependsOn":["2"]"#, #""id":"2""#], .unknownReference("2")),
      ([#""id":"1","dependsOn":["1"]"#], .unknownReference("1")),
      ([#""id":"1","atomicityGroup":"g","dependsOn":["g"]"#], .unknownReference("g")),
      ([#""id":"1","atomicityGroup":"g""#, #""id":"2""#, #""id":"3","atomicityGroup":"g""#], .splitGroup("g")),
      ([#""id":"g""#, #""id":"2","atomicityGroup":"g""#], .repeatedID("g")),
    ] as [([String], BatchError)])
  func refusesOrder(entries: [String], error: BatchError) {
    let json = "{\"requests\":[\(entries.map(entry).joined(separator: ","))]}"
    #expect(throws: error) { try requests(json) }
  }

  @Test("two ids that only look the same are two")
  func exactIDs() throws {
    let ids = ["\u{E9}", "e\u{301}"]
    let entries = ids.map { entry("\"id\":\"\($0)\"") } + [entry("\"id\":\"3\",\"dependsOn\":[\"\(ids[1])\"]")]
    #expect(try requests("{\"requests\":[\(entries.joined(separator: ","))]}").count == 3)
    let missing = [entries[0], entries[2]].joined(separator: ",")
    #expect(throws: BatchError.unknownReference(ids[1])) { try requests("{\"requests\":[\(missing)]}") }
  }

  @Test("an entry has few headers, which are short together, and reading stops at the first that is too much")
  func headers() throws {
    func batch(_ headers: [String]) -> String {
      let entry = #""id":"1","method":"get","url":"/a","headers":{\#(headers.joined(separator: ","))}"#
      return "{\"requests\":[{\(entry)}]}"
    }
    let start = batch([]).utf8.count - "}}]}".utf8.count
    let many = (100..<100 + BatchRequest.mostHeaders).map { #""x\#($0)":"""# }
    #expect(try requests(batch(many)).first?.headers.count == BatchRequest.mostHeaders)
    let end = start + many.joined(separator: ",").utf8.count
    for more in [#""y":"""#, #""x100":"""#, #""y":"","z":5"#] {
      let position = end + 1 + more.utf8.prefix { $0 != UInt8(ascii: ":") }.count + 1
      #expect(throws: BatchError.tooManyHeaders(position: position)) { try requests(batch(many + [more])) }
    }
    let longest = String(repeating: "v", count: BatchRequest.longestHeaders - 3)
    let first = #""a":"\#(longest)""#
    #expect(try requests(batch([first, #""b":"w""#])).first?.headers == ["a": longest, "b": "w"])
    let position = start + first.utf8.count + 1 + #""b":"#.utf8.count
    #expect(throws: BatchError.tooManyHeaders(position: position)) { try requests(batch([first, #""b":"ww""#])) }
  }

  @Test("one entry more than the limit is too many")
  func counts() throws {
    let json = "{\"requests\":[\((0..<3).map { entry("\"id\":\"\($0)\"") }.joined(separator: ","))]}"
    #expect(try requests(json, atMost: 3).count == 3)
    #expect(throws: BatchError.tooMany(limit: 2)) { try requests(json, atMost: 2) }
  }

  @Test(
    "an answer that is none of a batch is told from one that is broken",
    arguments: ["", "<html>", "[]", "{}", "\"x\"", "{\"error\":\"x\"}", "{\"responses\":{}}", "{\"responses\":null}"])
  func noAnswer(body: String) throws {
    #expect(try BatchResponse.all(in: Array(body.utf8)) == nil)
  }

  @Test(
    "a broken answer is an error",
    arguments: [
      "{\"responses\":[1]}", "{\"responses\":[{}]}", "{\"responses\":[{\"id\":\"1\",\"status\":\"200\"}]}",
      "{\"responses\":[{\"id\":\"1\",\"status\":200}", "{\"responses\":[{\"id\":1,\"status\":200}]}",
      "{\"responses\":[{\"id\":\"1\",\"status\":9999999}]}",
    ])
  func brokenAnswer(body: String) {
    #expect(throws: JSONError.self) { try BatchResponse.all(in: Array(body.utf8)) }
  }

  @Test(
    "what a server announces is read, with the usual sizes where it is silent",
    arguments: [
      ("json; max=1000; bytes=4194304", .json(entries: 1_000, bytes: 4_194_304)), ("json", .unstated),
      ("JSON;max=5", .json(entries: 5, bytes: 1_048_576)), ("none", .unsupported), ("multipart", nil), ("", nil),
      ("json; max=0", nil), ("json; max=x", nil), ("json; max=-1", nil),
      ("json; max=9223372036854775807; bytes=9223372036854775807", .own),
      ("json; max=1001", .json(entries: 1_000, bytes: 1_048_576)),
    ] as [(String, BatchSupport?)])
  func announcement(text: String, support: BatchSupport?) {
    #expect(BatchSupport(text) == support)
  }

  @Test("what is remembered of a server is read again")
  func remembers() {
    for support in [BatchSupport.unsupported, .unstated, .own] { #expect(BatchSupport(support.text) == support) }
  }
}
