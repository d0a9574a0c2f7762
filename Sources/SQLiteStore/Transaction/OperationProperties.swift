import FoundationEssentials
import OfflineSync
import TableProtocol

/// The JSON of `MS_TableOperations.properties`. `type` and, for a delete, `item` are those of the
/// original (sync-rules 2.2); `base`, `attempted` and `sent` are what its better
/// rules need beside them.
struct OperationProperties {
  var type: Int
  var item: Record?
  var base: Record?
  var sent: Record?
  var attempted: Bool?

  init(_ operation: TableOperation) {
    type = operation.kind.rawValue
    item = operation.kind == .delete ? operation.base : nil
    base = operation.kind == .delete ? nil : operation.base
    sent = operation.sent
    attempted = operation.isFrozen ? true : nil
  }

  func operation(id: Int64, table: String, itemID: RecordID) -> TableOperation? {
    guard let kind = TableOperation.Kind(rawValue: type) else { return nil }
    return TableOperation(
      id: id, table: table, itemID: itemID, kind: kind, base: base ?? item,
      isFrozen: attempted ?? false, sent: sent)
  }
}

/// Read by hand: a journal of thousands is read at each push.
extension OperationProperties {
  init(json bytes: UnsafeBufferPointer<UInt8>) throws {
    var reader = try JSONReader(Array(bytes))
    type = -1
    try reader.beginObject()
    while let name = try reader.nextName() {
      switch name {
      case "type": if case .integer(let number) = try reader.value() { type = Int(clamping: number) }
      case "item": item = try Record.orNull(&reader)
      case "base": base = try Record.orNull(&reader)
      case "sent": sent = try Record.orNull(&reader)
      case "attempted": attempted = try reader.word()
      default: _ = try reader.raw()
      }
    }
    try reader.end()
  }
}

extension Record {
  static func orNull(_ reader: inout JSONReader) throws -> Record? {
    guard reader.next == .word else { return try Record(from: &reader) }
    let position = reader.position
    guard try reader.word() == nil else { throw JSONError(.wrongShape, at: position) }
    return nil
  }
}

/// And written by hand: a group of changes writes thousands.
extension OperationProperties {
  var json: Data {
    var writer = JSONWriter()
    writer.raw("{")
    writer.member("type", isFirst: true)
    writer.integer(Int64(type))
    if attempted == true {
      writer.member("attempted")
      writer.raw("true")
    }
    for (name, record) in [("base", base), ("item", item), ("sent", sent)] {
      guard let record else { continue }
      writer.member(name)
      record.write(to: &writer)
    }
    writer.raw("}")
    return Data(writer.bytes)
  }
}

/// The JSON of `MS_TableOperationErrors.properties`.
struct ErrorProperties: Codable {
  var kind: String
  var table: String
  var itemId: RecordID
  var statusCode: Int
  var description: String
  var item: Record?
  var serverItem: Record?
  var sent: Record?

  init(_ error: TableOperationError) {
    kind = error.kind.rawValue
    table = error.table
    itemId = error.itemID
    statusCode = error.status
    description = error.message
    item = error.item
    serverItem = error.serverItem
    sent = error.sent
  }

  func error(id: String, operationID: Int64) -> TableOperationError? {
    guard let kind = TableOperationError.Kind(rawValue: kind) else { return nil }
    return TableOperationError(
      id: id, operationID: operationID, table: table, itemID: itemId, kind: kind, status: statusCode,
      message: description, item: item, serverItem: serverItem, sent: sent)
  }
}

/// JSON in a column: a blob of UTF-8.
enum StoredJSON {
  static func encode(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(value)
  }

  static func decode<Value: Decodable>(_ type: Value.Type, _ data: Data) throws -> Value {
    try JSONDecoder().decode(type, from: data)
  }
}

extension Record {
  /// Writes what ``encode(to:)`` writes, columns by name.
  func write(to writer: inout JSONWriter) {
    writer.raw("{")
    writer.member(SystemColumn.id, isFirst: true)
    writer.string(id.text)
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      writer.member(name)
      writer.value(value)
    }
    for (name, moment) in [(SystemColumn.createdAt, system.createdAt), (SystemColumn.updatedAt, system.updatedAt)] {
      guard let moment else { continue }
      writer.member(name)
      writer.timestamp(moment)
    }
    if let version = system.version {
      writer.member(SystemColumn.version)
      writer.string(version.text)
    }
    writer.member(SystemColumn.deleted)
    writer.raw(system.deleted ? "true" : "false")
    writer.raw("}")
  }
}
