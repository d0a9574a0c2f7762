import OfflineSync
import TableProtocol

/// Reads the rows of answers, one after another, and notes which columns they have.
///
/// A row that can't be stored is set aside, so that it does not keep the others from being read. A nested value in a
/// column that this device does not keep is passed over.
struct AnswerRowReader {
  /// The columns that this device keeps, and what each holds in a row that leaves it out; nil if that is not known, or
  /// if rows of this server never leave anything out.
  private let columns: [String: FieldValue]?
  private let names: ColumnNames
  private(set) var seen: ServerColumns
  private(set) var unreadable: [UnreadableRow] = []
  private(set) var rowCount = 0
  /// More items than an answer of 64 MiB has if they are of a usual size. Millions of a few bytes would fill the
  /// memory.
  static let mostRows = 400_000
  /// True if the answer has more items than that.
  private(set) var isTooLong = false
  /// How many things that are no items are named in ``unreadable``.
  private static let mostNoItems = 100
  private var noItems = 0
  /// The last unreadable row that has an id, and how many rows had been read before it.
  private var setAside: (end: PageEnd, before: Int)?
  private var readable = 0
  /// How many of them said something of the columns.
  private var noted = 0
  /// Some row lacks a column that this device keeps.
  private var hasGaps = false

  /// - names: The names that the server has for columns of this device.
  init(columns: [String: FieldValue]?, names: ColumnNames = .none, seen: ServerColumns = ServerColumns()) {
    self.columns = columns
    self.names = names
    self.seen = seen
  }

  /// Reads one row; nil if it is set aside, whatever it is. Throws for what is not JSON.
  mutating func row(_ reader: inout JSONReader) throws(JSONError) -> Record? {
    guard rowCount - noItems < Self.mostRows else {
      isTooLong = true
      throw JSONError(.wrongShape, at: reader.position)
    }
    rowCount += 1
    guard reader.next == .object else {
      try passOver(&reader)
      return nil
    }
    let start = reader
    if let record = soundRow(&reader) { return record }
    reader = start
    return try lenientRow(&reader)
  }

  /// Reads something that is no item.
  private mutating func passOver(_ reader: inout JSONReader) throws(JSONError) {
    _ = try LenientRow.value(&reader)
    // A page of 64 MiB may have millions.
    if noItems < Self.mostNoItems {
      unreadable.append(UnreadableRow(id: nil, reason: "it is no item", updatedAt: nil))
    }
    noItems += 1
  }

  /// Reads a row that is as it should be; nil for any other, of which the reader has then read some part.
  private mutating func soundRow(_ reader: inout JSONReader) -> Record? {
    guard let record = try? Record(from: &reader), !record.hasNullCharacter,
      record.system.version?.isSendable != false
    else { return nil }
    guard !names.isEmpty else {
      note(record, hasNested: false)
      return record
    }
    guard let renamed = record.received(names) else { return nil }
    note(renamed, hasNested: renamed.values.count < record.values.count)
    return renamed
  }

  /// Reads a row as far as it goes; nil if it is set aside.
  private mutating func lenientRow(_ reader: inout JSONReader) throws(JSONError) -> Record? {
    let start = reader
    var row = LenientRow(columns, names)
    do {
      try row.read(&reader)
    } catch {
      guard error.isAboutContent else { throw error }
      reader = start
      try reader.skipBroken()
      row.refuse("a column's name")
    }
    switch row.result {
    case .success(let record):
      note(record, hasNested: row.hasNested)
      return record
    case .failure(let set):
      unreadable.append(set.row)
      if let id = set.row.id { setAside = (PageEnd(id: id, updatedAt: set.row.updatedAt), readable) }
      return nil
    }
  }

  /// The one item of a body; nil if the body is none, or one that can't be stored.
  mutating func item(in body: [UInt8]) -> Record? {
    guard var reader = try? JSONReader(body), let record = try? row(&reader), (try? reader.end()) != nil
    else { return nil }
    return completed([record]).first
  }

  /// The last row in the order of the server, if it was set aside.
  var unreadableEnd: PageEnd? { setAside.flatMap { $0.before == readable ? $0.end : nil } }

  /// Rows that were asked for in full: a column that one of them leaves out, though the server's table has it, holds
  /// null or the default of its kind. Else a stale value would stay under the new version.
  func completed(_ records: [Record]) -> [Record] {
    guard hasGaps, let columns else { return records }
    let defaults = columns.filter { seen.known.contains($0.key) }
    return records.map { record in
      guard !record.system.deleted else { return record }
      var whole = record
      whole.values.merge(defaults) { given, _ in given }
      return whole
    }
  }

