import TableProtocol

/// A row of the simulated server.
struct ServerRow: Sendable, Hashable {
  let id: String
  var values: [String: FieldValue]
  /// Microseconds since 1970: finer than the wire shows.
  var created: Int64
  var updated: Int64
  /// Rises with every write to the server.
  var version: Int
  var deleted = false

  /// As it goes over the wire: the time is cut to milliseconds.
  var record: Record {
    Record(
      id: id, values: values,
      system: SystemProperties(
        createdAt: Timestamp(milliseconds: created / 1_000), updatedAt: Timestamp(milliseconds: updated / 1_000),
        version: VersionNumber.version(version), deleted: deleted))
  }
}

/// The server's versions are numbers, which lets the laws see which of two is later. The program under
/// test takes them for opaque.
enum VersionNumber {
  static func version(_ number: Int) -> RecordVersion { RecordVersion("v\(number)") }
  static func number(_ version: RecordVersion?) -> Int? { version.flatMap { Int($0.text.dropFirst()) } }
}

/// Who wrote a row.
package enum Party: Sendable, Hashable {
  case device(Int)
  case other
}
