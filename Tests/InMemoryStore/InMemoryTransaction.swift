import OfflineSync
import TableProtocol
import TableSQL

/// What can be done inside one transaction of the in-memory store. It must not outlive the transaction.
final class InMemoryTransaction {
  var state: InMemoryState {
    didSet { isChanged = true }
  }
  private(set) var isChanged = false
  /// The largest number of records that one call returned.
  private(set) var mostRecords = 0

  init(_ state: InMemoryState) {
    self.state = state
  }

  func shape(_ table: String) throws -> InMemoryTable {
    guard let shape = state.tables[table] else {
      throw StoreError.failed(path: "", reason: "there is no table \(table)")
    }
    return shape
  }
}

extension InMemoryTransaction: StoreWriter {
  func records(_ ids: [RecordID], in table: String) throws -> [Record] {
    _ = try shape(table)
    // The port promises no order, so no rule may rely on that of the ids.
    let records = ids.reversed().compactMap { state.rows[table]?[$0] }
    mostRecords = max(mostRecords, records.count)
    return records
  }

  func versions(of ids: [RecordID], in table: String) throws -> [RecordID: RecordVersion?] {
    Dictionary(try records(ids, in: table).map { ($0.id, $0.system.version) }) { first, _ in first }
  }

  func records(_ query: TableQuery) throws -> (records: [Record], totalCount: Int?) {
    let shape = try shape(query.table)
    let all = state.rows[query.table, default: [:]].values
    var records = try QueryEvaluation(query, kind: shape.kind).page(of: all)
    mostRecords = max(mostRecords, records.count)
    if !query.select.isEmpty {
      if let unknown = query.select.first(where: { shape.kind(of: $0) == nil }) {
        throw QueryError.unknownColumn(unknown)
      }
      let wanted = Set(query.select)
      for index in records.indices {
        records[index].values = records[index].values.filter { wanted.contains($0.key) }
      }
    }
    return (records, query.includesTotalCount ? try totalCount(query) : nil)
  }

  func ids(beginning prefix: String, in table: String) throws -> [RecordID] {
    _ = try shape(table)
    return state.rows[table, default: [:]].keys.filter { $0.text.utf8.starts(with: prefix.utf8) }.sorted()
  }

  private func totalCount(_ query: TableQuery) throws -> Int {
    let shape = try shape(query.table)
    return try QueryEvaluation(query, kind: shape.kind).matching(state.rows[query.table, default: [:]].values).count
  }

  func digest(of table: String) throws -> TableDigest {
    _ = try shape(table)
    var digest = TableDigest()
    for row in state.rows[table, default: [:]].values where !row.system.deleted {
      if let version = row.system.version { digest.add(row.id, version) }
    }
    return digest
  }

  func upsert(_ records: [Record], in table: String) throws {
    let shape = try shape(table)
    for record in records {
      let id = record.id
      state.rows[table, default: [:]][id] = shape.merged(record, into: state.rows[table]?[id])
    }
  }

  func remove(_ ids: [RecordID], from table: String) throws {
    _ = try shape(table)
    for id in ids {
      state.rows[table]?[id] = nil
    }
  }
}
