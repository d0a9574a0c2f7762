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
    attempted = operation.isMarked ? true : nil
  }

  func operation(id: Int64, table: String, itemID: RecordID) -> TableOperation? {
    guard let kind = TableOperation.Kind(rawValue: type) else { return nil }
    return TableOperation(
      id: id, table: table, itemID: itemID, kind: kind, base: base ?? item,
      isMarked: attempted ?? false, sent: sent)
  }
}

/// Read by hand: a journal of thousands is read at each push.
extension OperationProperties {
  init(json bytes: [UInt8]) throws {
    var reader = try JSONReader(bytes)
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
  /// The record as a column of a table: a blob of JSON.
  var stored: Data { Data(json()) }

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
enum ErrorProperties {
  static func json(_ error: TableOperationError) -> Data {
    var writer = JSONWriter()
    writer.raw("{")
    let texts = [
      ("kind", error.kind.rawValue), ("table", error.table), ("itemId", error.itemID.text),
      ("description", error.message),
    ]
    for (index, (name, text)) in texts.enumerated() {
      writer.member(name, isFirst: index == 0)
      writer.string(text)
    }
    writer.member("statusCode")
    writer.integer(Int64(error.status))
    for (name, record) in [("item", error.item), ("serverItem", error.serverItem), ("sent", error.sent)] {
      guard let record else { continue }
      writer.member(name)
      record.write(to: &writer)
    }
    writer.raw("}")
    return Data(writer.bytes)
  }

  /// Returns nil for an error of a kind that this version does not know.
  static func error(_ json: [UInt8], id: String, operationID: Int64) throws -> TableOperationError? {
    var texts: [String: String] = [:]
    var records: [String: Record] = [:]
    var status = 0
    var reader = try JSONReader(json)
    try reader.beginObject()
    while let name = try reader.nextName() {
      switch name {
      case "kind", "table", "itemId", "description": texts[name] = try reader.string()
      case "statusCode": if case .integer(let number) = try reader.value() { status = Int(clamping: number) }
      case "item", "serverItem", "sent": records[name] = try Record.orNull(&reader)
      default: _ = try reader.raw()
      }
    }
    try reader.end()
    guard let kind = texts["kind"].flatMap(TableOperationError.Kind.init), let table = texts["table"],
      let itemID = texts["itemId"]
    else { return nil }
    return TableOperationError(
      id: id, operationID: operationID, table: table, itemID: RecordID(itemID), kind: kind, status: status,
      message: texts["description"] ?? "", item: records["item"], serverItem: records["serverItem"],
      sent: records["sent"])
  }
}

/// The JSON of `Ebb_History.properties`. Written and read by hand: there may be thousands in one step.
struct UndoProperties {
  var before: Record?
  var after: Record?
  /// Of a decision about a conflict: the bases of the row before and after it.
  var decision: DecidedBases?

  init(_ change: RowChange) {
    before = change.before
    after = change.after
    decision = change.decision
  }

  init(json bytes: [UInt8]) throws {
    var reader = try JSONReader(bytes)
    var bases: (before: ServerSide, after: ServerSide) = (.never, .never)
    var sent: Columns?
    var takenAlong = 0
    try reader.beginObject()
    while let name = try reader.nextName() {
      switch name {
      case "before": before = try Record.orNull(&reader)
      case "after": after = try Record.orNull(&reader)
      case "decision": if try reader.word() == true { decision = DecidedBases(before: .never, after: .never) }
      case "baseBefore": bases.before = ServerSide(try Record(from: &reader))
      case "baseAfter": bases.after = ServerSide(try Record(from: &reader))
      case "sent": sent = try Record(from: &reader).values
      case "takenAlong": if case .integer(let times) = try reader.number() { takenAlong = Int(times) }
      default: _ = try reader.raw()
      }
    }
    try reader.end()
    if decision != nil {
      decision = DecidedBases(before: bases.before, after: bases.after, sent: sent, takenAlong: takenAlong)
    }
  }

  /// A base of which nothing is known is a bare tombstone, as in the journal.
  var json: Data {
    var members: [(String, Record)] = []
    if let before { members.append(("before", before)) }
    if let after { members.append(("after", after)) }
    let id = (after ?? before)?.id ?? ""
    for (name, side) in [("baseBefore", decision?.before), ("baseAfter", decision?.after)] {
      if let record = side?.stored(as: id) { members.append((name, record)) }
    }
    if let sent = decision?.sent { members.append(("sent", Record(id: id, values: sent))) }
    var writer = JSONWriter()
    writer.raw("{")
    for (place, (name, record)) in members.enumerated() {
      writer.member(name, isFirst: place == 0)
      record.write(to: &writer)
    }
    if let decision {
      writer.member("decision", isFirst: members.isEmpty)
      writer.raw("true")
      if decision.takenAlong > 0 {
        writer.member("takenAlong")
        writer.integer(Int64(decision.takenAlong))
      }
    }
    writer.raw("}")
    return Data(writer.bytes)
  }
}
