import TableProtocol

/// The item in the body of a request: what the client may say of it, and nothing of the server's.
struct ItemFields: Hashable, Sendable {
  /// Bytes; larger items are refused (wire 12).
  static let largestItem = 1_048_576

  /// Absent or null: the server makes one, or the URL has it.
  var id: RecordID?
  /// Read only where `false` means "undelete".
  var deleted: Bool?
  /// When the client made the item, if it can be read. Used for inserts only.
  var createdAt: Timestamp?
  /// By name, as the client wrote it.
  var values: [String: FieldValue] = [:]

  /// Reads a JSON object. `updatedAt` and `version` are passed over, whatever they hold, and a `createdAt` that is
  /// not a moment.
  ///
  /// - names: Other names under which the body may have columns.
  init(body: [UInt8], _ names: ColumnNames = .none) throws(RequestError) {
    guard body.count <= Self.largestItem else { throw .body(.tooLarge(limit: Self.largestItem)) }
    do {
      var reader = try JSONReader(body)
      guard reader.next == .object else { throw Self.refusal(of: body) }
      try reader.beginObject()
      var hasID = false
      while let name = try reader.nextName() { try read(names.own(name), try reader.value(), &hasID) }
      try reader.end()
    } catch let error as JSONError {
      throw .body(error.isAboutMeaning ? .notAnItem : .notJSON)
    } catch let error as RequestError {
      throw error
    } catch {
      throw .body(.notJSON)
    }
    guard values.keys.contains(where: { $0.utf8.contains(where: \.isCapital) }) else { return }
    let names = values.keys.map { $0.lowercased() }
    guard Set(names).count == names.count else { throw .property(.repeated(names.max() ?? "")) }
  }

  private mutating func read(_ name: String, _ value: FieldValue, _ hasID: inout Bool) throws(RequestError) {
    switch name.lowercased() {
    case "id":
      guard !hasID else { throw .property(.repeated(name)) }
      hasID = true
      id = try Self.id(value)
    case "deleted": deleted = value.bool
    case "createdat": createdAt = value.text.flatMap { Timestamp($0) }
    case "updatedat", "version": break
    default:
      let earlier = values.updateValue(try Self.checked(name, value), forKey: name)
      guard earlier == nil else { throw .property(.repeated(name)) }
    }
  }

  /// Why a body that does not begin as an object is refused.
  private static func refusal(of body: [UInt8]) -> RequestError {
    guard var reader = try? JSONReader(body), (try? reader.raw()) != nil, (try? reader.end()) != nil else {
      return .body(.notJSON)
    }
    return .body(.notAnItem)
  }

  private static func id(_ value: FieldValue) throws(RequestError) -> RecordID? {
    switch value {
    case .null: return nil
    case .text(let text) where RecordID(text).isValid: return RecordID(text)
    case .text, .bool, .integer, .real: throw .invalidID
    }
  }

  /// A name is a camelCase identifier (wire 1). The database would cut a text at U+0000, so
  /// such a text is refused rather than damaged.
  private static func checked(_ name: String, _ value: FieldValue) throws(RequestError) -> FieldValue {
    guard name.isColumnName else { throw .property(.invalidName(name)) }
    if let text = value.text, text.utf8.contains(0) {
      throw .property(.wrongValue(name, expected: "a text without U+0000"))
    }
    return value
  }
}

extension UInt8 {
  fileprivate var isCapital: Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) }
}
