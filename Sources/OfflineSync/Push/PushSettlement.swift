import TableProtocol

/// Brings the outcome of one request into the store, in the transaction it is given: the row, the
/// operation, what waits behind it, and the error if there is one.
struct PushSettlement {
  let sending: Sending
  /// It was merged with the server's copy, or made new, and sent again in this push.
  let isRepeated: Bool
  let environment: Environment
  let store: any StoreWriter

  private var operation: TableOperation { sending.operation }
  private var queue: TableOperationQueue { TableOperationQueue(store, now: environment.now()) }
  private var occasion: Occasion { .sync(environment.now()) }

  /// True when the operation is settled: done, or recorded as in need of a decision. False when it was
  /// merged with the server's copy and is to be sent again.
  func settle(_ answer: RemoteAnswer, _ report: inout PushReport) throws -> Bool {
    guard try isStillThere() else { return try settleDecided(answer, &report) }
    switch answer {
    case .accepted(let record):
      if let record, record.system.deleted, operation.kind != .delete {
        return try meet(record, status: 410, &report)
      }
      try accept(record, &report)
      return true
    case .conflict(status: 409, nil) where operation.kind == .insert && isRepeated:
      // The id is taken by a row that is not for our eyes.
      report.refused += 1
      try fail(.refused, status: 409, message: "", server: nil)
      return true
    case .gone(let status), .conflict(let status, nil):
      return try meet(nil, status: status, &report)
    case .conflict(let status, let server?):
      return try meet(server, status: status, &report)
    case .refused(let status, let message):
      report.refused += 1
      try fail(.refused, status: status, message: message, server: nil)
      return true
    }
  }

  private func isStillThere() throws -> Bool {
    try store.operations(ofItem: operation.itemID, in: operation.table).contains { $0.id == operation.id }
  }

  /// Somebody dropped the operation while it was under way. What the server made of it is what it has, and the next
  /// pull brings what this answer does not say.
  private func settleDecided(_ answer: RemoteAnswer, _ report: inout PushReport) throws -> Bool {
    guard case .accepted(let record) = answer else { return true }
    report.accepted += 1
    if let record, operation.kind != .delete, try followers().isEmpty {
      try store.put([record], in: operation.table, on: occasion)
    }
    return true
  }

  /// The server's copy is another than the one the change started from; nil where it has none.
  private func meet(_ server: Record?, status: Int, _ report: inout PushReport) throws -> Bool {
    if isFulfilled(by: server) {
      try accept(server, &report)
      return true
    }
    guard let server, !server.system.deleted else { return try meetAbsence(server, status: status, &report) }
    if operation.kind == .insert, operation.base?.system.deleted != true, sending.wasAttempted {
      // Nobody else knows this id: the row is ours, stored by the attempt whose answer was lost, and
      // changed since by somebody who saw it (offline-sync Q5).
      try accept(server, &report)
      return true
    }
    return try rebase(onto: server, status: status, &report)
  }

  /// True when the server's copy is what this operation wanted: its answer was lost the first time
  /// (offline-sync Q5, Q6, Q7).
  private func isFulfilled(by server: Record?) -> Bool {
    guard operation.kind != .delete else { return server?.system.deleted ?? true }
    guard let server, !server.system.deleted else { return false }
    return server.holds(sending.record.values)
  }

  /// The row was deleted there, or is not there at all.
  private func meetAbsence(_ tombstone: Record?, status: Int, _ report: inout PushReport) throws -> Bool {
    if operation.kind == .insert && !mayBeDone(tombstone) {
      // The row was deleted once and is wanted again: it is made live from the state it is in there.
      guard var thawed = try queue.thaw(operation) else { return true }
      thawed.base = tombstone?.withoutValues
      try store.replace(thawed)
      return false
    }
    if operation.kind == .insert, operation.base == nil, tombstone != nil, try followers().isEmpty {
      // Nobody else could have made this row: the first attempt had reached the server, and somebody who
      // saw the row deleted it.
      try accept(nil, &report)
      try store.take([operation.itemID], from: operation.table, on: occasion, at: tombstone?.timeOfDeletion ?? [:])
      return true
    }
    try fail(.conflict, status: status, message: "", server: tombstone)
    report.conflicts += 1
    return true
  }

  /// True when an earlier attempt to make the row may have succeeded before it was deleted there. A tombstone
  /// that is still the one a revival started from says that it did not.
  private func mayBeDone(_ tombstone: Record?) -> Bool {
    guard sending.wasAttempted else { return false }
    guard let base = operation.base, base.system.deleted else { return true }
    return base.system.version != nil && tombstone?.system.version != base.system.version
  }

