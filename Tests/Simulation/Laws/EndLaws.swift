import OfflineSync
import TableProtocol

/// The laws that hold when everything has become quiet.
extension World {
  /// All but the rows that left without a trace, which only a full comparison finds.
  func checkAgreement() {
    for device in devices { checkAgreement(of: device, isCompared: false) }
  }

  func checkEnd() {
    for device in devices { checkAgreement(of: device, isCompared: true) }
    for home in Home.allCases {
      checkNothingLost(home)
      checkContents(home)
      checkNoRowTwice(home)
    }
  }

  private func checkAgreement(of device: SimulatedDevice, isCompared: Bool) {
    guard isCompared || !(device.isDamaged || device.needsComparison) else { return }
    checkBelief(of: device, isCompared: isCompared)
    let errors = device.errors
    let waiting = Set(errors.map(\.itemID))
    for operation in device.operations where !waiting.contains(operation.itemID) {
      blame(.journal, "device \(device.number) still has to send \(operation.kind) of \(operation.itemID)")
    }
    let refused = server(of: device).refused.union(server(of: device).forbidden)
    for error in errors where error.kind == .refused && !refused.contains(error.itemID) {
      blame(.journal, "device \(device.number): \(error.itemID) was refused with \(error.status)")
    }
    let server = server(of: device)
    let here = Dictionary(uniqueKeysWithValues: device.rows.map { ($0.id, $0) })
    let there = server.rows.filter { !$0.value.deleted }
    for id in Set(here.keys).union(there.keys).sorted() where !waiting.contains(id) {
      if server.hardDeleted.contains(id), there[id] == nil, !isCompared { continue }
      if server.untimed.contains(id), !isCompared { continue }
      // A comparison of a part of the rows does not ask for those with a change that waits (D23).
      let isPart = device.extent.isPartial || device.wasPartial
      if server.forgotten.contains(id), there[id] == nil, isPart, !isCompared { continue }
      // What left the filter is not heard of.
      if let values = server.rows[id]?.values ?? here[id]?.values, !device.extent.holds(values) { continue }
      let same =
        here[id]?.values == there[id]?.values.known && here[id]?.system.version == there[id]?.record.system.version
      if !same {
        blame(
          .agreement,
          "device \(device.number) has \(here[id].map(Self.text) ?? "no") \(id), "
            + "the server \(there[id].map { Self.text($0.record) } ?? "none")")
      }
    }
  }

  /// What waits to be sent without being in anybody's sight is lost, except while devices still sync.
  func checkNothingLost(_ home: Home, orWaiting: Bool = false) {
    let (server, ledger) = (servers[home.rawValue], ledgers[home.rawValue])
    for (word, id) in ledger.owed {
      if let row = server.rows[id], !row.deleted, row.values.words.contains(word) { continue }
      // Whoever puts back what a restored server, or another database, has too says nothing new; another device may
      // send back what came between (Q26).
      if hasGoneBack || copies > 0, home == .first, ledger.isContested(word, of: id) { continue }
      if orWaiting, devices.contains(where: { $0.row(id)?.values.words.contains(word) ?? false }) { continue }
      if !waitingWords(of: id, home).contains(word) { blame(.nothingLost, "\(word) of \(id) is nowhere") }
    }
    let waiting = orWaiting ? Set(devices.flatMap(\.operations).filter { $0.kind == .delete }.map(\.itemID)) : []
    for id in ledger.deletedForGood
    where server.rows[id]?.deleted == false && !hasConflict(id, home) && !waiting.contains(id) {
      blame(.nothingLost, "\(id) was deleted and is back")
    }
  }

  func hasConflict(_ id: RecordID, _ home: Home) -> Bool {
    devices.contains { $0.home == home && $0.errors.contains { $0.itemID == id } }
  }

  /// All words of an item that can be seen in a conflict.
  private func waitingWords(of id: RecordID, _ home: Home) -> Set<String> {
    devices.filter { $0.home == home }.reduce(into: []) { words, device in
      let errors = device.errors.filter { $0.itemID == id }
      guard !errors.isEmpty else { return }
      for error in errors {
        words.formUnion(error.item?.values.words ?? [])
        words.formUnion(error.serverItem?.values.words ?? [])
      }
      words.formUnion(device.row(id)?.values.words ?? [])
    }
  }

  private func checkNoRowTwice(_ home: Home) {
    let (server, ledger) = (servers[home.rawValue], ledgers[home.rawValue])
    var seen: [String: RecordID] = [:]
    for row in server.rows.values.sorted(by: { $0.id < $1.id }) where !row.deleted && !ledger.copies.contains(row.id) {
      for word in row.values.words {
        if let other = seen[word] { blame(.noRowTwice, "\(word) is in \(other) and in \(row.id)") }
        seen[word] = row.id
      }
    }
  }

  private static func text(_ record: Record) -> String {
    "\(record.system.version?.text ?? "unsent") \(record.values.words.sorted())"
  }
}
