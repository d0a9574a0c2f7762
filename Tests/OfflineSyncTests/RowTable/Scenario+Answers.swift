import TableProtocol

@testable import OfflineSync

extension Scenario {
  /// Marks, crashes, and requests that surely did not arrive.
  static func sending(of row: TrackedRow) -> [Scenario] {
    var scenarios = [Scenario.change(.m2, row) { $0 = $0.stored }]
    let isForAPerson = row.attention != nil && !row.isRefused
    if row.underWay != nil || (row.waits && !isForAPerson) { scenarios.append(.change(.m1, row) { $0.mark() }) }
    if row.underWay != nil {
      scenarios.append(.change(.m3, row) { $0 = $0.stored })
      scenarios.append(Scenario(.m4, row) { $0.receive(.notActedOn) })
    }
    return scenarios
  }

  /// Everything that a server may answer to what is under way, and what reading the row may show then.
  static func answers(to row: TrackedRow) -> [Scenario] {
    guard let attempt = row.underWay else { return [] }
    let refusal = RemoteAnswer.refused(status: 400, message: "no")
    let forbidden = RemoteAnswer.refused(status: 403, message: "no")
    let broken = RemoteFailure(.serverError(status: 500, message: "oops"), mayHaveActed: true)
    let garbled = RemoteFailure(.badAnswer("its items have no version"), mayHaveActed: true)
    let foreign = RemoteFailure(.notTheServer("text/html"), mayHaveActed: true)
    var scenarios = accepted(attempt, row) + stale(row) + old(row) + gone(row) + unanswered(row)
    scenarios += refused(.a12, row, refusal, likes: []) + refused(.a13, row, forbidden, likes: [.a12])
    scenarios += read(.a14, row, .failure(broken), mayHaveActed: true)
    scenarios += read(.a14, row, .failure(garbled), mayHaveActed: true)
    scenarios.append(asked(.a16, row, .failure(foreign), nil))
    if attempt.want != nil { scenarios += read(.a4, row, .success(.accepted(nil)), mayHaveActed: true) }
    return scenarios
  }

  private static func accepted(_ attempt: Attempt, _ row: TrackedRow) -> [Scenario] {
    func answer(_ event: RowEvent, _ record: Record?, _ circumstances: Set<Circumstance> = []) -> Scenario {
      Scenario(event, row, circumstances) { $0.receive(.accepted(record)) }
    }
    let time = row.nextTime
    guard let want = attempt.want else {
      return [
        answer(.a1, nil), answer(.a1, Copy.tombstone(row.base.live, at: time)),
        answer(.a2, Copy.live(row.origin.fitting, at: time)),
      ]
    }
    var scenarios = [
      answer(.a1, Copy.live(want, at: time)), answer(.a2, Copy.live(want.fitting, at: time), [.fits]),
      answer(.a2, Copy.live(want.clashing, at: time), [.clashes]),
    ]
    if let local = row.local { scenarios.append(answer(.a2, Copy.live(local.fitting, at: time), [.theirs])) }
    scenarios += ServerCopy.tombstones(for: row).map { copy in
      Scenario(.a3, row, copy.circumstances.union([.again]), likes: [.a9]) { $0.receive(.accepted(copy.record)) }
    }
    return scenarios
  }

  /// 409 or 412, with a copy or without.
  private static func stale(_ row: TrackedRow) -> [Scenario] {
    var scenarios = ServerCopy.all(for: row, mayHaveArrived: row.underWay?.isRepeat == true).map { copy in
      Scenario(copy.event, row, copy.circumstances) { $0.receive(.met(copy.record, mayHaveArrived: false)) }
    }
    if case .tombstone(let base) = row.base, base.system.version != nil {
      scenarios.append(
        Scenario(.a9, row, [.sameTombstone]) { $0.receive(.met(base, mayHaveArrived: false)) })
    }
    let answer = Result<RemoteAnswer, RemoteFailure>.success(.conflict(status: 409, nil))
    scenarios += touched(.a10, row, answer, mayHaveActed: false, likes: [])
    scenarios.append(asked(.a10, row, answer, nil, [.absent], likes: [.a11]))
    if row.base == .never {
      scenarios.append(asked(.a10, row, answer, nil, [.absent, .secondTime], likes: [.a12], times: 2))
    }
    return scenarios
  }

  /// 409 or 412 of a server without epochs that was put back.
  private static func old(_ row: TrackedRow) -> [Scenario] {
    guard case .known(let base) = row.base, let time = base.system.updatedAt, time > Copy.born,
      base.system.version != TrackedRow.voidVersion
    else { return [] }
    func answer(_ values: Columns, _ circumstances: Set<Circumstance>, likes: [RowEvent]) -> Scenario {
      let copy = Copy.live(values, at: 0)
      return Scenario(.a17, row, circumstances, likes: likes) { row in
        row.loseAncestor(to: ServerSide(copy), lateness: 0)
        return row.receive(.met(copy, mayHaveArrived: false))
      }
    }
    return [answer(row.origin.fitting, [.fits], likes: []), answer(base.values, [.baseColumns], likes: [.a6])]
  }

