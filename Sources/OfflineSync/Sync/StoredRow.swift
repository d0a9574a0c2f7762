import TableProtocol

/// Maps a ``TrackedRow`` to the tables of the store: the row, its one or two operations, and its error.
///
/// | value | where it is kept |
/// |---|---|
/// | `local`, `createdAt` | the data table; of a deleted row, `createdAt` is in what was sent or in `base` |
/// | `base` | `base` of the first operation; of a row without one, the row |
/// | `underWay` | the first operation, if it is marked as attempted; `want` is `sent`, or the row itself |
/// | `places` | the ids of the operations |
/// | `attention`, `server` of a conflict | the error of the operation |
enum StoredRow {
  /// Returns the row. `operations` are those of the row, oldest first; `error` is the error of one of them.
  static func decode(
    _ id: RecordID, row: Record?, operations: [TableOperation], error: TableOperationError?
  ) -> TrackedRow {
    var tracked = TrackedRow(id: id, local: row?.values, createdAt: row?.system.createdAt)
    guard let first = operations.first else {
      tracked.base = row.map { .known($0) } ?? .never
      tracked.server = tracked.base
      return tracked
    }
    if row == nil { tracked.createdAt = first.sent?.system.createdAt ?? first.base?.system.createdAt }
    tracked.base = side(of: first)
    tracked.server = tracked.base
    if let want = attempt(first, row) {
      tracked.underWay = want
      tracked.places = Places(underWay: first.id, waiting: operations.dropFirst().first?.id)
    } else {
      tracked.places = Places(waiting: first.id)
    }
    if let error { attend(error, &tracked) }
    return tracked
  }

  private static func attempt(_ operation: TableOperation, _ row: Record?) -> Attempt? {
    guard operation.isMarked else { return nil }
    if operation.kind == .delete { return Attempt(want: nil) }
    return (operation.sent ?? row).map { Attempt(want: $0.values) }
  }

  private static func side(of operation: TableOperation) -> ServerSide {
    if let base = operation.base { return ServerSide(base) }
    // An update without a known copy of the server: every column is sent.
    return operation.kind == .update ? .known(Record(id: operation.itemID)) : .never
  }

  private static func attend(_ error: TableOperationError, _ row: inout TrackedRow) {
    switch error.kind {
    case .refused:
      row.attention = .refused(status: error.status, message: error.message)
    case .conflict where row.underWay == nil:
      row.attention = .conflict(sent: error.sent?.values)
      row.server = ServerSide(error.serverItem)
    case .held where row.underWay == nil:
      row.attention = .held(acknowledged: error.item?.values)
    case .conflict, .held:
      break
    }
  }
}

extension StoredRow {
  /// Returns the operations of a row for the journal. An id of 0 stands for a new operation.
  static func operations(of row: TrackedRow, in table: String) -> [TableOperation] {
    guard let attempt = row.underWay else {
      guard row.waits || row.attention != nil else { return [] }
      return [
        TableOperation(
          id: row.places.waiting ?? 0, table: table, itemID: row.id, kind: kind(row.kind(to: row.local)),
          base: base(of: row))
      ]
    }
    let sent = attempt.want.map {
      Record(id: row.id, values: $0, system: SystemProperties(createdAt: row.createdAt))
    }
    let first = TableOperation(
      id: row.places.underWay ?? 0, table: table, itemID: row.id, kind: kind(row.kind(to: attempt.want)),
      base: base(of: row), isMarked: true, sent: row.waits ? sent : nil)
    guard row.waits else { return [first] }
    let behind: TableOperation.Kind = row.local == nil ? .delete : sent == nil ? .insert : .update
    return [
      first,
      TableOperation(
        id: row.places.waiting ?? 0, table: table, itemID: row.id, kind: behind,
        base: sent ?? .unseenTombstone(row.id)),
    ]
  }

  /// A server of 3.0.0 does not say when a row was made: if the row is deleted here, its base keeps that.
  private static func base(of row: TrackedRow) -> Record? {
    guard var base = row.base.stored(as: row.id) else { return nil }
    if row.local == nil, base.system.createdAt == nil { base.system.createdAt = row.createdAt }
    return base
  }

  private static func kind(_ kind: ChangeKind) -> TableOperation.Kind {
    switch kind {
    case .insert, .revival: .insert
    case .update: .update
    case .delete: .delete
    }
  }

  /// Returns the error of a row's operation; nil if the row needs no attention.
  static func error(of row: TrackedRow, operation: Int64, id: String, in table: String) -> TableOperationError? {
    let local = row.shown
    switch row.attention {
    case nil:
      return nil
    case .refused(let status, let message):
      return TableOperationError(
        id: id, operationID: operation, table: table, itemID: row.id, kind: .refused, status: status,
        message: message, item: local)
    case .conflict(let sent):
      return TableOperationError(
        id: id, operationID: operation, table: table, itemID: row.id, kind: .conflict,
        status: row.server.isLive ? (row.base == .never ? 409 : 412) : 410, item: local, serverItem: row.server.record,
        sent: sent.map { Record(id: row.id, values: $0) })
    case .held(let acknowledged):
      return TableOperationError(
        id: id, operationID: operation, table: table, itemID: row.id, kind: .held, status: 412,
        item: acknowledged.map { Record(id: row.id, values: $0) }, serverItem: row.server.record)
    }
  }
}
