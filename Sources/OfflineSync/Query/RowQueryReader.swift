package import TableProtocol

/// The part of a store that answers a list on a screen.
package protocol RowQueryReader {
  /// Goes through the rows that are asked for, one after another, without holding them all. What `body` throws ends it.
  func forEach(_ query: RowQuery, _ body: (Record) throws -> Void) throws
  /// Goes through one column of those rows, in no order; `start` and `limit` play no part. A value that is no text is
  /// passed over.
  func forEachText(of column: String, _ query: RowQuery, _ body: (String) throws -> Void) throws
  /// How many rows there are from where the query starts; `limit` plays no part.
  func count(_ query: RowQuery) throws -> Int
  /// False while reading in this order means to sort the whole table.
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
  /// Makes reading in this order cost the same at any place of the table, from now on. Looks at every row once.
  func prepare(_ index: RowIndex) throws
}
