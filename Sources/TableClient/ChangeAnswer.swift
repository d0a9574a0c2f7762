import OfflineSync
import TableProtocol

/// Interprets the answer to a change by its status, headers and body (wire 9, 10.2).
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
    if case .delete = change { return try deleted() }
    guard let record else { throw broken("the stored item is missing") }
    return .accepted(record)
  }

  private func broken(_ words: String) -> RemoteFailure {
    RemoteFailure(.badAnswer(words, status: answer.status), mayHaveActed: true)
  }

  /// A deletion is proven by 204, which has no body, and by the item: its tombstone, or its last state, which is handed
  /// on. Anything on the way says 200.
  private func deleted() throws(RemoteFailure) -> RemoteAnswer {
    if answer.body.isEmpty, answer.status == 204 { return .accepted(nil) }
    guard let item else { throw broken("the deletion is not confirmed") }
    return .accepted(item.system.deleted ? nil : versioned(item))
  }

  /// The server's copy of the record, if the answer holds one: an object with this very id and a version. One old server
  /// echoes the request after a duplicate insert; that has no version (wire 7.1).
  private var record: Record? { item.flatMap(versioned) }

  private var item: Record? {
    rows.item(in: answer.body, of: change.table).flatMap { $0.id == change.id ? $0 : nil }
  }

  /// A strong entity tag is newer than the body's version. Nil without a version.
  private func versioned(_ item: Record) -> Record? {
    var record = item
    if let tag = answer.headers["etag"].flatMap({ RecordVersion(entityTag: $0) }) { record.system.version = tag }
    return record.system.version?.text.isEmpty == false ? record : nil
  }
}
