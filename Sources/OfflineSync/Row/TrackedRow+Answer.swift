package import TableProtocol

/// An answer that settles an attempt, once it is known what it is worth: see ``OutcomeCheck``.
package indirect enum Answer: Sendable, Hashable {
  /// Done. The stored row; nil after a delete that answers without one.
  case accepted(Record?)
  /// The server's copy is another than the attempt expected; nil if the server has no trace of the row.
  /// `mayHaveArrived` is true if it was read after an answer that leaves open whether this very request was acted on.
  case met(Record?, mayHaveArrived: Bool)
  /// The server does not accept this change: the HTTP status and its own words, which may be none.
  case refused(status: Int, message: String)
  /// The server surely did not act on it.
  case notActedOn
  /// The server may have acted on it.
  case noAnswer
}

extension TrackedRow {
  /// Marks what waits as sent. Committed before the first byte leaves (Q10). A row that is under way already is sent
  /// again unchanged.
  package mutating func mark() {
    if underWay != nil {
      underWay?.isRepeat = true
    } else if waits, attention == nil || isRefused {
      underWay = Attempt(want: local, isRepeat: false)
      places = Places(underWay: places.waiting)
    }
  }

  /// The row as it goes out. If it has nothing to send it is judged, so that its change leaves the journal.
  var marked: TrackedRow {
    var row = self
    row.mark()
    if row.underWay == nil, row.attention == nil { row.judge() }
    return row
  }

  /// Applies the server's answer to the attempt under way.
  package mutating func receive(_ answer: Answer) -> Verdict {
    guard let attempt = underWay else { return verdict }
    switch answer {
    case .accepted(nil) where attempt.want != nil:
      // It is not known what was stored.
      return .open
    case .accepted(let record):
      if let record, record.system.deleted, attempt.want != nil {
        // Done, and deleted since (Q9).
        return meet(ServerSide(record), mayHaveArrived: true)
      }
      return accept(attempt.want == nil ? tombstone(record) : ServerSide(record), isDirect: true)
    case .met(let copy, let mayHaveArrived):
      return meet(ServerSide(copy), mayHaveArrived: attempt.isRepeat || mayHaveArrived)
    case .refused(let status, let message):
      return refuse(with: .refused(status: status, message: message))
    case .notActedOn:
      return notActedOn(attempt)
    case .noAnswer:
      return .open
    }
  }

  /// A refusal speaks of what was sent. A change that waited behind it was never asked about.
  private mutating func refuse(with refusal: Attention) -> Verdict {
    let isLast = !waits
    takeAttemptOff()
    if isLast { attention = refusal } else { judge() }
    return verdict
  }

  /// An earlier attempt may still have arrived: then the mark stays (I9).
  private mutating func notActedOn(_ attempt: Attempt) -> Verdict {
    guard !attempt.isRepeat else { return .open }
    let isLast = !waits
    takeAttemptOff()
    if !isLast { judge() }
    return .open
  }

  /// The tombstone that a delete leaves. A server that does not show it leaves the columns the row had.
  private func tombstone(_ record: Record?) -> ServerSide {
    if let record {
      var copy = record
      copy.system.deleted = true
      return .tombstone(copy)
    }
    guard let last = base.live else { return .unknown }
    return ServerSide(
      Record(id: id, values: last, system: SystemProperties(updatedAt: base.updatedAt, deleted: true)))
  }

  /// The server has what was sent; `copy` is what it stored. `isDirect` says that this very request was accepted.
  mutating func accept(_ copy: ServerSide, isDirect: Bool) -> Verdict {
    guard let want = underWay.map(\.want) else { return verdict }
    let before = base
    // Columns that it does not show are as they were sent.
    let copy = copy.completed(from: want ?? [:])
    let isAlone = isDirect && !(before.isLive && before.version == nil)
    let isLast = !waits
    underWay = nil
    places.underWay = nil
    attention = nil
    base = copy
    server = copy
    if isLast {
      rest()
    } else if let want {
      acceptUnder(want, copy: copy, isAlone: isAlone)
    } else {
      acceptDelete(of: before, leaving: copy)
    }
    return verdict
  }

  /// The row was added again behind its delete: it takes along what others had changed before that (Q16).
  private mutating func acceptDelete(of before: ServerSide, leaving tombstone: ServerSide) {
    guard let local, let old = before.live, let last = tombstone.saidColumns,
      case .merged(let values) = RecordMerge.of(base: old, mine: local, theirs: last)
    else { return }
    self.local = local.updated(from: values)
  }

  /// A newer change waits behind the one that was accepted (Q3, Q4). `isAlone` says that nobody else can have changed
  /// the row in between, so that what differs is the server's own doing.
  private mutating func acceptUnder(_ want: Columns, copy: ServerSide, isAlone: Bool) {
    // It has no version: the copy on the server is another one.
    let sent = ServerSide.known(Record(id: id, values: want, system: SystemProperties(createdAt: createdAt)))
    guard let local, let theirs = copy.live else {
      if !isAlone, let theirs = copy.live, !want.look(like: theirs) {
        base = sent
        attention = .conflict(sent: nil)
      }
      return
    }
    switch RecordMerge.of(base: want, mine: local, theirs: theirs) {
    case .merged(let values): keep(values, over: copy)
    case .clash:
      base = sent
      attention = .conflict(sent: nil)
    }
  }
}
