import OfflineSync
import TableProtocol

/// What the rows of a server hold in the end, against what people and other clients made of them.
extension World {
  func checkContents(_ home: Home) {
    let (server, ledger) = (servers[home.rawValue], ledgers[home.rawValue])
    for row in server.rows.values.sorted(by: { $0.id < $1.id }) where !row.deleted && !hasConflict(row.id, home) {
      checkWords(row, ledger)
      if let color = server.painted[row.id], row.values[SimulatedTable.color] != color {
        blame(.columns, "\(row.id) has lost what another client wrote into a column of its own")
      }
      checkBirth(row, server)
    }
    for (id, isComplete) in ledger.agreedCompletions where !(hasGoneBack && home == .first) && !hasConflict(id, home) {
      guard let row = server.rows[id], !row.deleted, row.values.isComplete != isComplete else { continue }
      blame(.completion, "\(id) is \(isComplete ? "open" : "completed"), which nobody said last")
    }
  }

  private func checkWords(_ row: ServerRow, _ ledger: Ledger) {
    // After a restore anybody may send anything back.
    let wasRestored = hasGoneBack && ledger === self.ledger
    if !wasRestored, let word = ledger.decidedAgainst[row.id]?.intersection(row.values.words).min() {
      blame(.decisions, "\(word) was decided against and is in \(row.id)")
    }
    // In another database a text that became again what it was looks like one from before, and a device that knows
    // the later one sends that (Q26).
    let mayBeBack = copies > 0 && ledger === self.ledger ? ledger.takenBack[row.id] ?? [] : []
    if !wasRestored, let word = ledger.gone[row.id]?.subtracting(mayBeBack).intersection(row.values.words).min() {
      blame(.words, "\(word) was taken out and is in \(row.id)")
    }
    for column in Column.allCases {
      let words = row.values.words(of: column)
      if Set(words).count < words.count { blame(.words, "a word is twice in the \(column) of \(row.id)") }
      if !ledger.moved.contains(row.id), !Self.isInOrder(words) {
        blame(.words, "the words of \(row.id) are in an order that nobody wrote: \(words)")
      }
    }
  }

  /// True if words that were written together follow each other as they did then: their last digit counts them.
  private static func isInOrder(_ words: [String]) -> Bool {
    var last: [Substring: Character] = [:]
    for word in words {
      guard let digit = word.last, digit.isNumber else { continue }
      if let before = last.updateValue(digit, forKey: word.dropLast()), before > digit { return false }
    }
    return true
  }

  private func checkBirth(_ row: ServerRow, _ server: SimulatedServer) {
    guard server.manners.tellsBirth else { return }
    for device in devices where device.home == server.home {
      guard let here = device.row(row.id), here.system.version == row.version.version else { continue }
      if here.system.createdAt != row.record.system.createdAt {
        blame(.birth, "device \(device.number) takes \(row.id) for made at another time than the server")
      }
    }
  }
}
