import TableProtocol

/// What a URL of the table protocol names (table-protocol 2).
enum TableTarget: Hashable, Sendable {
  case collection(ServedTable)
  case item(ServedTable, id: RecordID)

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
    let id = RecordID(segments[3])
    guard id.isValid else { throw .invalidID }
    self = .item(table, id: id)
  }

  /// The path of an item, encoded.
  static func path(of table: ServedTable, id: RecordID) -> String {
    "/tables/\(table.name)/\(PercentEncoding.encodeSegment(id.text))"
  }

  var table: ServedTable {
    switch self {
    case .collection(let table), .item(let table, _): table
    }
  }
}
