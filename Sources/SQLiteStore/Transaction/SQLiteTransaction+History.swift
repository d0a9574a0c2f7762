import FoundationEssentials
import GRDB
import OfflineSync
import TableProtocol

extension SQLiteTransaction {
  func historyStep(undone: Bool, in table: String) throws -> [HistoryEntry] {
    let newest = undone ? "undone ORDER BY id" : "NOT undone ORDER BY id DESC"
    let state = undone ? "undone" : "NOT undone"
    let statement = try database.cachedStatement(
      sql: """
        SELECT id, step, itemId, properties FROM Ebb_History
        WHERE "table" = ?1 AND \(state)
        AND step = (SELECT step FROM Ebb_History WHERE "table" = ?1 AND \(newest) LIMIT 1) ORDER BY id
        """)
    return try Row.fetchAll(statement, arguments: [table]).map { row in
      let properties = try HistoryProperties(json: row[3])
      let change = RowChange(
        table: table, itemID: RecordID(row[2]), before: properties.before, after: properties.after,
        decision: properties.decision)
      return HistoryEntry(id: row[0], step: row[1], change: change, isUndone: undone)
    }
  }

  func hasHistory(ofItem itemID: RecordID, in table: String) throws -> Bool {
    let statement = try database.cachedStatement(
      sql: #"SELECT EXISTS (SELECT 1 FROM Ebb_History WHERE itemId = ? AND "table" = ?)"#)
    return try Bool.fetchOne(statement, arguments: [itemID.text, table]) ?? false
  }

  func appendHistory(_ changes: [RowChange], keeping limit: Int) throws {
    try database.cachedStatement(sql: "DELETE FROM Ebb_History WHERE undone").execute()
    let step = (try number("SELECT max(step) FROM Ebb_History") ?? 0) + 1
    let insert = try database.cachedStatement(
      sql: #"INSERT INTO Ebb_History (step, "table", itemId, properties) VALUES (?, ?, ?, ?)"#)
    for change in changes {
      try insert.execute(arguments: [step, change.table, change.itemID.text, HistoryProperties(change).json])
    }
    let most = database.lastInsertedRowID - Int64(limit) * 100
    let crowd = try number("SELECT step FROM Ebb_History WHERE id <= ? ORDER BY id DESC LIMIT 1", [most]) ?? 0
    try database.cachedStatement(sql: "DELETE FROM Ebb_History WHERE step <= ?")
      .execute(arguments: [max(step - Int64(limit), min(crowd, step - 1))])
  }

  private func number(_ sql: String, _ arguments: StatementArguments = []) throws -> Int64? {
    try Int64.fetchOne(database.cachedStatement(sql: sql), arguments: arguments)
  }

  func replaceHistory(_ entry: HistoryEntry) throws {
    try database.cachedStatement(sql: "UPDATE Ebb_History SET undone = ?, properties = ? WHERE id = ?")
      .execute(arguments: [entry.isUndone, HistoryProperties(entry.change).json, entry.id])
  }

  func removeHistory(_ id: Int64) throws {
    try database.cachedStatement(sql: "DELETE FROM Ebb_History WHERE id = ?").execute(arguments: [id])
  }
}

/// The JSON of `Ebb_History.properties`. Written and read by hand: there may be thousands in one step.
private struct HistoryProperties {
  var before: Record?
  var after: Record?
  /// Of a decision: the bases of the row before and after it.
  var decision: DecidedBases?

  init(_ change: RowChange) {
    before = change.before
    after = change.after
    decision = change.decision
  }

  init(json data: Data) throws {
    var reader = try JSONReader(Array(data))
    var bases: (before: ServerSide, after: ServerSide) = (.never, .never)
    var sent: Columns?
    try reader.beginObject()
    while let name = try reader.nextName() {
      switch name {
      case "before": before = try Record.orNull(&reader)
      case "after": after = try Record.orNull(&reader)
      case "decision": if try reader.word() == true { decision = DecidedBases(before: .never, after: .never) }
      case "baseBefore": bases.before = ServerSide(try Record(from: &reader))
      case "baseAfter": bases.after = ServerSide(try Record(from: &reader))
      case "sent": sent = try Record(from: &reader).values
      default: _ = try reader.raw()
      }
    }
    try reader.end()
    if decision != nil { decision = DecidedBases(before: bases.before, after: bases.after, sent: sent) }
  }

  /// A base of which nothing is known is a bare tombstone, as in the journal.
  var json: Data {
    var members: [(String, Record)] = []
    if let before { members.append(("before", before)) }
    if let after { members.append(("after", after)) }
    let id = (after ?? before)?.id ?? ""
    for (name, side) in [("baseBefore", decision?.before), ("baseAfter", decision?.after)] {
      if let record = side?.stored(as: id) { members.append((name, record)) }
    }
    if let sent = decision?.sent { members.append(("sent", Record(id: id, values: sent))) }
    var writer = JSONWriter()
    writer.raw("{")
    for (place, (name, record)) in members.enumerated() {
      writer.member(name, isFirst: place == 0)
      record.write(to: &writer)
    }
    if decision != nil {
      writer.member("decision", isFirst: members.isEmpty)
      writer.raw("true")
    }
    writer.raw("}")
    return Data(writer.bytes)
  }
}

extension ServerSide {
  /// What stands for it in JSON; nil for a row that no server has heard of.
  fileprivate func stored(as id: RecordID) -> Record? {
    switch self {
    case .never: nil
    case .known(let copy), .tombstone(let copy): copy
    case .unknown: Record(id: id, system: SystemProperties(deleted: true))
    }
  }
}
