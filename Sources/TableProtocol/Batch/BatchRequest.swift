/// One entry of a JSON batch: a request within a request (wire 18.1, OData 4.01 JSON format 19).
package struct BatchRequest: Sendable, Hashable {
  /// Headers that one entry may have. Each of them is looked up among the others.
  package static let mostHeaders = 64
  /// Bytes of the names and values of these together.
  package static let longestHeaders = 16_384

  /// Unique in its batch.
  package var id: String
  /// In capitals.
  package var method: String
  /// An absolute path, or relative to the URL of the batch; `$1` and `$1/…` mean what entry 1 made.
  package var url: String
  /// Names in lower case.
  package var headers: HeaderFields = [:]
  /// JSON; nil for none.
  package var body: [UInt8]?
  package var atomicityGroup: String?
  /// Ids and groups of earlier entries.
  package var dependsOn: [String] = []
  /// It has an `if`, which this server can't evaluate.
  package var isConditional = false

  package init(
    id: String, method: String, url: String, headers: HeaderFields = [:], body: [UInt8]? = nil
  ) {
    self.id = id
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
  }

  /// The id of the entry that the first segment of the URL refers to.
  package var reference: String? {
    var bytes = url.utf8.makeIterator()
    let first = bytes.next()
    guard first == UInt8(ascii: "$") || first == UInt8(ascii: "/") && bytes.next() == UInt8(ascii: "$") else {
      return nil
    }
    let path = url.hasPrefix("/") ? url.dropFirst() : url[...]
    let segment = path.prefix { $0 != "/" && $0 != "?" }
    guard segment.hasPrefix("$"), segment != "$batch" else { return nil }
    return String(segment.dropFirst())
  }

  /// The ids and groups without which it can't be run.
  package var needed: [ExactText] {
    let reference = reference
    return dependsOn.isEmpty && reference == nil ? [] : (dependsOn + [reference].compactMap(\.self)).map(ExactText.init)
  }
}

extension BatchRequest {
  init(from reader: inout JSONReader) throws(JSONError) {
    let start = reader.position
    self.init(id: "", method: "", url: "")
    var names = EntryMembers()
    try reader.beginObject()
    while let name = try reader.nextName() {
      // Something on the way may take the other one for what counts.
      guard names.insert(name) else { throw JSONError(.wrongShape, at: start) }
      switch name {
      case "id": id = try reader.string()
      case "method": method = try reader.string().uppercased()
      case "url": url = try reader.string()
      case "headers": headers = try Self.headers(&reader)
      case "body": body = try Self.body(&reader)
      case "atomicityGroup": atomicityGroup = try reader.optionalString()
      case "dependsOn": dependsOn = try Self.names(&reader)
      case "if":
        isConditional = true
        try reader.raw()
      default: try reader.raw()
      }
    }
    guard !id.isEmpty, !method.isEmpty, !url.isEmpty else { throw JSONError(.wrongShape, at: start) }
  }

  /// Stops at the first header that is too much: the sender decides how many there are.
  static func headers(_ reader: inout JSONReader) throws(JSONError) -> HeaderFields {
    var headers = HeaderFields()
    var size = 0
    guard reader.next == .object else {
      _ = try reader.word()
      return headers
    }
    try reader.beginObject()
    while let name = try reader.nextName() {
      let start = reader.position
      let value = try reader.string()
      size += name.utf8.count + value.utf8.count
      guard headers.count < mostHeaders, size <= longestHeaders else { throw JSONError(.tooManyMembers, at: start) }
      guard headers.insert(value, as: name.lowercased()) else { throw JSONError(.wrongShape, at: start) }
    }
    return headers
  }

  static func body(_ reader: inout JSONReader) throws(JSONError) -> [UInt8]? {
    let isNull = reader.next == .word
    let json = try reader.raw()
    return isNull && json.elementsEqual("null".utf8) ? nil : Array(json)
  }

  private static func names(_ reader: inout JSONReader) throws(JSONError) -> [String] {
    var names: [String] = []
    try reader.beginArray()
    while try reader.nextElement() { names.append(try reader.string()) }
    return names
  }

  /// The entry as it goes into a batch.
  package var bytes: [UInt8] {
    var writer = JSONWriter()
    writer.raw("{")
    writer.member("id", isFirst: true)
    writer.string(id)
    writer.member("method")
    writer.string(method.lowercased())
    writer.member("url")
    writer.string(url)
    if !headers.isEmpty { writer.headers(headers) }
    if let body {
      writer.member("body")
      writer.json(body)
    }
    writer.raw("}")
    return writer.bytes
  }
}

extension JSONWriter {
  mutating func headers(_ headers: HeaderFields) {
    member("headers")
    raw("{")
    for (index, header) in headers.enumerated() {
      member(header.name, isFirst: index == 0)
      string(header.value)
    }
    raw("}")
  }
}

/// The names of the members of an entry so far. A batch has thousands of entries, and a set for each takes longer than
/// reading it.
private struct EntryMembers {
  private static let usual = ["id", "method", "url", "headers", "body"]
  /// A bit for each of the usual ones.
  private var known: UInt8 = 0
  private var others: Set<String> = []

  /// Returns false if the name is there already.
  mutating func insert(_ name: String) -> Bool {
    guard let place = Self.usual.firstIndex(of: name) else { return others.insert(name).inserted }
    defer { known |= 1 << UInt8(place) }
    return known & (1 << UInt8(place)) == 0
  }
}
