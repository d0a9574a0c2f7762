import TableProtocol

/// The result of the answers to some changes. Filled in one transaction.
struct Settlement {
  /// True if the server says by an epoch when it was put back.
  let announcesEpoch: Bool
  /// By how many milliseconds a row may be dated before one that came earlier (P6).
  let lateness: Int64
  private(set) var report = PushReport()
  /// Places of changes that are not sent again in this push.
  private(set) var passedOver: Set<Int64> = []
  /// Places of changes that the server refused; and of those to which it gave another answer.
  private(set) var refused: Set<Int64> = []
  private(set) var answered: Set<Int64> = []
  /// The conflicts that are new.
  private(set) var conflicts: [Conflict] = []
  /// How many changes stay under way, or go out with the next push.
  private(set) var open = 0
  /// True if a row has a change that has to be sent in this push.
  private(set) var again = false
  /// The rows among those that the server refused for another copy, and of which it shows no other copy.
  private(set) var contradicted: Set<PushedRow> = []
  /// The rows that are stored as the server answered them, with what their requests did: by table.
  private(set) var moved: [String: [(move: ListMove, updatedAt: Timestamp?)]] = [:]

  /// Applies the answers to changes of one table to the current rows. `isUnchanged` says that nobody else wrote to the
  /// store since the rows were marked. Throws `RemoteFailure.otherEpoch` if an answer shows that the server went back.
  mutating func settle(
    _ answers: [AnsweredItem], of table: String, in store: any StoreWriter, isUnchanged: Bool,
    environment: Environment
  ) throws {
    let items = answers.map(\.item)
    let rows = isUnchanged ? items.map(\.row) : try Self.rows(items, in: table, store)
    var updates: [RowUpdate] = []
    updates.reserveCapacity(answers.count)
    for (answered, stored) in zip(answers, rows) {
      let (item, answer) = (answered.item, answered.answer)
      let row = try store.recalling(stored, meeting: answer.met, in: table)
      if announcesEpoch, answer.goesBack(behind: row) { throw RemoteFailure.otherEpoch }
      var after = row
      if !announcesEpoch, let copy = answer.metWithoutEffect {
        after.loseAncestor(to: ServerSide(copy), lateness: lateness)
      }
      // The push that marked the attempt knows whether it was a repeat.
      if after.underWay != nil { after.underWay?.isRepeat = item.attempt.isRepeat }
      let verdict = after.receive(answer)
      note(verdict, of: RowUpdate(row, after), to: item, answer: answer)
      if after.underWay != nil { after.underWay = row.underWay }
      if after != row { updates.append(RowUpdate(row, after)) }
      if let move = answered.move, let record = answer.stored, !verdict.isOpen {
        moved[table, default: []].append((move, record.system.updatedAt))
      }
    }
    try RowStorage(table, in: store, environment).save(updates, .sync(environment.now()))
    try noteConflicts(updates, in: table, store)
  }

  /// Returns the current rows. A row without a change made meanwhile has not changed since its mark, and is not loaded
  /// again.
  private static func rows(_ items: [PushItem], in table: String, _ store: any StoreReader) throws -> [TrackedRow] {
    let operations = Dictionary(
      grouping: try store.operations(ofItems: items.map(\.row.id), in: table), by: \.itemID)
    let changed = items.filter { item in
      operations[item.row.id]?.map(\.id) != [item.place] || item.row.attention != nil || item.row.waits
    }.map(\.row.id)
    let rows = try store.trackedRows(changed, operations: changed.flatMap { operations[$0] ?? [] }, in: table)
    let read = Dictionary(rows.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    return items.map { read[$0.row.id] ?? $0.row }
  }

  private mutating func note(
    _ verdict: Verdict, of update: RowUpdate, to item: PushItem, answer: Answer
  ) {
    let after = update.after
    if !verdict.isOpen { answered.insert(item.place) }
    switch verdict {
    case .open:
      open += 1
      passedOver.insert(item.place)
    case .needsDecision:
      passedOver.insert(item.place)
      if after.isRefused {
        refused.insert(item.place)
      } else if !update.before.isConflict {
        report.conflicts += 1
      }
    case .settled, .sendAgain:
      if case .sendAgain = verdict {
        again = true
        if answer.contradicts(update.before) { contradicted.insert(PushedRow(item)) }
      } else {
        passedOver.insert(item.place)
      }
      let isTakenOff = after.places.waiting == item.place && after.waits
      if case .refused = answer { return }
      if !isTakenOff { report.accepted += 1 }
    }
  }

  private mutating func noteConflicts(_ updates: [RowUpdate], in table: String, _ store: any StoreReader) throws {
    let new = updates.filter { $0.after.isConflict && !$0.before.isConflict }.map(\.after)
    guard !new.isEmpty else { return }
    let rows = Dictionary(new.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    for error in try store.operationErrors(ofItems: new.map(\.id), in: table) {
      if let row = rows[error.itemID] { conflicts.append(Conflict(error, row)) }
    }
  }
}

/// A change with what its answer amounts to.
struct AnsweredItem {
  let item: PushItem
  let answer: Answer
  /// The effect of the whole request on the table; nil if the server did not say.
  var move: ListMove?
}

extension Answer {
  /// The row that the server stored for this change; nil if it did not store it or does not show it.
  fileprivate var stored: Record? {
    if case .accepted(let record) = self { record } else { nil }
  }

  /// The copy that the server has instead of what was sent, if it surely did not act on that. It came with the answer,
  /// or was read because the answer had none (`OutcomeCheck`). A cache may give an old copy to such a read: then a
  /// person is asked without need, which is better than the loss of words.
  fileprivate var metWithoutEffect: Record? {
    if case .met(let copy?, mayHaveArrived: false) = self { copy } else { nil }
  }

  /// True if the server has a copy that is older than one that it gave before.
  fileprivate func goesBack(behind row: TrackedRow) -> Bool {
    metWithoutEffect.map { row.isAhead(of: ServerSide($0)) } ?? false
  }

  /// True if the server refused the change because its copy is another one, but shows the copy that is known here.
  fileprivate func contradicts(_ row: TrackedRow) -> Bool {
    if case .met(let copy, _) = self { ServerSide(copy).isSameCopy(as: row.server) } else { false }
  }

  /// The copy that the server has instead of what was sent.
  fileprivate var met: Record? {
    switch self {
    case .met(let record, _): record
    case .accepted(let record): record?.system.deleted == true ? record : nil
    case .refused, .notActedOn, .noAnswer: nil
    }
  }
}

extension Verdict {
  fileprivate var isOpen: Bool {
    if case .open = self { true } else { false }
  }
}
