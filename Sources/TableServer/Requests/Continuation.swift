import FoundationEssentials
import TableProtocol

/// The place in an order after which a page begins: the sort values of the last row before it.
///
/// A next link carries this in place of `$skip`: a row that changes while a client turns pages moves
/// to the end, and by counting rows the client would pass one by (table-protocol 6.4).
struct Continuation: Hashable, Sendable {
  /// One for each sort key, `id` among them.
  let values: [FieldValue]

  init(_ values: [FieldValue]) {
    self.values = values
  }

  /// Reads a `$skiptoken`. Nil when it is not one for so many keys.
  init?(token: String, keys: Int) {
    let base64 = String(token.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
    let padding = String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4)
    guard let data = Data(base64Encoded: base64 + padding),
      let values = try? JSONDecoder().decode([FieldValue].self, from: data), values.count == keys
    else { return nil }
    self.values = values
  }

  /// Base64 for URLs of a JSON array: opaque to clients.
  var token: String {
    var writer = JSONWriter()
    writer.raw("[")
    for (index, value) in values.enumerated() {
      if index > 0 { writer.raw(",") }
      writer.value(value)
    }
    writer.raw("]")
    let base64 = Data(writer.bytes).base64EncodedString()
    return String(base64.compactMap { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 == "=" ? nil : $0 })
  }
}
