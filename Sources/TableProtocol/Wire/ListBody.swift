/// A page of items as either protocol version puts it into a body (wire 6.5).
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
    for item in items { writer.item { item.write(to: &$0) } }
    return writer.finished(nextLink: nextLink)
  }
}

/// Writes a list item by item, as the rows come from the database.
package struct ListWriter: Sendable {
  private var writer = JSONWriter(capacity: 4_096)
  private let form: ProtocolVersion
  private let count: Int?
  private var isEmpty = true

  /// A count that is not nil makes a list of protocol 2.0.0 an object.
  package init(form: ProtocolVersion, count: Int?) {
    self.form = form
    self.count = count
    switch form {
    case .v2: count == nil ? writer.raw("[") : writer.raw("{\"results\":[")
    case .v3: writer.raw("{\"items\":[")
    }
  }

  /// Bytes written so far.
  package var size: Int { writer.bytes.count }

  package mutating func item(_ write: (inout JSONWriter) throws -> Void) rethrows {
    if !isEmpty { writer.raw(",") }
    isEmpty = false
    try write(&writer)
  }

  /// The whole body. `nextLink` is written only in the form of 3.0.0.
  package consuming func finished(nextLink: String?) -> [UInt8] {
    writer.raw("]")
    if form == .v2, count == nil { return writer.bytes }
    writer.member("count")
    writer.value(count.map { .integer(Int64($0)) } ?? .null)
    if form == .v3 {
      writer.member("nextLink")
      writer.value(nextLink.map(FieldValue.text) ?? .null)
    }
    writer.raw("}")
    return writer.bytes
  }
}

/// Where the next page of a list is, in the body of a 3.0.0 answer (wire 6.4).
package enum NextLink {
  /// The query part of an absolute URL, of a path, of `?…`, or of a bare query string; nil when
  /// there is none.
  ///
  /// Only the query counts: a client keeps its own scheme, host and path, so that no answer can send
  /// its credentials elsewhere.
  package static func query(of link: String) -> String? {
    let link = link.prefix { $0 != "#" }
    let beforeQuery = link.prefix { $0 != "?" && $0 != "=" && $0 != "&" }
    let isLocation = link.hasPrefix("/") || link.hasPrefix("?") || beforeQuery.contains("://")
    guard isLocation else { return link.isEmpty ? nil : String(link) }
    guard let mark = link.firstIndex(of: "?") else { return nil }
    let query = link[link.index(after: mark)...]
    return query.isEmpty ? nil : String(query)
  }
}

/// The `Link` header of a 2.0.0 list that has more rows (wire 6.4).
package enum LinkHeader {
  /// The bare form, without angle brackets and quotes: the old clients read no other.
  package static func field(url: String) -> String {
    "\(url); rel=next"
  }

  /// The query part of the link to the next page, in the bare form or in that of RFC 8288. Nil
  /// when there is no such link.
  ///
  /// Nothing else of the URL is of use: one server leaves out its path and port.
  package static func nextQuery(in field: String) -> String? {
    links(in: field).first { isNext($0.parameters) }.flatMap { NextLink.query(of: String($0.url)) }
  }

  private typealias Link = (url: Substring, parameters: Substring)

  private static func links(in field: String) -> [Link] {
    guard let first = field.first(where: { $0 != " " }), first == "<" else {
      guard let end = field.lastIndex(of: ";") else { return [] }
      return [(field[..<end], field[end...])]
    }
    return field.split(separator: "<").compactMap { part in
      part.firstIndex(of: ">").map { (part[..<$0], part[$0...]) }
    }
  }

  private static func isNext(_ parameters: Substring) -> Bool {
    let words = parameters.lowercased().split { " ;,\"<>".contains($0) }
    return words.contains("rel=next") || words.contains("rel=") && words.contains("next")
  }
}