  /// Puts the change on top of the server's copy. The server did not act on it, so a change that waited
  /// behind it is part of it now.
  private func rebase(onto server: Record, status: Int, _ report: inout PushReport) throws -> Bool {
    guard var thawed = try queue.thaw(operation) else { return true }
    // What a pull kept aside for this row is older than this copy.
    try store.removeShadow(of: operation.itemID, in: operation.table)
    let base = operation.base?.values
    let sent = sending.wasAttempted ? sending.record.values : nil
    if thawed.kind == .delete {
      guard server.holds(base) || server.holds(sent) else { return try clash(thawed, server, status, &report) }
      thawed.base = server
      try store.replace(thawed)
      return false
    }
    let row = try store.record(operation.itemID, in: operation.table) ?? sending.record
    guard case .merged(let values) = RecordMerge.of(base: base, sent: sent, mine: row.values, theirs: server.values)
    else {
      if let base { thawed.base?.values = RecordMerge.ancestor(base: base, sent: sent, mine: row.values) }
      try store.replace(thawed)
      return try clash(thawed, server, status, &report)
    }
    try putMerged(Record(id: row.id, values: values, system: server.system), over: server)
    if values == server.values {
      try queue.remove(thawed)
      report.accepted += 1
      return true
    }
    thawed.kind = .update
    thawed.base = server
    try store.replace(thawed)
    return false
  }

  private func putMerged(_ row: Record, over server: Record) throws {
    let isTheirs = row.values == server.values
    try store.put([row], in: operation.table, on: isTheirs ? occasion : occasion.from(.merge), over: server)
  }

  private func clash(
    _ thawed: TableOperation, _ server: Record, _ status: Int, _ report: inout PushReport
  ) throws -> Bool {
    report.conflicts += 1
    try record(.conflict, of: thawed, status: status, message: "", server: server)
    return true
  }

  private func followers() throws -> [TableOperation] {
    try store.operations(ofItem: operation.itemID, in: operation.table).filter { $0.id > operation.id }
  }

  /// The server has it. A newer change of the row keeps its columns and starts from the server's new
  /// version (offline-sync Q3, Q4); otherwise the row becomes what the server stored.
  private func accept(_ record: Record?, _ report: inout PushReport) throws {
    report.accepted += 1
    try queue.remove(operation)
    try store.removeShadow(of: operation.itemID, in: operation.table)
    guard var follower = try followers().first else {
      if let record, operation.kind != .delete { try store.put([record], in: operation.table, on: occasion) }
      return
    }
    follower.base = operation.kind == .delete ? record ?? operation.base?.asTombstone : record
    if follower.kind == .insert, follower.base?.system.deleted != true { follower.base = nil }
    try store.replace(follower)
    guard let record else { return }
    if follower.kind == .update, let row = try store.record(operation.itemID, in: operation.table) {
      try takeOver(record, under: row, follower)
    } else if operation.kind == .delete, follower.kind == .insert {
      try revive(follower, from: record)
    } else if follower.kind == .delete, !record.holds(sending.record.values) {
      // Somebody changed the row before this device deleted it, and the deletion has not seen that.
      try self.record(.conflict, of: follower, status: 409, message: "", server: record)
    }
  }

  /// A row that is added again after its deletion takes along what others had changed before it was deleted. Where
  /// the two do not fit together it lives again as it is here.
  private func revive(_ revival: TableOperation, from tombstone: Record) throws {
    guard let row = try store.record(operation.itemID, in: operation.table) else { return }
    switch RecordMerge.of(base: sending.record.values, mine: row.values, theirs: tombstone.values) {
    case .merged(let values):
      try putMerged(Record(id: row.id, values: values), over: tombstone)
    case .clash:
      var waiting = revival
      waiting.base = tombstone.withoutValues
      try store.replace(waiting)
    }
  }

  /// Brings what others changed on the server since into a row that was changed again here.
  private func takeOver(_ server: Record, under row: Record, _ follower: TableOperation) throws {
    let sent = sending.record.values
    switch RecordMerge.of(base: sent, mine: row.values, theirs: server.values) {
    case .merged(let values):
      try putMerged(Record(id: row.id, values: values, system: server.system), over: server)
    case .clash:
      var waiting = follower
      waiting.base = Record(id: row.id, values: sent, system: server.system)
      try store.replace(waiting)
      try self.record(.conflict, of: waiting, status: 409, message: "", server: server)
    }
  }

  /// The server did not act: the operation may change again, and what waited behind it joins it. A copy the
  /// answer brought is newer than what a pull kept aside.
  private func fail(_ kind: TableOperationError.Kind, status: Int, message: String, server: Record?) throws {
    guard let thawed = try queue.thaw(operation) else { return }
    if kind == .conflict { try store.removeShadow(of: operation.itemID, in: operation.table) }
    try record(kind, of: thawed, status: status, message: message, server: server)
  }

  private func record(
    _ kind: TableOperationError.Kind, of operation: TableOperation, status: Int, message: String, server: Record?
  ) throws {
    let item =
      operation.kind == .delete ? nil : try store.record(operation.itemID, in: operation.table) ?? sending.record
    try store.save(
      TableOperationError(
        id: environment.newID(), operationID: operation.id, table: operation.table, itemID: operation.itemID,
        kind: kind, status: status, message: message, item: item, serverItem: server))
  }
}

extension Record {
  /// True when these columns are so; there may be others, of which this device knows nothing.
  fileprivate func holds(_ columns: [String: FieldValue]?) -> Bool {
    columns?.allSatisfy { name, value in values[name] == value } ?? false
  }

  /// What the server is known to have after it accepted a delete without saying more.
  fileprivate var asTombstone: Record {
    var copy = self
    copy.system.deleted = true
    copy.system.version = nil
    return copy
  }
}
