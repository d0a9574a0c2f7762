import TableProtocol
import TableSQL

/// The same inside a transaction that has the lock of the list.
///
/// Its writes go to the database when something has to be read that may depend on them, and with the commit: so a batch
/// of a thousand changes is a few round trips.
final class PostgreSQLEditableList: PostgreSQLStoredList, EditableList {
  /// Rows that are kept back at most.
  private static let mostKept = 2_000

  let transaction: PostgreSQLTransaction
  private var memory = Memory()

  /// This object's knowledge of the list, to be put back when a part of the transaction is undone.
  private struct Memory {
    var header: PostgreSQLHeader?
    var isNew = false
    var isWritten = false
    /// Not in the database yet. True for a row that has to be added.
    var rows: [RecordID: (record: Record, isAdded: Bool)] = [:]
    /// Statements that follow those rows, in their order.
    var others: [PostgreSQLStatement] = []
    /// As the database has them by now; nil for an id that it has not.
    var known: [RecordID: Record?] = [:]
    var savedMoment: Timestamp?
    var lastRow: RecordID?
    var hasDroppedAnswers = false
  }

  init(
    _ id: ListID, _ header: PostgreSQLHeader, isNew: Bool, _ transaction: PostgreSQLTransaction,
    longestReading: Duration
  ) {
    self.transaction = transaction
    memory.isNew = isNew
    super.init(id, header, transaction.connection, longestReading: longestReading)
  }

  override var isNew: Bool { memory.isNew }

  override func wereTokensGiven() throws -> Bool {
    try lockDatabase()
    return try super.wereTokensGiven()
  }

  override func isOwnerAdmitted() throws -> Bool {
    try lockDatabase()
    return try super.isOwnerAdmitted()
  }

  /// Locks the row of the database, as a transaction does that gives out a token or removes a user: it would not see a
  /// list that is begun here.
  private func lockDatabase() throws {
    try PostgreSQLFailure.named { _ = try connection.run("SELECT 1 FROM ebb_database FOR SHARE") }
  }

  /// True once anything was written.
  var isWritten: Bool { memory.isWritten }
  /// The last moment that this transaction gave to a row, and such a row; nil if it gave none.
  var savedMoment: Timestamp? { memory.savedMoment }
  var lastRow: RecordID? { memory.lastRow }
  var now: Timestamp? { transaction.now }

  func otherListsOfOwner() throws -> Int { try transaction.lists(of: id.owner, except: self) }

  func add(_ columns: [TableColumn]) throws {
    header.columns += columns
    memory.isWritten = true
  }

  func insert(_ row: Record) throws {
    memory.rows[row.id] = (row, true)
    try note(row)
    memory.isNew = false
  }

  func update(_ row: Record) throws {
    memory.rows[row.id] = (row, memory.rows[row.id]?.isAdded ?? false)
    try note(row)
  }

  private func note(_ row: Record) throws {
    memory.isWritten = true
    if let moment = row.system.updatedAt {
      header.state.newestMoment = max(header.state.newestMoment ?? moment, moment)
      memory.lastRow = row.id
    }
    if memory.rows.count >= Self.mostKept { try transaction.flush() }
  }

  func save(lastMoment: Timestamp, digest: TableDigest) throws {
    header.state.lastMoment = lastMoment
    header.state.digest = digest
    memory.savedMoment = lastMoment
    memory.isWritten = true
  }

  override func row(_ id: RecordID) throws -> Record? {
    if let kept = memory.rows[id]?.record { return complete(kept) }
    if let known = memory.known[id] { return known.map(complete) }
    let found = try super.row(id)
    memory.known[id] = .some(found)
    return found
  }

  /// With each column of the list. A tombstone may show none.
  private func complete(_ row: Record) -> Record {
    var row = row
    let isEmpty = row.values.allSatisfy { $0.value == .null }
    if row.system.deleted, isEmpty {
      row.values = [:]
    } else {
      for column in header.columns where row.values[column.name] == nil { row.values[column.name] = .null }
    }
    return row
  }

