import TableProtocol

/// What a URL of the table protocol names (table-protocol 2).
enum TableTarget: Hashable, Sendable {
  case collection(ServedTable)
  case item(ServedTable, id: String)

  /// Reads an encoded path without slashes at its end.
  init(path: Substring) throws(RequestError) {
    let segments = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .map { PercentEncoding.decode(Substring($0)) }
    guard (3...4).contains(segments.count), segments[0].isEmpty, segments[1] == "tables" else {
      throw .unknownURL
    }
    guard let table = ServedTable(named: segments[2]) else { throw .unknownTable(segments[2]) }
    guard segments.count == 4 else {
      self = .collection(table)
      return
    }
    guard RecordID.isValid(segments[3]) else { throw .invalidID }
    self = .item(table, id: segments[3])
  }

  /// The path of an item, encoded.
  static func path(of table: ServedTable, id: String) -> String {
    "/tables/\(table.name)/\(PercentEncoding.encodeSegment(id))"
  }

  var table: ServedTable {
    switch self {
    case .collection(let table), .item(let table, _): table
    }
  }
}
