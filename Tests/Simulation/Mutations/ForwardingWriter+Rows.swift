import OfflineSync
import TableProtocol

/// What a list on a screen asks: passed on as it is.
extension ForwardingWriter {
  func forEach(_ query: RowQuery, _ body: (Record) throws -> Void) throws { try base.forEach(query, body) }
  func forEachText(of column: String, _ query: RowQuery, _ body: (String) throws -> Void) throws {
    try base.forEachText(of: column, query, body)
  }
  func count(_ query: RowQuery) throws -> Int { try base.count(query) }
  func isPrepared(_ index: RowIndex) throws -> Bool { try base.isPrepared(index) }
  func prepare(_ index: RowIndex) throws { try base.prepare(index) }
}
