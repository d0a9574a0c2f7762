import TableProtocol

/// The ways the engine changes what rows hold. What they were is remembered in the same transaction.
extension StoreWriter {
  /// Inserts or merges rows. `over` is a copy of the server's that somebody saw, and put another in its place.
  func put(_ records: [Record], in table: String, on occasion: Occasion, over seen: Record? = nil) throws {
    let before = Dictionary(
      try self.records(records.map(\.id), in: table).map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    try put(records, in: table, on: occasion, knowing: before, over: seen)
  }

  /// `before` are the rows that are there.
  func put(
    _ records: [Record], in table: String, on occasion: Occasion, knowing before: [String: Record],
    over seen: Record? = nil
  ) throws {
    try upsert(records, in: table)
    let doubted = records.filter { record in before[record.id].map { !record.isPlain(over: $0) } ?? false }.map(\.id)
    let exact = Dictionary(
      try doubted.isEmpty ? [] : self.records(doubted, in: table).map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    var steps: [RowStep] = []
    steps.reserveCapacity(records.count)
    for record in records {
      let old = before[record.id]
      let after = exact[record.id] ?? old.map { record.written(over: $0) } ?? record
      if let seen, seen.values != old?.values, seen.values != after.values, old?.values != after.values {
        let occasion = occasion.from(.server)
        steps.append(RowStep(old, seen, on: occasion))
        steps.append(RowStep(seen, after, on: occasion.from(.merge)))
      } else {
        steps.append(RowStep(old, after, on: occasion))
      }
    }
    try RowMemory(table: table, store: self).note(steps, on: occasion)
  }

  /// Removes rows; ids that are not there are fine. `at` tells when they were deleted on the server.
  func take(
    _ ids: [String], from table: String, on occasion: Occasion, at times: [String: Timestamp] = [:]
  ) throws {
    let steps = try records(ids, in: table).map { RowStep($0, nil, on: occasion, changedAt: times[$0.id]) }
    try remove(ids, from: table)
    try RowMemory(table: table, store: self).note(steps, on: occasion)
  }
}

extension Record {
  /// True when the columns of the row will hold what this record says, as it says it.
  fileprivate func isPlain(over row: Record) -> Bool {
    values.allSatisfy { name, value in row.values[name].map { value.isAlike($0) } ?? true }
  }

  /// The row with the columns of this record that it has.
  fileprivate func written(over row: Record) -> Record {
    var after = row
    for (name, value) in values where row.values[name] != nil { after.values[name] = value }
    after.system.updatedAt = system.updatedAt ?? row.system.updatedAt
    return after
  }
}

extension FieldValue {
  /// True for two values of one type, of which a column keeps either as it is.
  fileprivate func isAlike(_ other: FieldValue) -> Bool {
    switch (self, other) {
    case (.bool, .bool), (.integer, .integer), (.real, .real), (.text, .text): true
    default: self == other
    }
  }
}
