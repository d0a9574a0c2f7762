import FoundationEssentials
import TableProtocol
import Testing

struct RecordTests {
  private func decode(_ json: String) throws -> Record {
    try JSONDecoder().decode(Record.self, from: Data(json.utf8))
  }

  @Test("an item of the wire becomes values and system properties, by name")
  func decodesItem() throws {
    let record = try decode(
      """
      {"id":"a","text":"Milk","complete":true,"n":3,"x":1.5,"gone":null,"createdAt":"2024-01-02T03:04:05.1Z",
       "updatedAt":"2024-01-02T03:04:05+00:00","version":"MQ==","deleted":true}
      """)
    #expect(
      record.values == [
        "text": .text("Milk"), "complete": .bool(true), "n": .integer(3), "x": .real(1.5), "gone": .null,
      ])
    #expect(record.system.createdAt?.text == "2024-01-02T03:04:05.100Z")
    #expect(record.system.updatedAt?.text == "2024-01-02T03:04:05.000Z")
    #expect(record.system.version == RecordVersion("MQ=="))
    #expect(record.system.deleted)
  }

  @Test("absent and null system properties are unset, and a text that looks like a date stays text")
  func decodesSparseItem() throws {
    let record = try decode(#"{"id":"a","text":"2016-01-01T00:00:00Z","deleted":null,"version":null,"updatedAt":null}"#)
    #expect(record == Record(id: "a", values: ["text": .text("2016-01-01T00:00:00Z")]))
  }

  @Test(
    "what is no item is an error, not a crash",
    arguments: [
      "[]", "1", "{}", #"{"id":null}"#, #"{"id":1}"#, #"{"id":""}"#, #"{"id":"a/b"}"#, #"{"id":"a","o":{}}"#,
      #"{"id":"a","o":[1]}"#, #"{"id":"a","updatedAt":"soon"}"#, #"{"id":"a","deleted":"yes"}"#, "{", "",
    ])
  func refusesNonItems(json: String) {
    #expect(throws: (any Error).self) { try decode(json) }
  }

  @Test("an item that was written reads back, with either reader")
  func roundTrip() throws {
    let record = Record(
      id: "买-\u{1F95B}",
      values: [
        "text": .text("q\" b\\ \n\r\t \u{1} \u{7F} 🥛 e\u{301}"), "n": .integer(.min), "x": .real(-0.125),
        "b": .bool(false),
        "z": .null,
      ],
      system: SystemProperties(
        createdAt: Timestamp(milliseconds: 5), updatedAt: Timestamp(milliseconds: 1_700_000_000_123),
        version: RecordVersion("AAAA/+8="), deleted: true))
    #expect(try JSONDecoder().decode(Record.self, from: Data(record.json())) == record)
    #expect(try Record(json: record.json()) == record)
  }

  @Test(
    "an id is any text that can stand in a URL and a header",
    arguments: [
      ("a", true), ("A b", true), ("买", true), ("a.b:c|d-e_f", true), (String(repeating: "x", count: 255), true),
    ]
      + [
        "", " ", ".", "..", "a\"b", "a+b", "a?b", "a\\b", "a/b", "a`b", "a\u{0}", "a\u{85}",
        String(repeating: "x", count: 256),
      ]
      .map { ($0, false) })
  func ids(id: String, isValid: Bool) {
    #expect(RecordID(id).isValid == isValid)
  }

  @Test("a version goes into an entity tag and comes back")
  func entityTags() {
    #expect(RecordVersion("AAAAAAAAB9E=").entityTag == "\"AAAAAAAAB9E=\"")
    for text in ["MQ==", "a\"b", "ü", "a\\b", "a\\\"b", "\"", "\"\u{301}"] {
      #expect(RecordVersion(entityTag: RecordVersion(text).entityTag)?.text == text)
    }
    #expect(RecordVersion(entityTag: " \"x\" ")?.text == "x")
    #expect(RecordVersion(entityTag: "bare")?.text == "bare")
  }

  @Test(
    "weak, empty, multiple and broken tags say nothing of a version",
    arguments: ["", "\"\"", "W/\"x\"", "\"a\", \"b\"", "\"a", "\"a\\\""])
  func refusedTags(tag: String) {
    #expect(RecordVersion(entityTag: tag) == nil)
  }

  @Test(
    "a protocol version is two or three numbers, the second of them zero",
    arguments: [
      ("2.0.0", .v2), ("2.0", .v2), ("2.0.17", .v2), ("3.0.0", .v3), ("3.0", .v3), ("2.1.0", nil), ("9", nil),
      ("", nil),
      ("2.0.0.0", nil), ("2.0.", nil), ("2.0.x", nil), ("-2.0", nil), ("２.0", nil),
    ] as [(String, ProtocolVersion?)])
  func protocolVersions(text: String, version: ProtocolVersion?) {
    #expect(ProtocolVersion(header: text) == version)
  }
}
