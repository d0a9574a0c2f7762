import InMemoryStore
import OfflineSync
import TableProtocol
import TableSQL

/// The one table of every world: two columns of words, and one that is true or false.
enum SimulatedTable {
  static let name = "TodoItem"
  static let queryID = "all"
  static let query = PullQuery(table: name, queryID: queryID)
  static let complete = "complete"
  /// A column that only another client knows.
  static let color = "color"

  static let local = InMemoryTable(
    name,
    columns: Column.allCases.map { InMemoryTable.Column($0.rawValue, .text, fallback: .text("")) }
      + [InMemoryTable.Column(complete, .bool, fallback: .bool(false))])

  static func kind(of column: String) -> SQLColumn.Kind? {
    switch column {
    case SystemColumn.id, SystemColumn.version: .text
    case SystemColumn.createdAt, SystemColumn.updatedAt: .timestampText
    case SystemColumn.deleted, complete: .bool
    default: Column(rawValue: column) == nil ? nil : .text
    }
  }

  /// Items from 1,000 on are those of edges; some of them have ids in upper case.
  static func id(_ item: Int) -> RecordID {
    RecordID(item >= 1_000 && item.isMultiple(of: 2) ? "ITEM\(item)" : "item\(item)")
  }

  /// Four words that nobody else writes.
  static func words(_ serial: Int, _ column: Column) -> String {
    (1...4).map { "w\(serial)\(column.rawValue.prefix(1))\($0)" }.joined(separator: " ")
  }

  static func newRow(_ item: Int, serial: Int) -> Record {
    var values: [String: FieldValue] = [complete: .bool(false)]
    for column in Column.allCases { values[column.rawValue] = .text(words(serial, column)) }
    return Record(id: id(item), values: values)
  }
}

extension [String: FieldValue] {
  /// Without the columns that devices do not know.
  var known: [String: FieldValue] { filter { $0.key != SimulatedTable.color } }

  var isComplete: Bool { self[SimulatedTable.complete]?.bool == true }

  /// The words of all columns.
  var words: Set<String> {
    Set(Column.allCases.flatMap { words(of: $0) })
  }

  func words(of column: Column) -> [String] {
    (self[column.rawValue]?.text ?? "").split(separator: " ").map(String.init)
  }
}
