/// A page of items as either protocol version puts it into a body (table-protocol 6.5).
package struct ListBody: Sendable, Hashable {
  package var items: [Record]
  /// All rows that match, whatever the page holds. Nil when it was not asked for.
  package var count: Int?
  /// Where the next page is, in one of the forms of ``NextLink``; nil on the last page. Protocol
  /// 2.0.0 has it in a header instead, see ``LinkHeader``.
  package var nextLink: String?
  /// The form the body had: an array or `results` is 2.0.0, `items` is 3.0.0.
  package var form: ProtocolVersion

  package init(_ items: [Record], count: Int? = nil, nextLink: String? = nil, form: ProtocolVersion) {
    self.items = items
    self.count = count
    self.nextLink = nextLink
    self.form = form
  }
}

extension ListBody {
  /// Reads an array, `{results,count}`, or `{items,count,nextLink}` with anything but `items` absent
  /// or null. Throws for any other body, a single item among them.
  package init(json bytes: [UInt8]) throws(JSONError) {
    try self.init(json: bytes) { reader throws(JSONError) in try Record(from: &reader) }
  }

  /// The same, with `item` to read one row of the list. It gives nil for a row that is set aside, and must have read
  /// over it.
  package init(json bytes: [UInt8], item: ReadItem) throws(JSONError) {
    var reader = try JSONReader(bytes)
    if reader.next == .array {
      self.init(try Self.items(&reader, item), form: .v2)
    } else {
      try self.init(object: &reader, item)
    }
    try reader.end()
  }

  package typealias ReadItem = (inout JSONReader) throws(JSONError) -> Record?

  private init(object reader: inout JSONReader, _ item: ReadItem) throws(JSONError) {
    self.init([], form: .v3)
    var hasItems = false
    try reader.beginObject()
    while let name = try reader.nextName() {
      switch name {
      case "items", "results":
        items = try Self.items(&reader, item)
        form = name == "items" ? .v3 : .v2
        hasItems = true
      case "count": count = try Self.count(&reader)
      case "nextLink": nextLink = try reader.optionalString()
      default: try reader.raw()
      }
    }
    guard hasItems else { throw JSONError(.wrongShape, at: 0) }
  }

  private static func items(_ reader: inout JSONReader, _ item: ReadItem) throws(JSONError) -> [Record] {
    var items: [Record] = []
    try reader.beginArray()
    while try reader.nextElement() {
      if let item = try item(&reader) { items.append(item) }
    }
    return items
  }

  private static func count(_ reader: inout JSONReader) throws(JSONError) -> Int? {
    let position = reader.position
    switch try reader.value() {
    case .null: return nil
    case .integer(let count): return Int(count)
    case .bool, .real, .text: throw JSONError(.wrongShape, at: position)
    }
  }
}

extension ListBody {
  package var bytes: [UInt8] {
    var writer = ListWriter(form: form, count: count)
    for item in items { writer.item { $0.json(ItemBody.bytes(item)) } }
    return writer.finished(nextLink: nextLink)
  }
}
