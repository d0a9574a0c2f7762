extension Record {
  /// Reads one item, which is the whole of a body.
  package init(json bytes: [UInt8]) throws(JSONError) {
    var reader = try JSONReader(bytes)
    try self.init(from: &reader)
    try reader.end()
  }

  /// Reads one item of many: a flat object. The names of its members say which belong to the server. Throws if it is
  /// not an object, has no valid id, a nested value, a column twice, or a timestamp that can't be read. A null or
  /// absent `deleted` means false; other absent columns are absent.
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

extension Record {
  /// Returns what ``write(to:select:)`` writes.
  package func json(select: Set<String>? = nil) -> [UInt8] {
    var writer = JSONWriter()
    write(to: &writer, select: select)
    return writer.bytes
  }

  /// Writes the item as servers send it and stores keep it (wire 5): `id`, the user's columns in the order of their
  /// names, then the other system properties. Of these, an absent one is left out, except `deleted`.
  ///
  /// - select: The only columns to write; nil for all.
  package func write(to writer: inout JSONWriter, select: Set<String>? = nil) {
    var isFirst = true
    func begin(_ name: String) -> Bool {
      guard select?.contains(name) != false else { return false }
      writer.member(name, isFirst: isFirst)
      isFirst = false
      return true
    }
    writer.raw("{")
    if begin(SystemColumn.id) { writer.string(id.text) }
    for (name, value) in values.sorted(by: { $0.key < $1.key }) where begin(name) { writer.value(value) }
    if let time = system.createdAt, begin(SystemColumn.createdAt) { writer.timestamp(time) }
    if let time = system.updatedAt, begin(SystemColumn.updatedAt) { writer.timestamp(time) }
    if let version = system.version, begin(SystemColumn.version) { writer.string(version.text) }
    if begin(SystemColumn.deleted) { writer.raw(system.deleted ? "true" : "false") }
    writer.raw("}")
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
