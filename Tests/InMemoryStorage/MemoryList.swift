import InMemoryStore
import TableProtocol
import TableSQL
import TableStorage

/// One list in memory, with the changes of one transaction.
final class MemoryList: EditableList {
  let id: ListID
  var content: MemoryContent
  /// The lists that were written to, in this transaction too.
  var written: () -> [ListID] = { [] }

  init(_ id: ListID, _ content: MemoryContent) {
    self.id = id
    self.content = content
  }

  func otherListsOfOwner() -> Int { Set(written()).count { $0.owner == id.owner && $0 != id } }
  var isNew: Bool { content.isNew }
  /// This storage gives none out.
  func wereTokensGiven() -> Bool { false }
  func isOwnerAdmitted() -> Bool { true }

  var schema: TableSchema { TableSchema(columns: content.columns) }
  var newest: Timestamp? {
    (content.rows.values.map(\.system.updatedAt) + [content.tombstonesAfter]).compactMap(\.self).max()
  }

  func state() -> ListState {
    ListState(
      lastMoment: content.lastMoment, newestMoment: newest, tombstonesAfter: content.tombstonesAfter,
      digest: content.digest, epoch: content.epoch)
  }

  func row(_ id: RecordID) -> Record? { content.rows[id].map { listed(complete($0)).record(content.columns) } }

  func forEachRow(of query: ListQuery, _ body: (ListedRow) throws -> Bool) throws {
    let keys = QuerySQL.completed(query.order)
    var page = try evaluation(of: query).page(of: live(query)).map { listed(complete($0)) }
    if let place = query.place {
      page = Array(page.drop { row in !isAfter(keys.map { row.value($0.column, schema) ?? .null }, place, keys) })
    }
    for row in page.dropFirst(query.skip).prefix(query.limit) {
      guard try body(row) else { return }
    }
  }

  func count(of query: ListQuery) throws -> Int { try evaluation(of: query).matching(live(query)).count }

  func check() -> ListCheck {
    var check = ListCheck(id, stored: content.digest)
    for row in content.rows.values where !row.system.deleted {
      check.counted.add(row.id, row.system.version ?? RecordVersion(""))
    }
    return check
  }

  func repair() -> ListCheck {
    let check = check()
    content.digest = check.counted
    return check
  }

  func add(_ columns: [TableColumn]) { content.columns += columns }
  func insert(_ row: Record) {
    content.rows[row.id] = row
    content.isNew = false
  }

  func update(_ row: Record) { content.rows[row.id] = row }

  private(set) var isSaved = false

  func save(lastMoment: Timestamp, digest: TableDigest) {
    isSaved = true
    content.lastMoment = lastMoment
    content.digest = digest
  }

  func tombstones(after start: Timestamp, upTo end: Timestamp, among most: Int) -> TombstonePart {
    let moment = { (row: Record) in row.system.updatedAt ?? .epoch }
    let rows = content.rows.values.filter { moment($0) > start && moment($0) <= end }
      .sorted { moment($0) < moment($1) }.prefix(most)
    let old = rows.filter(\.system.deleted)
    return TombstonePart(
      ids: old.map(\.id), newest: old.last.map(moment), reached: rows.count < most ? end : rows.last.map(moment) ?? end)
  }

  func removeTombstones(_ part: TombstonePart) {
    for id in part.ids { content.rows[id] = nil }
    content.tombstonesAfter = [content.tombstonesAfter, part.newest].compactMap(\.self).max()
  }

  func answer(_ id: String) -> KeptAnswer? { content.answers[id] }
  func answersKeptAfter() -> Timestamp? { content.answersKeptAfter }

  func keep(_ answer: KeptAnswer) { content.answers[answer.id] = answer }

  func dropAnswers(upTo moment: Timestamp, most: Int, bytes: Int?) {
    let answers = content.answers.values.sorted { $0.firstSent > $1.firstSent }
    let sent = answers.map(\.firstSent)
    var room = bytes ?? .max
    let tooLarge = answers.first { answer in
      room -= answer.body.count
      return room < 0
    }
    let last = max(moment, sent.dropFirst(most).first ?? moment, tooLarge?.firstSent ?? moment)
    guard let youngest = sent.first(where: { $0 <= last }) else { return }
    content.answers = content.answers.filter { $0.value.firstSent > last }
    content.answersKeptAfter = max(content.answersKeptAfter ?? youngest, youngest)
  }

  func part<Value>(_ body: () throws -> (Value, isKept: Bool)) throws -> Value {
    let before = content
    do {
      let (value, isKept) = try body()
      if !isKept { content = before }
      return value
    } catch {
      content = before
      throw error
    }
  }

  private func live(_ query: ListQuery) -> [Record] {
    content.rows.values.filter { query.includesDeleted || !$0.system.deleted }
  }

  private func evaluation(of query: ListQuery) -> QueryEvaluation {
    QueryEvaluation(TableQuery(table: id.table.name, filter: query.filter, order: query.order)) { [schema] name in
      switch schema.propertyName(name) {
      case nil: nil
      case SystemColumn.createdAt, SystemColumn.updatedAt: .timestampText
      case SystemColumn.deleted: .bool
      case SystemColumn.id, SystemColumn.version: .text
      case let name?:
        schema.index(of: name).map { index in
          switch schema.columns[index].kind {
          case .text: .text
          case .bool: .bool
          case .number: .number
          }
        }
      }
    }
  }

  private func complete(_ row: Record) -> Record {
    var row = row
    for column in content.columns where row.values[column.name] == nil { row.values[column.name] = .null }
    return row
  }

  private func listed(_ row: Record) -> ListedRow {
    ListedRow(
      id: row.id, values: content.columns.map { row.values[$0.name] ?? .null },
      createdAt: row.system.createdAt ?? .epoch, updatedAt: row.system.updatedAt ?? .epoch,
      version: row.system.version ?? RecordVersion(""), deleted: row.system.deleted)
  }

  private func isAfter(_ row: [FieldValue], _ place: [FieldValue], _ keys: [SortKey]) -> Bool {
    for (key, (value, bound)) in zip(keys, zip(row, place)) where value != bound {
      return (value.rank < bound.rank || value.rank == bound.rank && value.isLess(bound)) != key.ascending
    }
    return false
  }
}

extension FieldValue {
  fileprivate var rank: Int {
    switch self {
    case .null: 0
    case .bool, .integer, .real: 1
    case .text: 2
    }
  }

  fileprivate func isLess(_ other: FieldValue) -> Bool {
    if case (.text(let left), .text(let right)) = (self, other) {
      return left.utf8.lexicographicallyPrecedes(right.utf8)
    }
    return number < other.number
  }

  private var number: Double {
    switch self {
    case .null, .text: 0
    case .bool(let bool): bool ? 1 : 0
    case .integer(let integer): Double(integer)
    case .real(let real): real
    }
  }
}