  private static func gone(_ row: TrackedRow) -> [Scenario] {
    let answer = Result<RemoteAnswer, RemoteFailure>.success(.gone(status: 404))
    guard row.base != .never else { return [asked(.a11, row, answer, nil, [], likes: [.m4])] }
    return touched(.a11, row, answer, mayHaveActed: false, likes: []) + [asked(.a11, row, answer, nil, [.absent])]
  }

  private static func unanswered(_ row: TrackedRow) -> [Scenario] {
    [RemoteFailure.Reason.unreachable("cut", kind: .cut), .busy(status: 504, retryAfter: nil)].map { reason in
      asked(.a15, row, .failure(RemoteFailure(reason, mayHaveActed: true)), nil)
    }
  }

  private static func refused(
    _ event: RowEvent, _ row: TrackedRow, _ answer: RemoteAnswer, likes: [RowEvent]
  ) -> [Scenario] {
    if row.underWay?.isRepeat == true {
      return read(event, row, .success(answer), mayHaveActed: false, likes: likes)
    }
    return [asked(event, row, .success(answer), nil, likes: likes)]
  }

  /// An answer after which the row is read.
  private static func read(
    _ event: RowEvent, _ row: TrackedRow, _ answer: Result<RemoteAnswer, RemoteFailure>, mayHaveActed: Bool,
    likes: [RowEvent] = []
  ) -> [Scenario] {
    var scenarios = touched(event, row, answer, mayHaveActed: mayHaveActed, likes: likes)
    switch row.base {
    case .never, .unknown:
      scenarios.append(asked(event, row, answer, nil, [.untouched], likes: likes + [.a12]))
    case .known(let copy), .tombstone(let copy):
      // Of its own delete this device knows no version: nothing that is read can be called untouched.
      if copy.system.version == nil { break }
      scenarios.append(asked(event, row, answer, copy, [.untouched], likes: likes + [.a12]))
    }
    return scenarios
  }

  private static func touched(
    _ event: RowEvent, _ row: TrackedRow, _ answer: Result<RemoteAnswer, RemoteFailure>, mayHaveActed: Bool,
    likes: [RowEvent]
  ) -> [Scenario] {
    let isAgain = mayHaveActed || row.underWay?.isRepeat == true
    var scenarios = ServerCopy.all(for: row, mayHaveArrived: isAgain).map { copy in
      asked(
        event, row, answer, copy.record, copy.circumstances.union([.touched]).union(isAgain ? [.again] : []),
        likes: likes + [copy.event])
    }
    scenarios.append(
      Scenario(event, row, [.unreadable], likes: likes) { asked in
        asked.receive(answer, from: .unreachable)
      })
    return scenarios
  }

  /// An answer that is checked as a push does; `copy` is what reading the row shows.
  private static func asked(
    _ event: RowEvent, _ row: TrackedRow, _ answer: Result<RemoteAnswer, RemoteFailure>, _ copy: Record?,
    _ circumstances: Set<Circumstance> = [], likes: [RowEvent] = [], times: Int = 1
  ) -> Scenario {
    Scenario(event, row, circumstances, likes: likes) { asked in
      asked.receive(answer, from: StubTable { () throws(RemoteFailure) in copy }, times: times)
    }
  }
}

/// A server of which only one row can be read.
struct StubTable: RemoteTable {
  let copy: @Sendable () throws(RemoteFailure) -> Record?

  init(_ copy: @escaping @Sendable () throws(RemoteFailure) -> Record?) { self.copy = copy }

  static var unreachable: StubTable {
    StubTable { () throws(RemoteFailure) in throw RemoteFailure(.unreachable("cut"), mayHaveActed: true) }
  }

  var server: String { "stub" }
  var knowledge: ServerKnowledge { ServerKnowledge() }
  var traffic: Traffic { Traffic() }

  func send(_ changes: [RemoteChange], starting: ([Int]) -> [Int], settle: ([SettledChange]) -> Bool) {}
  func read(_ id: RecordID, in table: String) throws(RemoteFailure) -> Record? { try copy() }
  func page(_ query: TableQuery, at link: PageLink?, verifying: Bool) throws(RemoteFailure) -> RemotePage {
    throw RemoteFailure(.noServer, mayHaveActed: false)
  }
}

extension TrackedRow {
  /// Receives an answer that is checked as in a push.
  mutating func receive(
    _ answer: Result<RemoteAnswer, RemoteFailure>, from remote: StubTable, times: Int = 1
  ) -> Verdict? {
    guard let item = PushItem(self, in: "items") else { return nil }
    let check = OutcomeCheck(remote: remote, cancellation: Cancellation())
    var checked = Answer.noAnswer
    for _ in 0..<times { checked = check.answer(to: item, answer).answer }
    return receive(checked)
  }

  /// The row as a program finds it that starts after a crash.
  var stored: TrackedRow {
    let operations = StoredRow.operations(of: self, in: "items")
    let error = operations.first.flatMap { StoredRow.error(of: self, operation: $0.id, id: "error", in: "items") }
    return StoredRow.decode(id, row: shown, operations: operations, error: error)
  }
}
