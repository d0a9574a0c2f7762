import TableProtocol

/// Brings the outcomes of some requests into the store, in the transaction it is given.
///
/// Nearly all of them are plain: accepted, with no newer change behind. Those go together.
struct PartSettlement {
  typealias Outcome = (sending: Sending, outcome: Result<RemoteAnswer, RemoteFailure>)

  let environment: Environment
  /// Operations that were sent before in this push.
  let repeated: Set<Int64>
  let store: any StoreWriter

  /// Returns the operations that are to be sent again.
  func settle(_ part: [Outcome], _ report: inout PushReport) throws -> [Int64] {
    var open: [Int64] = []
    for (table, part) in Dictionary(grouping: part, by: \.sending.operation.table) {
      // One that is not there any more was decided about while it was under way.
      let sole = try store.soleOperations(ofItems: part.map(\.sending.operation.itemID), in: table)
      let plain = part.filter { sending, outcome in
        sole[sending.operation.itemID] == sending.operation.id && outcome.isPlain(for: sending)
      }
      try accept(plain, in: table, &report)
      let done = Set(plain.map(\.sending.operation.id))
      for (sending, outcome) in part where !done.contains(sending.operation.id) {
        if try !settle(sending, outcome, &report) { open.append(sending.operation.id) }
      }
    }
    return open
  }

  /// The server has these, and nothing waits behind them: the rows become what it stored.
  private func accept(_ part: [Outcome], in table: String, _ report: inout PushReport) throws {
    report.accepted += part.count
    try store.removeOperations(part.map(\.sending.operation.id))
    let errors = Set(try store.operationErrors().map(\.operationID))
    for (sending, _) in part where errors.contains(sending.operation.id) {
      try store.removeError(of: sending.operation.id)
    }
    if try store.hasShadows(in: table) {
      for (sending, _) in part { try store.removeShadow(of: sending.operation.itemID, in: table) }
    }
    let stored = part.filter { $0.sending.operation.kind != .delete }
    try store.upsert(stored.filter(Self.isAsSent).compactMap(\.outcome.acceptedRecord), in: table)
    let others = stored.filter { !Self.isAsSent($0) }.compactMap(\.outcome.acceptedRecord)
    if !others.isEmpty { try store.put(others, in: table, on: .sync(environment.now())) }
  }

  /// True when the row here holds what was sent, and the server stored just that.
  private static func isAsSent(_ part: Outcome) -> Bool {
    guard let record = part.outcome.acceptedRecord, part.sending.operation.sent == nil else { return false }
    return record.values.allSatisfy { name, value in part.sending.record.values[name] ?? value == value }
  }

  /// True when the operation is settled, false when it is to be sent again.
  private func settle(
    _ sending: Sending, _ outcome: Result<RemoteAnswer, RemoteFailure>, _ report: inout PushReport
  ) throws -> Bool {
    switch outcome {
    case .success(let answer):
      return try PushSettlement(
        sending: sending, isRepeated: repeated.contains(sending.operation.id), environment: environment, store: store
      ).settle(answer, &report)
    case .failure(let failure):
      // An earlier attempt may still have reached the server, whatever is known of this one.
      if !failure.mayHaveActed && !sending.wasAttempted {
        try TableOperationQueue(store, now: environment.now()).thaw(sending.operation)
      }
      return false
    }
  }
}

extension Result where Success == RemoteAnswer, Failure == RemoteFailure {
  fileprivate var acceptedRecord: Record? {
    if case .success(.accepted(let record)) = self { record } else { nil }
  }

  /// Accepted, and not by a row that was deleted there meanwhile.
  fileprivate func isPlain(for sending: Sending) -> Bool {
    guard case .success(.accepted(let record)) = self else { return false }
    return sending.operation.kind == .delete || record?.system.deleted != true
  }
}