  private mutating func note(_ record: Record, hasNested: Bool) {
    readable += 1
    // A tombstone may have lost its columns (wire 11.6): it says nothing of those of the table.
    guard let columns, !(record.system.deleted && record.values.isEmpty) else { return }
    noted += 1
    let isFirst = seen.known.isEmpty && noted == 1
    var present = 0
    for name in columns.keys where record.values[name] != nil {
      present += 1
      guard seen.known.insert(name).inserted, !isFirst else { continue }
      seen.varies = true
      hasGaps = true
    }
    if hasNested || record.values.count > present { seen.hasOthers = true }
    if present < columns.count, !record.system.deleted {
      hasGaps = true
      if present < seen.known.count { seen.varies = true }
    }
  }
}

extension Record {
  /// The record with this device's names of columns; nil if a column would be there twice. Columns that have this
  /// device's name of another one are left out.
  fileprivate func received(_ names: ColumnNames) -> Record? {
    var record = self
    record.values = [:]
    for (name, value) in values {
      guard let own = names.received(name) else { continue }
      if record.values.updateValue(value, forKey: own) != nil { return nil }
    }
    return record
  }
}

/// Reads a row that is not as it should be, as far as it goes.
private struct LenientRow {
  private let columns: [String: FieldValue]?
  private let names: ColumnNames
  private var id: RecordID?
  private var values: [String: FieldValue] = [:]
  private var system = SystemProperties()
  private var reason: String?
  /// A column that this device does not keep holds an object or an array, or was passed over for its name.
  private(set) var hasNested = false
  /// A column that this device keeps, and whose text no SQLite database keeps whole.
  private var hasNullIn: String?

  init(_ columns: [String: FieldValue]?, _ names: ColumnNames) {
    self.columns = columns
    self.names = names
  }

  struct SetAside: Error {
    let row: UnreadableRow
  }

  var result: Result<Record, SetAside> {
    let reason =
      switch id {
      case nil: "its id is no text"
      case .some(let id) where !id.isValid: "its id is not allowed"
      case .some: self.reason
      }
    if let id, reason == nil { return .success(Record(id: id, values: values, system: system)) }
    return .failure(SetAside(row: UnreadableRow(id: id, reason: reason ?? "", updatedAt: system.updatedAt)))
  }

  mutating func read(_ reader: inout JSONReader) throws(JSONError) {
    // A tombstone's texts are shown nowhere, and its deletion matters.
    defer { if let hasNullIn, !system.deleted { refuse("its \(hasNullIn)") } }
    try reader.beginObject()
    while let sent = try reader.nextName() {
      guard let name = names.received(sent) else {
        _ = try Self.value(&reader)
        hasNested = true
        continue
      }
      switch (name, try Self.value(&reader)) {
      case (SystemColumn.id, let value): id = (value?.text).map { RecordID($0) }
      case (SystemColumn.createdAt, let value): system.createdAt = value?.text.flatMap { Timestamp($0) }
      case (_, nil): meetNested(name)
      case (SystemColumn.updatedAt, .null), (SystemColumn.version, .null), (SystemColumn.deleted, .null): break
      case (SystemColumn.updatedAt, .text(let text)): setTime(Timestamp(text))
      case (SystemColumn.version, .text(let text)): setVersion(RecordVersion(text))
      case (SystemColumn.deleted, .bool(let flag)): system.deleted = flag
      case (SystemColumn.updatedAt, _), (SystemColumn.version, _), (SystemColumn.deleted, _): refuse("its \(name)")
      case (_, .some(let value)):
        if value.hasNullCharacter, columns.map({ $0[name] != nil }) ?? true { hasNullIn = hasNullIn ?? name }
        if values.updateValue(value, forKey: name) != nil { reason = "it has a column twice" }
      }
    }
  }

  private mutating func setTime(_ time: Timestamp?) {
    system.updatedAt = time
    if time == nil { refuse("its \(SystemColumn.updatedAt)") }
  }

  /// It goes back to the server in a header.
  private mutating func setVersion(_ version: RecordVersion) {
    system.version = version
    if !version.isSendable { refuse("its \(SystemColumn.version)") }
  }

  private mutating func meetNested(_ name: String) {
    if SystemColumn.contains(name) || columns?[name] != nil {
      refuse("its \(name)")
    } else {
      hasNested = true
    }
  }

  mutating func refuse(_ what: String) {
    reason = reason ?? "\(what) can't be read"
  }

  /// Nil for an object, an array, a number out of range and a text that is none.
  static func value(_ reader: inout JSONReader) throws(JSONError) -> FieldValue? {
    let start = reader
    do {
      guard reader.next == .object || reader.next == .array else { return try reader.value() }
      try reader.raw()
    } catch {
      guard start.next != .number else {
        if error.reason == .numberOutOfRange { return nil }
        throw error
      }
      guard error.isAboutContent || start.next == .string else { throw error }
      reader = start
      try reader.skipBroken()
    }
    return nil
  }
}
