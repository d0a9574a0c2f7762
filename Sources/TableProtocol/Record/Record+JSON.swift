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
  package init(from decoder: any Decoder) throws {
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
  package func encode(to encoder: any Encoder) throws {
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
