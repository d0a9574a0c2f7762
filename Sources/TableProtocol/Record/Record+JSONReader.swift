extension Record {
  /// Reads one item, by the rules of ``init(from:)-(Decoder)``, straight from the bytes of a body.
  package init(json bytes: [UInt8]) throws(JSONError) {
    var reader = try JSONReader(bytes)
    try self.init(from: &reader)
    try reader.end()
  }

  /// Reads one item of many. Throws when it is not an object, has no usable id, a nested value, a
  /// column twice, or a timestamp that is none.
  package init(from reader: inout JSONReader) throws(JSONError) {
    let start = reader.position
    self.init(id: "")
    values.reserveCapacity(4)
    try reader.beginObject()
    while let name = try reader.nextName() {
      switch name {
      case SystemColumn.id: id = RecordID(try reader.string())
      case SystemColumn.createdAt: system.createdAt = try Self.timestamp(&reader)
      case SystemColumn.updatedAt: system.updatedAt = try Self.timestamp(&reader)
      case SystemColumn.version: system.version = try reader.optionalString().map(RecordVersion.init)
      case SystemColumn.deleted: system.deleted = try Self.flag(&reader)
      default:
        let isRepeated = values.updateValue(try reader.value(), forKey: name) != nil
        guard !isRepeated else { throw JSONError(.wrongShape, at: start) }
      }
    }
    guard id.isValid else { throw JSONError(.wrongShape, at: start) }
  }

  private static func timestamp(_ reader: inout JSONReader) throws(JSONError) -> Timestamp? {
    let position = reader.position
    guard let text = try reader.optionalString() else { return nil }
    guard let timestamp = Timestamp(text) else { throw JSONError(.wrongShape, at: position) }
    return timestamp
  }

  private static func flag(_ reader: inout JSONReader) throws(JSONError) -> Bool {
    guard reader.next == .word else { throw JSONError(.wrongShape, at: reader.position) }
    return try reader.word() ?? false
  }
}

extension JSONReader {
  /// Reads a text or null.
  package mutating func optionalString() throws(JSONError) -> String? {
    let position = position
    switch try value() {
    case .text(let text): return text
    case .null: return nil
    case .bool, .integer, .real: throw JSONError(.wrongShape, at: position)
    }
  }
}
