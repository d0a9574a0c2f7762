/// How far a list of a server has come: what its stream of notices says (wire 19).
///
/// A level, not an event: whoever knows the last one has missed nothing by missing those before it.
package struct ListLevel: Sendable, Hashable {
  /// The media type of the stream.
  package static let mediaType = "text/event-stream"
  /// The type of its events.
  package static let eventName = "now"
  /// The value of ``ZumoHeader/live``.
  package static let announcement = "sse"
  /// Between two signs of life on a stream without news. Proxies cut a connection after 60 to 100 quiet seconds.
  package static let heartbeatSeconds = 45

  /// The last moment that was given to a row of the list; 1970-01-01 if none was.
  package let updatedAt: Timestamp
  /// The identity of the database (``ZumoHeader/database``), in lower case.
  package let database: String
  /// The number of its epoch (``DatabaseEpoch``).
  package let epoch: Int

  package init(updatedAt: Timestamp, database: String, epoch: Int) {
    self.updatedAt = updatedAt
    self.database = database
    self.epoch = epoch
  }

  /// As in the data of an event: `{"updatedAt":"2026-11-22T08:15:04.120Z","database":"…","epoch":1}`.
  package var json: [UInt8] {
    var writer = JSONWriter(capacity: 128)
    writer.raw("{")
    writer.member("updatedAt", isFirst: true)
    writer.timestamp(updatedAt)
    writer.member("database")
    writer.string(database)
    writer.member("epoch")
    writer.integer(Int64(epoch))
    writer.raw("}")
    return writer.bytes
  }

  /// A whole event of the stream, with the empty line that ends it.
  package var event: [UInt8] {
    Array("id: \(updatedAt.text)\nevent: \(Self.eventName)\ndata: ".utf8) + json + Array("\n\n".utf8)
  }

  /// Reads ``json``, and passes over members that it does not know. Nil if one of the three is missing or can't be
  /// read.
  package init?(json: [UInt8]) {
    guard let level = try? Self.read(json) else { return nil }
    self = level
  }

  private static func read(_ json: [UInt8]) throws(JSONError) -> ListLevel? {
    var reader = try JSONReader(json)
    var (moment, database, epoch) = (Timestamp?.none, String?.none, Int?.none)
    guard reader.next == .object else { return nil }
    try reader.beginObject()
    while let name = try reader.nextName() {
      switch (name, reader.next) {
      case ("updatedAt", .string): moment = Timestamp(try reader.string())
      case ("database", .string): database = try reader.string()
      case ("epoch", .number):
        if case .integer(let number) = try reader.number() { epoch = Int(exactly: number) }
      case _: try reader.raw()
      }
    }
    try reader.end()
    guard let moment, let database, database.isHeaderWord(atMost: 64), let epoch, epoch > 0 else { return nil }
    return ListLevel(updatedAt: moment, database: database.lowercased(), epoch: epoch)
  }
}
