import TableProtocol
import TableStorage

/// Both columns that an alias makes one have values, and not of one kind.
struct AliasOfOtherKind: Error, Hashable {
  /// As `text=title`.
  let alias: String
}

extension HiddenColumns {
  /// Moves the values into the columns that go under the names, in each list in one transaction, and returns how many
  /// items it moved them in. Items that are changed get a new moment and version, as by any write.
  static func move(
    in storage: any TableStorage, under names: ColumnNames, clock: @escaping @Sendable () -> Timestamp
  ) async throws -> [HiddenColumn] {
    var moved: [String: HiddenColumn] = [:]
    for list in try await storage.lists() where list.table == .todoItem {
      let counts = try await storage.write(list) { list in
        let anyColumns = ColumnAllowance(mostInAnHour: .max)
        return try ListTransaction.run(on: list, clock: clock, newColumns: anyColumns) { transaction in
          try list.schema.columns.filter { names.hides($0.name) }.map { column in
            (column.name, try Self.move(column, into: names.own(column.name), transaction))
          }
        }
      }
      for (name, count) in counts where count > 0 {
        moved[name, default: HiddenColumn(column: names.own(name), name: name, items: 0)].items += count
      }
    }
    return moved.values.sorted { $0.name < $1.name }
  }

  private static func move(_ hidden: TableColumn, into name: String, _ transaction: ListTransaction) throws -> Int {
    let list = transaction.list
    let kind = list.schema.index(of: name).map { list.schema.columns[$0].kind } ?? hidden.kind
    var ids: [RecordID] = []
    try list.forEachRow(of: rows(having: hidden.name, includesDeleted: true, list.schema)) { row in
      ids.append(row.id)
      return true
    }
    guard ids.isEmpty || kind == hidden.kind else { throw AliasOfOtherKind(alias: "\(name)=\(hidden.name)") }
    var items = 0
    for id in ids {
      guard var row = try list.row(id) else { continue }
      let values = [
        name: merged(row.values[name] ?? .null, row.values[hidden.name] ?? .null), hidden.name: FieldValue.null,
      ]
      if row.system.deleted {
        // No moment: it comes in no pull, and is no younger for that.
        row.values[hidden.name] = .null
        if list.schema.index(of: name) != nil { row.values[name] = values[name] }
        try list.update(row)
      } else {
        _ = try transaction.update(row, values)
        items += 1
      }
    }
    return items
  }

  /// Both values as one. A client that knows only the other column leaves nothing in this one: null, `false`,
  /// an empty text. Of two texts none is lost; of two numbers this column's stays.
  static func merged(_ own: FieldValue, _ other: FieldValue) -> FieldValue {
    switch (own, other) {
    case (_, .null): own
    case (.null, _), (.bool(false), _), (.text(""), _): other
    case (.text(let own), .text(let other)) where own != other && !other.isEmpty: .text("\(own)\n\(other)")
    case _: own
    }
  }
}
