import OfflineSync
import TableProtocol

/// What a device should remember of its rows, by what was seen of it from outside.
struct Remembrance {
  /// The rows as the person there saw them last.
  var seen: [RecordID: [String: FieldValue]]
  /// The rows as they were after the last step.
  var held: [RecordID: [String: FieldValue]]
  /// The number of the newest version of each row, then.
  var numbers: [RecordID: Int64]
  /// What a pull brings is told as news.
  var isTold: Bool
}

/// The laws of what a device remembers: they hold after every step, also when the program died in it.
extension World {
  func checkMemory(of device: SimulatedDevice) {
    var now = device.remembrance
    if let before = device.memory {
      checkStories(of: device, before, now)
      if before.isTold {
        now.seen = before.seen
        checkArrivals(of: device, &now)
      }
    }
    device.memory = now
  }

  /// No row becomes another without a word of what it was.
  private func checkStories(of device: SimulatedDevice, _ before: Remembrance, _ now: Remembrance) {
    for id in Set(before.held.keys).union(now.held.keys) where before.held[id] != now.held[id] {
      let last = before.numbers[id] ?? 0
      let steps = device.versions(of: id).filter { $0.number > last }
      // What a row that came from the server is at first can be read off it, until it changes again.
      if before.held[id] == nil, last == 0, steps.first.map({ $0.before != nil }) ?? true { continue }
      if steps.isEmpty || steps.first?.before?.values != before.held[id] {
        blame(.memory, "device \(device.number) does not remember what \(id) was")
      }
      if let end = steps.last?.before, end.values == now.held[id] {
        blame(.memory, "device \(device.number) remembers a change of \(id) that changed nothing")
      }
    }
  }

  /// What syncs made of a row since it was seen is told, and nothing else is.
  private func checkArrivals(of device: SimulatedDevice, _ memory: inout Remembrance) {
    let arrivals = device.arrivals
    for id in Set(memory.seen.keys).union(memory.held.keys).union(arrivals.keys) {
      // A copy that a decision made.
      if memory.seen[id] == nil, arrivals[id] == nil, id.text.hasPrefix("device\(device.number)-") {
        memory.seen[id] = memory.held[id]
      }
      let arrival = arrivals[id]
      if memory.seen[id] == memory.held[id] {
        if let arrival, arrival.kind != RowArrival.merged {
          blame(.memory, "device \(device.number) tells of \(id), which is as it was seen")
        }
      } else if arrival == nil {
        blame(.memory, "device \(device.number) does not tell that \(id) changed")
      } else if arrival?.before?.values != memory.seen[id] {
        blame(.memory, "device \(device.number) does not tell what \(id) was when it was seen")
      }
    }
  }
}

extension SimulatedDevice {
  /// The person at the device changed a row, or decided about it, and saw it by that.
  func saw(_ id: RecordID) {
    // News that a conflict ended by itself says nothing of another row than the one that is there.
    let news = arrivals[id].flatMap { $0.kind == RowArrival.merged ? nil : $0 }
    memory?.seen[id] = news.map { $0.before?.values } ?? row(id)?.values
  }

  func versions(of id: RecordID) -> [PastVersion] {
    look { try $0.pastVersions(of: id, in: SimulatedTable.name) } ?? []
  }

  /// By the id of the row.
  var arrivals: [RecordID: RowArrival] {
    let arrivals = look { try $0.arrivals(in: SimulatedTable.name) } ?? []
    return Dictionary(arrivals.map { ($0.itemID, $0) }, uniquingKeysWith: { $1 })
  }

  /// What there is to go by when nothing was seen before.
  var remembrance: Remembrance {
    let held = Dictionary(rows.map { ($0.id, $0.values) }, uniquingKeysWith: { $1 })
    var seen = held
    for (id, arrival) in arrivals where arrival.kind != RowArrival.merged { seen[id] = arrival.before?.values }
    var known = Set(held.keys).union(memory?.numbers.keys.map { $0 } ?? [])
    known.formUnion(memory?.held.keys.map { $0 } ?? [])
    let numbers = known.reduce(into: [:]) { $0[$1] = versions(of: $1).last?.number }
    let isTold = look { store in
      try store.fact(SyncFact.lastPull) != nil || store.fact(SyncFact.requiredComparison) != nil
    }
    return Remembrance(seen: seen, held: held, numbers: numbers, isTold: isTold ?? false)
  }
}
