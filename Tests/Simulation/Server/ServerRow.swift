import TableProtocol

/// A row of the simulated server.
struct ServerRow: Sendable, Hashable {
  let id: RecordID
  var values: [String: FieldValue]
  /// Microseconds since 1970: finer than the wire shows.
  var created: Int64
  var updated: Int64
  /// Rises with every write to the server.
  var version = VersionNumber.none
  var deleted = false

  init(id: RecordID, values: [String: FieldValue], created: Int64, updated: Int64) {
    self.id = id
    self.values = values
    self.created = created
    self.updated = updated
  }

  /// As our server keeps it: one without a colour has none.
  init(_ record: Record) {
    let values = record.values.filter { $0.key != SimulatedTable.color || $0.value != .null }
    self.init(
      id: record.id, values: values, created: (record.system.createdAt ?? .epoch).milliseconds * 1_000,
      updated: (record.system.updatedAt ?? .epoch).milliseconds * 1_000)
    deleted = record.system.deleted
  }

  /// As it goes over the wire: the time is cut to milliseconds.
  var record: Record {
    Record(
      id: id, values: values,
      system: SystemProperties(
        createdAt: Timestamp(milliseconds: created / 1_000), updatedAt: Timestamp(milliseconds: updated / 1_000),
        version: version.version, deleted: deleted))
  }
}

/// The server's versions are numbers, which lets the laws see which of two is later. The program under
/// test takes them for opaque.
struct VersionNumber: Sendable, Hashable {
  static let none = VersionNumber(home: .first, number: 0)

  let home: Home
  let number: Int

  init(home: Home, number: Int) {
    self.home = home
    self.number = number
  }

  /// Nil for a version of another server.
  init?(_ version: RecordVersion?, of home: Home) {
    guard let text = version?.text, text.first == home.letter, let number = Int(text.dropFirst()) else { return nil }
    self.init(home: home, number: number)
  }

  var version: RecordVersion { RecordVersion("\(home.letter)\(number)") }
}

/// Whose list a device keeps.
enum Home: Int, Sendable, Hashable, CaseIterable {
  case first, second

  fileprivate var letter: Character { self == .first ? "v" : "x" }
}

/// Who wrote a row.
package enum Party: Sendable, Hashable {
  case device(Int)
  case other
}
