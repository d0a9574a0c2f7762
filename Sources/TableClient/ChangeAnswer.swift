import OfflineSync
import TableProtocol

/// What a server answered to a change, judged by its status and by what it brought
/// (wire 9, 10.2). Nothing in it is trusted before it is read.
struct ChangeAnswer {
  private let answer: ServerAnswer
  private let change: RemoteChange
  private let rows: ServerRows

  /// The answer must be the server's: see ``AnswerOrigin``.
  init(_ answer: ServerAnswer, to change: RemoteChange, rows: ServerRows) {
    self.answer = answer
    self.change = change
    self.rows = rows
  }

  /// Throws `RemoteFailure` for an answer that does not settle the request.
  func interpreted() throws(RemoteFailure) -> RemoteAnswer {
    switch answer.status {
    case 200..<300: return try accepted()
    case 409, 412: return .conflict(status: answer.status, record)
    case 404 where isInsert: throw RemoteFailure(answer: answer)
    case 404, 410: return .gone(status: answer.status)
    // 403 is about this row: others may be written (sync-rules Q2, Q20).
    case 400, 402, 403, 405..<408, 411, 413..<421, 422..<429, 430..<500:
      return .refused(status: answer.status, message: answer.message)
    default: throw RemoteFailure(answer: answer)
    }
  }

  private var isInsert: Bool {
    if case .insert = change { true } else { false }
  }

  /// The server has done it. Without the stored record of an insert or update its version is not
  /// known; such an answer counts as none, and the next attempt finds out (sync-rules Q5, Q6).
  private func accepted() throws(RemoteFailure) -> RemoteAnswer {
    if case .delete = change {
      guard isDeleted else { throw broken("the deletion is not confirmed") }
      return .accepted(nil)
    }
    guard let record else { throw broken("the stored item is missing") }
    return .accepted(record)
  }

  private func broken(_ words: String) -> RemoteFailure {
    RemoteFailure(.badAnswer(words, status: answer.status), mayHaveActed: true)
  }

  /// A deletion is proven by 204, which has no body, and by the item: its tombstone, or its last state. Anything on the
  /// way says 200.
  private var isDeleted: Bool {
    if answer.body.isEmpty { return answer.status == 204 }
    return rows.item(in: answer.body, of: change.table)?.id == change.id
  }

  /// The server's copy of the record, if the answer holds one: an object with this very id and a
  /// version. One old server echoes the request after a duplicate insert; that has no version
  /// (wire 7.1). A strong entity tag is newer than the body's version.
  private var record: Record? {
    guard var record = rows.item(in: answer.body, of: change.table), record.id == change.id else { return nil }
    if let tag = answer.headers["etag"].flatMap({ RecordVersion(entityTag: $0) }) { record.system.version = tag }
    guard record.system.version?.text.isEmpty == false else { return nil }
    return record
  }
}

extension RemoteFailure {
  /// An answer that is about the server or the user, not about one change.
  init(answer: ServerAnswer) {
    let retryAfter = answer.retryAfter
    switch answer.status {
    case 300..<400: self.init(.badAnswer("it sends us elsewhere (\(answer.status))"), mayHaveActed: false)
    case 401: self.init(.signInNeeded, mayHaveActed: false)
    case 403: self.init(.notAllowed, mayHaveActed: false)
    case 421: self.init(.otherDatabase, mayHaveActed: false)
    case 429, 503: self.init(.busy(status: answer.status, retryAfter: retryAfter), mayHaveActed: false)
    case 408, 502, 504: self.init(.busy(status: answer.status, retryAfter: retryAfter), mayHaveActed: true)
    default: self.init(.serverError(status: answer.status, message: answer.message), mayHaveActed: answer.status >= 500)
    }
  }
}

/// Deletions that a server which is not one of ours answered with nothing but 204. A sign-in page of a network may say
/// that to any request, so it counts only if the server has proven itself in the same push.
struct BareDeletions {
  private(set) var held: [SettledChange] = []
  /// True once only the server itself can have given an answer. Our own server names itself in each.
  private var isProven: Bool

  init(isOwnServer: Bool) {
    isProven = isOwnServer
  }

  /// Holds back what is not proven. Returns the others, and what was held if one of them is a proof.
  mutating func hold(_ part: [SettledChange], of changes: [RemoteChange]) -> [SettledChange] {
    isProven = isProven || part.contains { $0.outcome.provesServer }
    guard isProven else {
      func isBare(_ settled: SettledChange) -> Bool {
        guard case .delete = changes[settled.index] else { return false }
        return settled.outcome == .success(.accepted(nil))
      }
      held += part.filter(isBare)
      return part.filter { !isBare($0) }
    }
    defer { held = [] }
    return held + part
  }

  /// The outcomes of what is held, which `prove` decides about: without a proof nobody knows.
  func settled(_ prove: () throws(RemoteFailure) -> Void) -> [SettledChange] {
    do {
      try prove()
      return held
    } catch {
      return held.map { SettledChange(index: $0.index, outcome: .failure(error.afterActing)) }
    }
  }
}
