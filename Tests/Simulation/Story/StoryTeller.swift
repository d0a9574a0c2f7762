import TableProtocol

/// Makes a world and what happens in it from one seed.
package struct StoryTeller {
  private var chance: Chance
  private var items = 0
  private var serial = 0
  private let settings: WorldSettings

  package init(seed: UInt64) {
    chance = Chance(seed: seed)
    settings = Self.settings(&chance)
  }

  package static func story(seed: UInt64) -> Story {
    var teller = StoryTeller(seed: seed)
    let count = teller.chance.number(10...80)
    return Story(seed: seed, settings: teller.settings, steps: (0..<count).map { _ in teller.step() })
  }

  private static func settings(_ chance: inout Chance) -> WorldSettings {
    let cap = chance.pick([1, 2, 3, 5, 10, 50, 100])
    let server: ServerManners =
      switch chance.number(0...3) {
      case 0: ServerManners(family: .ebb, version: .v3, pageCap: cap, hasRisingClock: true)
      case 1: ServerManners(family: .ebb, version: .v2, pageCap: cap, hasRisingClock: true)
      case 2: ServerManners(family: .node, version: .v2, pageCap: cap, hasRisingClock: chance.once(in: 2))
      default: ServerManners(family: .datasync, version: .v3, pageCap: cap, hasRisingClock: chance.once(in: 2))
      }
    return WorldSettings(
      devices: chance.number(2...5), server: server, tick: Int64(chance.pick([0, 1, 300, 1_000, 70_000])),
      travel: chance.pick([.oneByOne, .inPairs, .inBatches]))
  }

  private mutating func device() -> Int { chance.number(0...settings.devices - 1) }

  /// Mostly one of the last few, so that devices meet at it.
  private mutating func item() -> Int {
    chance.once(in: 3) ? chance.number(0...max(0, items - 1)) : max(0, items - 1 - chance.number(0...1))
  }

  private mutating func newSerial() -> Int {
    serial += 1
    return serial
  }

  private mutating func step() -> Step {
    switch chance.number(0...99) {
    case 0..<33: edit(on: device())
    case 33..<37: .resolve(device: device(), item: item(), chance.pick(Choice.allCases))
    case 37..<66: .sync(device: device(), parts())
    case 66..<73: .weather(device: device(), after: chance.number(0...3), chance.pick(Weather.allCases))
    case 73..<78: .crash(device: device(), after: chance.number(0...5), chance.pick([.beforeCommit, .afterCommit]))
    case 78..<83: meanwhile()
    case 83..<91: .foreign(foreign())
    case 91, 92: .time(milliseconds: 120_000)
    case 93: .deliverDelayed
    case 94: .commitLate
    case 95: chance.once(in: 2) ? .restartServer : .restart(device: device())
    case 96, 97: .time(milliseconds: chance.pick([1, 1, 40, 1_000, 20_000, 600_000]))
    case 98: .setClock(device: device(), milliseconds: chance.pick([-3_600_000, -5_000, 5_000, 3_600_000]))
    default: .setServerClock(milliseconds: chance.pick([-3_600_000, -20_000, -5, 1, 30_000, 3_600_000]))
    }
  }

  private mutating func edit(on device: Int) -> Step {
    if items == 0 || chance.once(in: 5) {
      items += 1
      return .add(device: device, item: items - 1, serial: newSerial())
    }
    let item = item()
    switch chance.number(0...14) {
    case 0...3:
      return .editWord(
        device: device, item: item, column: chance.pick(Column.allCases), word: chance.number(0...3),
        serial: newSerial())
    case 4...6: return .rewrite(device: device, item: item, column: chance.pick(Column.allCases), serial: newSerial())
    case 7...8: return .toggle(device: device, item: item)
    case 9...11: return .revert(device: device, item: item)
    case 12...13: return .delete(device: device, item: item)
    default: return .undelete(device: device, item: item)
    }
  }

  private mutating func parts() -> SyncParts {
    let which = chance.number(0...7)
    return SyncParts(
      pushes: which > 1, pulls: which != 2, isFull: chance.once(in: 12), pageSize: chance.pick([1, 2, 3, 7, 20, 100]))
  }

  private mutating func meanwhile() -> Step {
    let device = device()
    let moment = chance.pick([Moment.beforeServerActs, .afterServerActed])
    let steps = (0..<chance.number(1...3)).map { _ -> Step in
      switch chance.number(0...4) {
      case 0, 1: edit(on: device)
      case 2: .foreign(foreign())
      case 3: .sync(device: self.device(), parts())
      default: edit(on: self.device())
      }
    }
    return .meanwhile(device: device, after: chance.number(0...3), moment, steps)
  }

  private mutating func foreign() -> ForeignChange {
    let item = item()
    switch chance.number(0...11) {
    case 0, 1:
      items += 1
      return .add(item: items - 1, serial: newSerial())
    case 2...5: return .rewrite(item: item, chance.pick(Column.allCases), serial: newSerial())
    case 6, 7: return .rewriteLate(item: item, chance.pick(Column.allCases), serial: newSerial())
    case 8, 9: return .delete(item: item)
    case 10: return .undelete(item: item)
    default: return .hardDelete(item: item)
    }
  }
}

/// A world and all that happens in it.
package struct Story: Sendable, Hashable {
  package let seed: UInt64
  package let settings: WorldSettings
  package var steps: [Step]
}
