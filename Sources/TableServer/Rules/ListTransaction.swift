import FoundationEssentials
import TableProtocol
import TableStorage

/// Changes the rows of a list in an open transaction: gives each its moment and version, and keeps the digest.
///
/// The same over every storage. Mistakes in a request are found before anything of it is written: after a
/// `RequestError` the list is unchanged.
final class ListTransaction {
  let list: any EditableList
  private let clock: @Sendable () -> Timestamp
  private let newColumns: ColumnAllowance
  private let policy: TablePolicy
  /// The list's state with this transaction's writes so far; nil until it is needed.
  private var state: ListState?

  /// Runs `body` in the transaction of the writer.
  static func run<Value>(
    on list: any EditableList, clock: @escaping @Sendable () -> Timestamp, newColumns: ColumnAllowance,
    policy: TablePolicy = TablePolicy(), _ body: (ListTransaction) throws -> Value
  ) throws -> Value {
    try run(on: [list], clock: clock, newColumns: newColumns, policy: policy) { try body($0[0]) }
  }

  /// The same on several lists, whose writer is one.
  static func run<Value>(
    on lists: [any EditableList], clock: @escaping @Sendable () -> Timestamp, newColumns: ColumnAllowance,
    policy: TablePolicy = TablePolicy(), _ body: ([ListTransaction]) throws -> Value
  ) throws -> Value {
    let transactions = lists.map { ListTransaction($0, clock: clock, newColumns: newColumns, policy: policy) }
    let value = try body(transactions)
    for transaction in transactions { try transaction.save() }
    return value
  }

  /// In the transaction that writes the rows: a crash keeps both or neither.
  private func save() throws {
    guard hasWritten, let state else { return }
    try list.save(lastMoment: state.lastMoment, digest: state.digest)
  }

  private var hasWritten: Bool { before != nil }
  /// The last moment that was given to a row before this transaction gave one; nil as long as it gave none.
  private var before: Timestamp?
  /// How many rows it has written and kept.
  private var rows = 0

  /// The transaction's effect on the list so far; nil for none.
  var move: ListMove? {
    guard let before, let state, rows > 0 else { return nil }
    return ListMove(from: before, to: state.lastMoment, rows: rows, digest: state.digest)
  }

  private init(
    _ list: any EditableList, clock: @escaping @Sendable () -> Timestamp, newColumns: ColumnAllowance,
    policy: TablePolicy
  ) {
    self.list = list
    self.clock = clock
    self.newColumns = newColumns
    self.policy = policy
  }

  private func currentState() throws -> ListState {
    if let state { return state }
    let read = try list.state()
    state = read
    return read
  }

  /// Adds a row that is not there yet, and returns it as it is stored. `createdAt` is when its client says that it made
  /// the item.
  func insert(
    _ id: RecordID, _ values: [String: FieldValue], createdAt: Timestamp?, isWhole: Bool = true
  ) throws -> Record {
    try policy.checkRoom(for: list)
    let fitted = try FittedValues(values, list.schema)
    var row = Record(id: id)
    fitted.forEach(isWhole: isWhole) { column, value in row.values[column.name] = value ?? .null }
    try row.checkSize()
    try add(fitted.newColumns)
    let stamp = try nextStamp()
    row.system = SystemProperties(
      createdAt: stamp.createdAt(said: createdAt), updatedAt: stamp.updatedAt, version: stamp.version)
    try list.insert(row)
    note(nil, row)
    return row
  }

  /// Gives the row these values, and returns it as it is stored. Of a whole item a column that is left out gets what
  /// its absence means (wire 5); else it keeps its value.
  func update(
    _ stored: Record, _ values: [String: FieldValue], isWhole: Bool = false, deleted: Bool = false
  ) throws -> Record {
    let fitted = try FittedValues(values, list.schema)
    var row = stored
    fitted.forEach(isWhole: isWhole) { column, value in
      // A tombstone may have no columns any more.
      row.values[column.name] = value ?? row.values[column.name] ?? .null
    }
    if !values.isEmpty { try row.checkSize() }
    try add(fitted.newColumns)
    let stamp = try nextStamp()
    row.system.updatedAt = stamp.updatedAt
    row.system.version = stamp.version
    row.system.deleted = deleted
    try list.update(row)
    note(stored.system, row)
    return row
  }

  /// Runs `body`, and undoes what it wrote if it throws or says that this is not to be kept. The moments that it took
  /// are not given out again.
  func part<Value>(_ body: () throws -> (Value, isKept: Bool)) throws -> Value {
    let (digest, rows) = (try currentState().digest, rows)
    var isKept = false
    defer {
      if !isKept {
        state?.digest = digest
        self.rows = rows
      }
    }
    return try list.part {
      let part = try body()
      isKept = part.isKept
      return part
    }
  }

