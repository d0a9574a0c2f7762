import OfflineSync
import Synchronization
import TableProtocol

/// Rules of pushing, broken.
extension Breakage {
  /// Does not remember that a change was sent before its outcome was known (Q10).
  static let forgetsAttempts = Breakage(
    "drops the attempted mark", store: { ForwardingStore(base: $0) { AttemptlessWriter($0) } })

  /// Goes on from the version an edit had before the one that was just accepted (Q3).
  static let keepsOldVersion = Breakage(
    "keeps the old version after success", store: { ForwardingStore(base: $0) { OldBaseWriter($0) } })

  /// Writes the answer over an edit that was made meanwhile (Q4).
  static let overwritesNewerEdits = Breakage(
    "overwrites a newer edit with the answer",
    store: { ForwardingStore(base: $0) { OverwritingWriter($0) } })

  /// Takes the body of a 409 for the stored row, which on one server is what was sent (Q5).
  static let trustsEchoes = Breakage(
    "takes an echo for the server's row",
    remote: { base in
      var remote = ForwardingRemote(base: base)
      remote.answer = { change, answer in
        guard case .insert(_, let record) = change, case .conflict(409, _) = answer else { return answer }
        return .accepted(record)
      }
      return remote
    })

  /// Takes it for a mistake that what it deletes is gone (Q7).
  static let refusesGone = Breakage(
    "takes 404 and 410 to a delete for an error",
    remote: { base in
      var remote = ForwardingRemote(base: base)
      remote.answer = { change, answer in
        guard case .delete = change, case .gone(let status) = answer else { return answer }
        return .refused(status: status, message: "gone")
      }
      return remote
    })

  /// Sends changes without saying which version they are of.
  static let sendsBlindly = Breakage(
    "sends no If-Match",
    remote: { base in
      var remote = ForwardingRemote(base: base)
      remote.change = { change in
        switch change {
        case .insert: change
        case .update(let table, let whole, let changed, _):
          .update(table: table, whole: whole, changed: changed, base: nil)
        case .undelete(let table, let whole, let changed, _):
          .undelete(table: table, whole: whole, changed: changed, base: nil)
        case .delete(let table, let id, _): .delete(table: table, id: id, base: nil)
        }
      }
      return remote
    })

  /// Takes a conflict for a success, and what was sent for stored (Q8).
  static let ignoresConflicts = Breakage(
    "takes 412 for success",
    remote: { base in
      var remote = ForwardingRemote(base: base)
      remote.answer = { change, answer in
        guard case .conflict(412, var row?) = answer else { return answer }
        if let sent = change.record { row.values = sent.values } else { row.system.deleted = true }
        return .accepted(row)
      }
      return remote
    })

  /// Takes a lost answer for a request that was never sent.
  static let takesLostForUnsent = Breakage(
    "takes a lost answer for a request that never left", remote: { HopefulRemote(base: $0) })
}

private final class AttemptlessWriter: ForwardingWriter {
  override func mark(_ operations: [Int64]) throws {}

  override func replace(_ operation: TableOperation) throws {
    var operation = operation
    operation.isMarked = false
    operation.sent = nil
    try super.replace(operation)
  }
}

private final class OldBaseWriter: ForwardingWriter {
  override func replace(_ operation: TableOperation) throws {
    var operation = operation
    let stored = try operations(ofItems: [operation.itemID], in: operation.table).first { $0.id == operation.id }
    operation.base = stored?.base
    try super.replace(operation)
  }
}

/// Stores what was sent where the engine puts a newer edit of the row on top of the answer.
private final class OverwritingWriter: ForwardingWriter {
  override func upsert(_ records: [Record], in table: String) throws {
    try super.upsert(
      try records.map { record in
        // The row gets its new version before the change that was sent leaves the journal.
        let first = try operations(ofItems: [record.id], in: table).first
        guard let sent = first?.sent, first?.isMarked == true,
          try self.record(record.id, in: table)?.system.version != record.system.version
        else { return record }
        return Record(id: record.id, values: sent.values, system: record.system)
      }, in: table)
  }
}

private struct HopefulRemote: ForwardingTable {
  let base: any RemoteTable

  func send(_ changes: [RemoteChange], starting: ([Int]) -> [Int], settle: ([SettledChange]) -> Bool) {
    base.send(changes, starting: starting) { part in
      settle(part.map { SettledChange(index: $0.index, outcome: $0.outcome.mapError(\.unsent)) })
    }
  }
}

extension Breakage {
  /// Takes each of its writes for the next after what it has read, although somebody else wrote in between (sync-rules
  /// 8.6).
  static let passesOthersBy = Breakage(
    "moves its token over what others wrote", law: .belief,
    remote: { base in
      guard let line = base as? Line else { return base }
      var remote = ForwardingRemote(base: base)
      remote.moved = { move in
        let device = line.world.devices[line.device]
        return ListMove(from: device.token?.timestamp ?? .epoch, to: move.to, rows: move.rows)
      }
      return remote
    })
}
