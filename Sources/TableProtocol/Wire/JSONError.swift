/// Why bytes are not the JSON that was expected.
package struct JSONError: Error, Sendable, Hashable {
  package enum Reason: Sendable, Hashable {
    case notUTF8
    /// Another sign than the grammar allows here, or the end.
    case unexpected
    /// An unknown escape, or half of a surrogate pair.
    case badEscape
    case numberOutOfRange
    /// More arrays and objects within one another than ``JSONReader/deepest``.
    case tooDeep
    /// JSON, but a column holds an object or an array, which the table protocol has not.
    case nestedValue
    /// JSON, but not of the shape that was expected: a member is missing or of another kind.
    case wrongShape
  }

  package let reason: Reason
  /// Bytes from the start of the document.
  package let position: Int

  package init(_ reason: Reason, at position: Int) {
    self.reason = reason
    self.position = position
  }

  /// True if a text or a number is not one that can be kept, and what surrounds it can be read all the same.
  package var isAboutContent: Bool { reason == .badEscape || reason == .numberOutOfRange || reason == .tooDeep }

  /// True when the bytes may be JSON, but do not say what they should.
  package var isAboutMeaning: Bool { reason == .nestedValue || reason == .wrongShape }
}
