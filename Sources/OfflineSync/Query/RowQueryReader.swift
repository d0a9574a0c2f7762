package import TableProtocol

/// The part of a store that reads the rows of a list on a screen.
package protocol RowQueryReader {
  /// Calls `body` with each row of the query, one after another, without loading all of them. An error that `body`
  /// throws ends the walk.
  func forEach(_ query: RowQuery, _ body: (Record) throws -> Void) throws
  /// Calls `body` with one column of each row, in no order. Ignores `start` and `limit`, and skips values that are not
  /// texts.
  func forEachText(of column: String, _ query: RowQuery, _ body: (String) throws -> Void) throws
  /// Returns the number of rows from the start of the query on. Ignores `limit`.
  func count(_ query: RowQuery) throws -> Int
  /// Returns false while reading in this order has to sort the whole table.
  func isPrepared(_ index: RowIndex) throws -> Bool
}

extension RowQueryReader {
  package func records(_ query: RowQuery) throws -> [Record] {
    var records: [Record] = []
    try forEach(query) { records.append($0) }
    return records
  }
}

package protocol RowQueryWriter: RowQueryReader {
  /// Creates the index, so that reading in this order costs the same at any place of the table. Reads every row once.
  func prepare(_ index: RowIndex) throws
}
