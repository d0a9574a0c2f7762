/// One value of one column: what a flat JSON object of the table protocol may hold.
///
/// There are no nested objects and no arrays on this wire (wire 1). A date in a user
/// column stays the text it came as: types follow the column, never the content, so that a to-do
/// titled `2016-01-01T00:00:00Z` remains a title (sync-rules Q24).
public enum FieldValue: Sendable, Hashable {
  case null
  case bool(Bool)
  case integer(Int64)
  case real(Double)
  case text(String)
}

extension FieldValue {
  /// Texts are equal if they have the same code points. Swift's own comparison also takes a composed and a decomposed
  /// letter for one, so that an edit from one to the other would be none (sync-rules Q25).
  public static func == (left: FieldValue, right: FieldValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.integer(let left), .integer(let right)): left == right
    case (.real(let left), .real(let right)): left == right
    case (.text(let left), .text(let right)): left.isExactly(right)
    case (.null, _), (.bool, _), (.integer, _), (.real, _), (.text, _): false
    }
  }

  /// The text, when the value is text.
  public var text: String? {
    if case .text(let text) = self { text } else { nil }
  }

  /// True for a text with U+0000. A database of SQLite would cut it there, so that no two sides ever agreed on it: it
  /// is refused where it is entered, and set aside where it arrives (wire 5).
  package var hasNullCharacter: Bool {
    guard case .text(var text) = self else { return false }
    return text.withUTF8 { $0.contains(0) }
  }

  /// The truth value. Null and anything that is not a boolean count as unset.
  public var bool: Bool? {
    switch self {
    case .bool(let bool): bool
    case .integer(let integer): integer != 0
    case .null, .real, .text: nil
    }
  }
}

extension FieldValue: Codable {
  /// Text is tried first because nearly every column of this protocol is text, and a failed try is
  /// what costs time in a JSON decoder.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let text = try? container.decode(String.self) {
      self = .text(text)
    } else if container.decodeNil() {
      self = .null
    } else if let bool = try? container.decode(Bool.self) {
      self = .bool(bool)
    } else if let integer = try? container.decode(Int64.self) {
      self = .integer(integer)
    } else if let real = try? container.decode(Double.self) {
      self = .real(real)
    } else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "a column holds an object or an array, which this protocol has not")
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let bool): try container.encode(bool)
    case .integer(let integer): try container.encode(integer)
    case .real(let real): try container.encode(real)
    case .text(let text): try container.encode(text)
    }
  }
}
