import TableProtocol

/// A 64-bit hash of everything in a row, stored beside it: a row whose content has another hash was damaged.
///
/// It is made of the values as a database stores them, so that it can be made of a stored row as well as of one that is
/// to be stored. A column that is null adds nothing: a row keeps its hash when the table gets a new column.
struct RowDigest {
  /// Clients can't have a property of this name: it has a hyphen.
  static let column = "row-digest"

  private var hash = ByteHash()

  init() {}

  /// As a database stores it.
  var value: Int64 { Int64(bitPattern: hash.value) }

  /// The digest of a row that will be stored.
  init(_ record: Record, _ columns: [TableColumn]) {
    let system = record.system
    add(record.id.text)
    add(system.version?.text ?? "")
    for number in [system.createdAt?.milliseconds, system.updatedAt?.milliseconds, system.deleted ? 1 : 0] {
      add(number ?? 0)
    }
    for column in columns {
      guard let value = record.values[column.name], value != .null else { continue }
      add(column.name)
      add(value)
    }
  }

  private mutating func add(_ value: FieldValue) {
    switch value {
    case .null: hash.combine(byte: 0)
    case .bool(let bool): add(Int64(bool ? 1 : 0))
    case .integer(let integer): add(integer)
    case .real(let real): add(real)
    case .text(let text): add(text)
    }
  }

  mutating func add(_ text: String) {
    var text = text
    text.withUTF8 { add($0) }
  }

  mutating func add(_ text: UnsafeBufferPointer<UInt8>) {
    hash.combine(byte: 1)
    hash.combine(UInt64(text.count))
    hash.combine(text)
  }

  mutating func add(_ integer: Int64) {
    hash.combine(byte: 2)
    hash.combine(UInt64(bitPattern: integer))
  }

  /// A storage keeps a whole number as an integer in a column for numbers, whatever it was given.
  mutating func add(_ real: Double) {
    if let integer = Int64(exactly: real) { return add(integer) }
    hash.combine(byte: 3)
    hash.combine(real.bitPattern)
  }

  mutating func addNull() { hash.combine(byte: 0) }
}
