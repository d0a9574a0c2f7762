import TableProtocol

/// One statement and its arguments, `$1`, `$2`… in its text.
struct PostgreSQLStatement {
  let sql: String
  let arguments: [PostgreSQLValue]

  init(_ sql: String, _ arguments: [PostgreSQLValue] = []) {
    self.sql = sql
    self.arguments = arguments
  }
}

/// An argument in the form that PostgreSQL reads it in: a text for everything but bytes.
///
/// A text ends before U+0000, which PostgreSQL can't hold: so SQLite binds it, and an item never has one (wire 5).
enum PostgreSQLValue {
  case null
  case text(String)
  case bytes([UInt8])

  static func integer(_ value: Int64) -> PostgreSQLValue { .text(String(value)) }
  static func integer(_ value: Int) -> PostgreSQLValue { .text(String(value)) }
  static func bool(_ value: Bool) -> PostgreSQLValue { .text(value ? "t" : "f") }
  static func optional(_ text: String?) -> PostgreSQLValue { text.map(PostgreSQLValue.text) ?? .null }
  static func moment(_ moment: Timestamp?) -> PostgreSQLValue { moment.map { .integer($0.milliseconds) } ?? .null }

  /// As one argument that `unnest` makes rows of.
  static func array(_ values: [String?]) -> PostgreSQLValue {
    var bytes: [UInt8] = [UInt8(ascii: "{")]
    for (index, value) in values.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      guard let value else {
        bytes += Array("NULL".utf8)
        continue
      }
      bytes.append(UInt8(ascii: "\""))
      for byte in value.utf8.prefix(while: { $0 != 0 }) {
        if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { bytes.append(UInt8(ascii: "\\")) }
        bytes.append(byte)
      }
      bytes.append(UInt8(ascii: "\""))
    }
    bytes.append(UInt8(ascii: "}"))
    return .text(String(decoding: bytes, as: UTF8.self))
  }

  init(_ value: FieldValue) {
    switch value {
    case .null: self = .null
    case .bool(let bool): self = .bool(bool)
    case .integer(let integer): self = .integer(integer)
    case .real(let real): self = .text(real.isFinite ? String(real) : "NaN")
    case .text(let text): self = .text(text)
    }
  }
}

/// The rows that a statement gave.
final class PostgreSQLRows {
  private let result: PostgreSQLResult

  init(_ result: PostgreSQLResult) { self.result = result }

  static var none: PostgreSQLRows { PostgreSQLRows(PostgreSQLResult(nil)) }

  var count: Int { result.count }
  var isEmpty: Bool { count == 0 }

  /// Those of the first column that are texts.
  var texts: [String] { (0..<count).compactMap { text($0, 0) } }

  func isNull(_ row: Int, _ column: Int) -> Bool { result.bytes(row, column) == nil }

  func utf8(_ row: Int, _ column: Int) -> UnsafeBufferPointer<UInt8>? { result.bytes(row, column) }

  func text(_ row: Int, _ column: Int) -> String? {
    result.bytes(row, column).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Nil unless it is a whole number.
  func integer(_ row: Int, _ column: Int) -> Int64? {
    guard let bytes = result.bytes(row, column), let first = bytes.first else { return nil }
    let isNegative = first == UInt8(ascii: "-")
    var value: Int64 = 0
    for byte in isNegative ? bytes.dropFirst() : bytes[...] {
      guard byte.isDigit else { return nil }
      let (tenfold, isTooLarge) = value.multipliedReportingOverflow(by: 10)
      let digit = Int64(byte - UInt8(ascii: "0"))
      let (sum, isTooFar) =
        isNegative ? tenfold.subtractingReportingOverflow(digit) : tenfold.addingReportingOverflow(digit)
      guard !isTooLarge, !isTooFar else { return nil }
      value = sum
    }
    return value
  }

  func bool(_ row: Int, _ column: Int) -> Bool? { result.bytes(row, column)?.first.map { $0 == UInt8(ascii: "t") } }

  func moment(_ row: Int, _ column: Int) -> Timestamp? { integer(row, column).map(Timestamp.init(milliseconds:)) }

  /// The bytes of a `bytea` column, which comes as `\x` and two digits a byte.
  func bytes(_ row: Int, _ column: Int) -> [UInt8]? {
    guard let digits = result.bytes(row, column), digits.count >= 2, digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 2 - 1)
    for place in stride(from: 2, to: digits.count, by: 2) {
      guard let high = digits[place].hexadecimalValue, let low = digits[place + 1].hexadecimalValue else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }
}

extension Duration {
  /// Whole ones.
  var milliseconds: Int64 { components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000 }
}
