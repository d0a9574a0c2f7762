import HTTPTypes
package import TableProtocol
import TableStorage

/// Which tables clients may use, and under which names their columns (wire 2).
package struct TablePolicy: Hashable, Sendable {
  package enum Tables: String, CaseIterable, Sendable {
    /// The table of to-do items and no other.
    case fixed
    /// Any: the first insert makes it.
    case open
  }

  package var tables: Tables
  /// Tables that one user may have; that of to-do items is always there. Each takes room for good.
  package var mostTables = 50

  /// Names that clients made for other servers have for the columns of to-do items.
  package var aliases = ColumnNames.none

  package init(_ tables: Tables = .fixed) { self.tables = tables }

  /// The names under which a request about the table may have columns.
  func names(of table: ServedTable) -> ColumnNames { table == .todoItem ? aliases : .none }

  /// The names under which the answer to a request has them. Clients of this server ask for the own ones.
  func answeredNames(of table: ServedTable, _ headers: HTTPFields) -> ColumnNames {
    headers[.columns]?.lowercased() == "own" ? .none : names(of: table)
  }

  func table(named name: String) throws(RequestError) -> ServedTable {
    let table = ServedTable(named: name)
    switch tables {
    case .fixed:
      guard table == .todoItem else { throw .table(.unknown(name)) }
      return .todoItem
    case .open:
      guard let table else { throw .table(.invalidName(name)) }
      return table
    }
  }

  /// Throws if the list would be one table too many.
  func checkRoom(for list: any EditableList) throws {
    guard list.isNew, list.id.table != .todoItem, try list.otherListsOfOwner() >= mostTables else { return }
    throw RequestError.table(.tooMany(mostTables))
  }
}
