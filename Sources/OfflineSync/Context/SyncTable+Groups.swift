package import TableProtocol

/// Changes of several rows in one transaction, which are one step to the user: undone and done again together.
extension SyncTable {
  /// Adds rows under new ids and gives them back. Each is older than the next by a millisecond, and the last is of
  /// now, so that they keep their order. `also` is done in the same transaction.
  package func insert(
    _ rows: [[String: FieldValue]], also: (any StoreWriter) throws -> Void = { _ in }
  ) throws -> [Record] {
    let now = environment.now()
    let records = rows.enumerated().map { index, values in
      Record(
        id: environment.newID(), values: values,
        system: SystemProperties(createdAt: now.advanced(byMilliseconds: Int64(index + 1 - rows.count))))
    }
    try group { edits in
      try also(edits.store)
      return try records.map { try edits.insert($0, under: .new, oneOfMany: rows.count > 100) }
    }
    return records
  }

  /// Changes some columns of each of the rows that are still there. Returns how many it changed.
  @discardableResult
  package func update(_ ids: [String], _ values: (Record) -> [String: FieldValue]) throws -> Int {
    try group { edits in
      try ids.compactMap { id in
        guard let row = try edits.store.record(id, in: name) else { return nil }
        return try edits.update(row, values(row))
      }
    }
  }

  /// Removes those of the rows that are still there. Returns how many it removed.
  @discardableResult
  package func delete(_ ids: [String]) throws -> Int {
    try group { edits in
      try ids.compactMap { id in try edits.store.record(id, in: name).map { try edits.delete($0) } }
    }
  }

  @discardableResult
  private func group(_ change: (RowEdits) throws -> [RowChange]) throws -> Int {
    try store.write { store in
      let changes = try change(edits(in: store))
      try store.remember(changes)
      return changes.count
    }
  }
}