  /// The same of several lists: what is undone is undone in all of them.
  static func part<Value>(
    of transactions: ArraySlice<ListTransaction>, _ body: () throws -> (Value, isKept: Bool)
  ) throws -> Value {
    guard let first = transactions.first else { return try body().0 }
    return try first.part {
      var isKept = false
      let value = try part(of: transactions.dropFirst()) {
        let part = try body()
        isKept = part.isKept
        return part
      }
      return (value, isKept)
    }
  }

  /// Adds columns. Throws `RequestError` if the user may not add so many more. Call it after all other checks of a row:
  /// a batch goes on after a refusal, and the columns would stay.
  private func add(_ columns: [TableColumn]) throws {
    guard !columns.isEmpty else { return }
    try newColumns.take(columns.count, now: clock())
    try list.add(columns)
  }

  /// Takes the next moment: now, or a millisecond after the last one given out, whichever is later.
  ///
  /// It is taken inside the transaction, and transactions follow one another, so rows become visible in the order of
  /// their `updatedAt`: no pull can pass one by (wire 11).
  private func nextStamp() throws -> RowStamp {
    let last = try currentState().lastMoment
    let stamp = RowStamp(after: last, now: list.now ?? clock())
    // A clock at its end, as of a damaged database, would give all writes the same version.
    guard stamp.updatedAt <= .lastOfDates else { throw StorageError.refused("the clock of the list is at its end") }
    state?.lastMoment = stamp.updatedAt
    before = before ?? last
    return stamp
  }

  /// Takes note that a row became another; nil for one that is new.
  private func note(_ before: SystemProperties?, _ after: Record) {
    rows += 1
    if let version = before?.version, before?.deleted == false { state?.digest.remove(after.id, version) }
    if let version = after.system.version, !after.system.deleted { state?.digest.add(after.id, version) }
  }
}

extension ListTransaction {
  /// The answer that the same request got before; nil if it was not done yet. Throws if that can't be known.
  func earlierAnswer(to repetition: Repetition) throws -> KeptAnswer? {
    if let kept = try list.answer(repetition.id) {
      guard kept.fingerprint == repetition.fingerprint else { throw RequestError.repetition(.differs) }
      return kept
    }
    try repetition.checkAge(now: clock(), keptAfter: try list.answersKeptAfter())
    return nil
  }

  /// Keeps the answer to what was done in this transaction: both are there, or neither is.
  func keep(_ answer: KeptAnswer, to repetition: Repetition) throws {
    var answer = answer
    (answer.id, answer.firstSent, answer.fingerprint) = (repetition.id, repetition.firstSent, repetition.fingerprint)
    try list.keep(answer)
    try list.dropOldAnswers(now: clock(), countsBytes: answer.body.count > Repetition.smallBody)
  }
}

extension EditableList {
  /// Drops the answers that nobody may ask for any more. Counting their bytes takes longer than all the rest.
  func dropOldAnswers(now: Timestamp, countsBytes: Bool = false) throws {
    try dropAnswers(
      upTo: now.advanced(byMilliseconds: -Repetition.window), most: Repetition.mostKept,
      bytes: countsBytes ? Repetition.mostBytes : nil)
  }
}

/// The moment of a write, and what is made of it.
struct RowStamp: Hashable, Sendable {
  let updatedAt: Timestamp
  /// The machine's time.
  let now: Timestamp

  init(after last: Timestamp, now: Timestamp) {
    self.now = now
    updatedAt = max(now, last.advanced(byMilliseconds: 1))
  }

  /// Made of the moment, which no two writes share. Base64 of eight bytes, as clients that hold versions as bytes need
  /// it.
  var version: RecordVersion {
    let number = updatedAt.milliseconds
    let bytes = (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    return RecordVersion(Data(bytes).base64EncodedString())
  }

  /// When the item was made: the moment that its client says, if that has passed, else the moment of the write.
  /// The epoch and what is before it are what a device without a clock says.
  func createdAt(said: Timestamp?) -> Timestamp {
    guard let said, said > .epoch, said <= now else { return updatedAt }
    return said
  }
}

extension Record {
  /// Throws if the item is larger than one may be, whatever part of it a request brought (wire 12).
  fileprivate func checkSize() throws(RequestError) {
    var size = id.text.utf8.count
    for (name, value) in values {
      size += name.utf8.count
      if case .text(let text) = value { size += text.utf8.count }
    }
    guard size <= ItemFields.largestItem else { throw .body(.itemTooLarge(limit: ItemFields.largestItem)) }
  }
}
