/// The flat JSON object of the wire. Which of its members belong to the server follows their names.
extension Record: Codable {
  struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// Reads one item. Throws when it is not an object, has no usable id, a nested value, or a
  /// timestamp that is none. A null or absent `deleted` means false; other absent columns are absent.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Name.self)
    self.init(id: try container.decode(RecordID.self, forKey: Name(SystemColumn.id)))
    guard id.isValid else {
      throw DecodingError.dataCorruptedError(
        forKey: Name(SystemColumn.id), in: container, debugDescription: "the id of an item is not a valid one")
    }
    values.reserveCapacity(container.allKeys.count)
    for key in container.allKeys {
      switch key.stringValue {
      case SystemColumn.id:
        break
      case SystemColumn.createdAt:
        system.createdAt = try Self.timestamp(in: container, key)
      case SystemColumn.updatedAt:
        system.updatedAt = try Self.timestamp(in: container, key)
      case SystemColumn.version:
        system.version = try container.decodeIfPresent(String.self, forKey: key).map(RecordVersion.init)
      case SystemColumn.deleted:
        system.deleted = try container.decodeIfPresent(Bool.self, forKey: key) ?? false
      default:
        values[key.stringValue] = try container.decode(FieldValue.self, forKey: key)
      }
    }
  }

  private static func timestamp(in container: KeyedDecodingContainer<Name>, _ key: Name) throws -> Timestamp? {
    guard let text = try container.decodeIfPresent(String.self, forKey: key) else { return nil }
    guard let timestamp = Timestamp(text) else {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: container, debugDescription: "\(key.stringValue) is not a timestamp")
    }
    return timestamp
  }

  /// Writes every column, the server's included, as a server answers. Absent system properties are
  /// left out, save `deleted`, which is always there.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Name.self)
    try container.encode(id, forKey: Name(SystemColumn.id))
    for (name, value) in values {
      try container.encode(value, forKey: Name(name))
    }
    try container.encodeIfPresent(system.createdAt?.text, forKey: Name(SystemColumn.createdAt))
    try container.encodeIfPresent(system.updatedAt?.text, forKey: Name(SystemColumn.updatedAt))
    try container.encodeIfPresent(system.version?.text, forKey: Name(SystemColumn.version))
    try container.encode(system.deleted, forKey: Name(SystemColumn.deleted))
  }
}

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