  func prepare(_ ids: () -> [RecordID]) throws {
    let wanted = Set(ids()).filter { memory.rows[$0] == nil && memory.known[$0] == nil }
    guard wanted.count > 1, let listID else { return }
    let rows = try PostgreSQLFailure.named {
      try connection.run(
        "SELECT \(PostgreSQLQuery.columns) FROM ebb_item WHERE list_id = $1::uuid AND id = ANY ($2::text[])",
        [.text(listID), .array(wanted.map(\.text))])
    }
    for id in wanted { memory.known[id] = .some(nil) }
    for row in 0..<rows.count {
      guard let id = rows.text(row, 0).map({ RecordID($0) }) else { continue }
      // A damaged row is noticed when it is asked for.
      memory.known[id] = (try? ListedRow(rows, row, header.columns)).map { .some($0.record(header.columns)) }
    }
  }

  override func forEachRow(of query: ListQuery, _ body: (ListedRow) throws -> Bool) throws {
    try transaction.flush()
    try transaction.guarded { try super.forEachRow(of: query, body) }
  }

  override func count(of query: ListQuery) throws -> Int {
    try transaction.flush()
    return try transaction.guarded { try super.count(of: query) }
  }

  override func check() throws -> ListCheck {
    try transaction.flush()
    return try super.check()
  }

  func part<Value>(_ body: () throws -> (Value, isKept: Bool)) throws -> Value { try transaction.part(body) }

  func repair() throws -> ListCheck {
    try transaction.flush()
    let (check, unmarked) = try look()
    if check.stored != check.counted {
      header.state.digest = check.counted
      memory.isWritten = true
    }
    for row in unmarked { memory.rows[row.id] = (row, false) }
    if !unmarked.isEmpty { memory.isWritten = true }
    return check
  }
}

/// Tombstones.
extension PostgreSQLEditableList {
  func tombstones(after start: Timestamp, upTo end: Timestamp, among most: Int) throws -> TombstonePart {
    try transaction.flush()
    guard let listID else { return TombstonePart(reached: end) }
    let rows = try PostgreSQLFailure.named {
      try connection.run(
        """
        SELECT id, updated_at, deleted FROM ebb_item
        WHERE list_id = $1::uuid AND updated_at > $2 AND updated_at <= $3 ORDER BY updated_at LIMIT \(most)
        """, [.text(listID), .moment(start), .moment(end)])
    }
    var part = TombstonePart(reached: end)
    for row in 0..<rows.count where rows.bool(row, 2) == true {
      guard let id = rows.text(row, 0), let moment = rows.moment(row, 1) else { continue }
      part.ids.append(RecordID(id))
      part.newest = moment
    }
    if rows.count == most, let last = rows.moment(rows.count - 1, 1) { part.reached = last }
    return part
  }

  func removeTombstones(_ part: TombstonePart) throws {
    guard let listID, !part.ids.isEmpty else { return }
    keepBack(
      PostgreSQLStatement(
        "DELETE FROM ebb_item WHERE list_id = $1::uuid AND id = ANY ($2::text[])",
        [.text(listID), .array(part.ids.map(\.text))]))
    for id in part.ids { memory.known[id] = .some(nil) }
    header.state.tombstonesAfter = [header.state.tombstonesAfter, part.newest].compactMap(\.self).max()
  }
}

/// The answers that a list keeps for clients that did not get them.
extension PostgreSQLEditableList {
  func answer(_ id: String) throws -> KeptAnswer? {
    try transaction.flush()
    guard let listID else { return nil }
    let sql = """
      SELECT first_sent, fingerprint, status, etag, location, changed_at, body FROM ebb_answer
      WHERE list_id = $1::uuid AND id = $2
      """
    let rows = try PostgreSQLFailure.named { try connection.run(sql, [.text(listID), .text(id)]) }
    guard !rows.isEmpty else { return nil }
    // A damaged answer must not be given, and its request must not be run again.
    guard let firstSent = rows.moment(0, 0), let status = rows.integer(0, 2).flatMap({ Int(exactly: $0) }),
      (200..<400).contains(status), let fingerprint = rows.bytes(0, 1), let body = rows.bytes(0, 6)
    else { throw StorageError.refused("A kept answer is damaged.") }
    return KeptAnswer(
      id: id, firstSent: firstSent, fingerprint: fingerprint, status: status, eTag: rows.text(0, 3),
      location: rows.text(0, 4), changedAt: rows.moment(0, 5), body: body)
  }

