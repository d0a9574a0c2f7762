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
