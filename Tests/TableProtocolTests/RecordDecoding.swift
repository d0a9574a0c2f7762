@testable package import TableProtocol

/// A second reader of items, by Foundation's: what ours reads is compared with it.
extension Record: Decodable {
  package struct Name: CodingKey {
    package let stringValue: String
    package var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    package init?(stringValue: String) { self.stringValue = stringValue }
    package init?(intValue: Int) { nil }
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
}