  func keep(_ answer: KeptAnswer) throws {
    guard let listID else { return }
    keepBack(
      PostgreSQLStatement(
        """
        INSERT INTO ebb_answer (list_id, id, first_sent, fingerprint, status, etag, location, changed_at, body)
        VALUES ($1::uuid, $2, $3, $4, $5, $6, $7, $8, $9)
        """,
        [
          .text(listID), .text(answer.id), .moment(answer.firstSent), .bytes(answer.fingerprint),
          .integer(answer.status), .optional(answer.eTag), .optional(answer.location), .moment(answer.changedAt),
          .bytes(answer.body),
        ]))
  }

  func dropAnswers(upTo moment: Timestamp, most: Int, bytes: Int?) throws {
    guard let listID else { return }
    // With all younger ones, those that are more than so many bytes.
    let tooLarge = """
      , (SELECT max(first_sent) FROM (
          SELECT first_sent, sum(length(body)) OVER (ORDER BY first_sent DESC ROWS UNBOUNDED PRECEDING) AS size
          FROM ebb_answer WHERE list_id = $1::uuid) sizes WHERE size > \(bytes ?? 0))
      """
    memory.hasDroppedAnswers = true
    keepBack(
      PostgreSQLStatement(
        """
        WITH gone AS (
          DELETE FROM ebb_answer WHERE list_id = $1::uuid AND first_sent <= greatest($2::bigint,
            (SELECT first_sent FROM ebb_answer WHERE list_id = $1::uuid ORDER BY first_sent DESC LIMIT 1 OFFSET \(most))
            \(bytes == nil ? "" : tooLarge))
          RETURNING first_sent)
        UPDATE ebb_list SET answers_kept_after = greatest(answers_kept_after, last)
        FROM (SELECT max(first_sent) AS last FROM gone) AS dropped WHERE list_id = $1::uuid AND last IS NOT NULL
        """, [.text(listID), .moment(moment)]))
  }

  func answersKeptAfter() throws -> Timestamp? {
    guard memory.hasDroppedAnswers, let listID else { return header.answersKeptAfter }
    try transaction.flush()
    return try PostgreSQLFailure.named {
      try connection.run("SELECT answers_kept_after FROM ebb_list WHERE list_id = $1::uuid", [.text(listID)]).moment(
        0, 0)
    }
  }
}

/// Functions for the transaction.
extension PostgreSQLEditableList {
  /// Keeps a statement back that gives no rows.
  private func keepBack(_ statement: PostgreSQLStatement) {
    memory.others.append(statement)
    memory.isWritten = true
  }

  /// The statements that bring what is kept back into the database, and from then on is there.
  func takeStatements() -> [PostgreSQLStatement] {
    var (added, changed) = (PostgreSQLBatch(), PostgreSQLBatch())
    // In the order of their moments, in which they then also lie on the disk.
    let rows = memory.rows.values.sorted {
      ($0.record.system.updatedAt ?? .epoch) < ($1.record.system.updatedAt ?? .epoch)
    }
    for (record, isAdded) in rows {
      if isAdded { added.add(record, schema) } else { changed.add(record, schema) }
      memory.known[record.id] = .some(record)
    }
    memory.rows = [:]
    var statements: [PostgreSQLStatement] = []
    if added.count > 0 { statements.append(added.insert(into: header.listID)) }
    if changed.count > 0 { statements.append(changed.update(in: header.listID)) }
    statements += memory.others
    memory.others = []
    return statements
  }

  /// Everything that a part of the transaction may change, to be put back.
  func remember() -> () -> Void {
    var before = memory
    before.header = header
    return { [self] in
      if let header = before.header { self.header = header }
      memory = before
    }
  }
}
