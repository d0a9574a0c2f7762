import OfflineSync
import TableProtocol

/// Which rows a device keeps, and how it pulls them.
package enum Extent: Sendable, Hashable, CaseIterable {
  case all
  /// All rows, all compared each time.
  case allCompared
  /// Rows that are not completed.
  case open
  /// The same, under the name under which other devices keep all rows (P12).
  case openAsAll

  var isPartial: Bool { self == .open || self == .openAsAll }

  var query: PullQuery {
    switch self {
    case .all: SimulatedTable.query
    case .allCompared: PullQuery(table: SimulatedTable.name, queryID: nil)
    case .open: PullQuery(TableQuery(table: SimulatedTable.name, filter: Self.isOpen), queryID: "open")
    case .openAsAll:
      PullQuery(TableQuery(table: SimulatedTable.name, filter: Self.isOpen), queryID: SimulatedTable.queryID)
    }
  }

  /// True when a pull brings a row with these values.
  func holds(_ values: [String: FieldValue]) -> Bool {
    !isPartial || values[SimulatedTable.complete]?.bool == false
  }

  private static let isOpen = Filter.compare(SimulatedTable.complete, .equal, .bool(false))
}
