import OfflineSync
import TableProtocol

/// Answers taken for what they are not.
extension Breakage {
  /// Takes any failure of the server for its last word (Q8).
  static let takesFailureForRefusal = Breakage(
    "takes 5xx for a refusal",
    remote: { base in
      misreading(base) { _, failure in failure.isServerError ? .refused(status: 500, message: "oops") : nil }
    })

  /// Takes a missing sign-in for a word about the change.
  static let takesDenialForRefusal = Breakage(
    "takes 401 for a refusal of the change",
    remote: { base in misreading(base) { _, failure in failure.isDenial ? .refused(status: 401, message: "") : nil } })

  /// Takes a change for done that failed.
  static let takesFailureForSuccess = Breakage(
    "takes a failure for success", remote: { base in misreading(base) { change, _ in .accepted(change.record) } })

  /// Sends again without If-Match what met a conflict, so that mine is all that stays.
  static let overridesConflicts = Breakage(
    "answers a conflict by force", remote: { base in ForcefulRemote(base: base) })

  /// Takes every server for the one the list belongs to (Q26).
  static let ignoresAccount = Breakage(
    "sends one account's changes to another", remote: { OneServer(base: $0) })

  /// Asks the old server for more than 50 rows and takes a short page for the last (wire 6.4).
  static let trustsOldServer = Breakage(
    "asks a server of 2.0.0 for large pages", remote: { NewServer(base: $0) })

  private static func misreading(
    _ base: any RemoteTable, _ read: @escaping @Sendable (RemoteChange, RemoteFailure) -> RemoteAnswer?
  ) -> any RemoteTable {
    var remote = ForwardingRemote(base: base)
    remote.failure = read
    return remote
  }
}

extension RemoteFailure {
  fileprivate var isServerError: Bool { if case .serverError = reason { true } else { false } }
  fileprivate var isDenial: Bool { reason == .signInNeeded || reason == .notAllowed }
}

extension RemoteChange {
  /// The row as it is sent; nil for a delete.
  var record: Record? {
    switch self {
    case .insert(_, let record): record
    case .update(_, let whole, _, _), .undelete(_, let whole, _, _): whole
    case .delete: nil
    }
  }

  fileprivate var withoutCondition: RemoteChange {
    switch self {
    case .insert: self
    case .update(let table, let whole, let changed, _):
      .update(table: table, whole: whole, changed: changed, base: nil)
    case .undelete(let table, let whole, let changed, _):
      .undelete(table: table, whole: whole, changed: changed, base: nil)
    case .delete(let table, let id, _): .delete(table: table, id: id, base: nil)
    }
  }
}

private struct ForcefulRemote: ForwardingTable {
  let base: any RemoteTable

  func send(_ changes: [RemoteChange], starting: ([Int]) -> [Int], settle: ([SettledChange]) -> Bool) {
    base.send(changes, starting: starting) { part in
      settle(
        part.map { settled in
          guard case .success(.conflict(412, _)) = settled.outcome else { return settled }
          let again = base.send([changes[settled.index].withoutCondition])
          return SettledChange(index: settled.index, outcome: again[0])
        })
    }
  }
}

private struct OneServer: ForwardingTable {
  let base: any RemoteTable

  var server: String { "http://world0.example" }
}

private struct NewServer: ForwardingTable {
  let base: any RemoteTable

  var knowledge: ServerKnowledge { ServerKnowledge(protocolVersion: .v3, database: base.knowledge.database) }
}
