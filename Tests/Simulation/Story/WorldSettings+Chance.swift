import Chance
import OfflineSync
import TableProtocol

extension WorldSettings {
  init(_ chance: inout SeededGenerator) {
    let count = chance.number(2...5)
    self.init(
      devices: count,
      extents: (0..<count).map { _ in chance.once(in: 8) ? chance.pick([.allCompared, .open]) : .all },
      deciders: (0..<count).map { _ in chance.once(in: 6) ? chance.pick(Choice.allCases) : nil },
      server: ServerManners(&chance), tick: Int64(chance.pick([0, 1, 300, 1_000, 70_000])),
      travel: chance.pick([.oneByOne, .inPairs, .inBatches]), endsRefusing: chance.once(in: 4),
      restoreAnswers: Array(repeating: .sendBack, count: count))
  }
}

extension ServerManners {
  fileprivate init(_ chance: inout SeededGenerator) {
    let cap = chance.pick([1, 2, 3, 5, 10, 50, 100])
    switch chance.number(0...3) {
    case 0: self.init(family: .ebb, version: .v3, pageCap: cap, hasRisingClock: true)
    case 1: self.init(family: .ebb, version: .v2, pageCap: cap, hasRisingClock: true)
    case 2:
      // The old server cuts at 50 rows and does not say so.
      self.init(
        family: .node, version: .v2, pageCap: cap, cutsSilently: cap == 50, hasRisingClock: chance.once(in: 2))
    default: self.init(family: .datasync, version: .v3, pageCap: cap, hasRisingClock: chance.once(in: 2))
    }
  }
}
