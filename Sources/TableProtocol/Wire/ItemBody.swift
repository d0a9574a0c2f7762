/// One item as a server writes it: every column, the server's own last (table-protocol 5).
package struct ItemBody {
  private var writer: JSONWriter
  private var isFirst = true
  /// The only columns to write; nil is all.
  private let select: Set<String>?

  private init(_ writer: JSONWriter, select: Set<String>?) {
    self.writer = writer
    self.select = select
  }

  package static func bytes(_ record: Record, select: Set<String>? = nil) -> [UInt8] {
    var body = ItemBody(JSONWriter(), select: select)
    body.write(record)
    return body.writer.bytes
  }

  /// The user's columns go in the order of their names. A system property that is absent is left
  /// out, save `deleted`, which is always there.
  private mutating func write(_ record: Record) {
    writer.raw("{")
    member(SystemColumn.id, .text(record.id.text))
    for (name, value) in record.values.sorted(by: { $0.key < $1.key }) { member(name, value) }
    member(SystemColumn.createdAt, record.system.createdAt.map { .text($0.text) })
    member(SystemColumn.updatedAt, record.system.updatedAt.map { .text($0.text) })
    member(SystemColumn.version, record.system.version.map { .text($0.text) })
    member(SystemColumn.deleted, .bool(record.system.deleted))
    writer.raw("}")
  }

  private mutating func member(_ name: String, _ value: FieldValue?) {
    guard let value, select?.contains(name) != false else { return }
    writer.member(name, isFirst: isFirst)
    writer.value(value)
    isFirst = false
  }
}
