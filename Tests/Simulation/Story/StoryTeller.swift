import Chance
import TableProtocol

/// Makes a world and what happens in it from one seed.
package struct StoryTeller {
  private var chance: SeededGenerator
  private var items = 0
  private var serial = 0
  private let settings: WorldSettings

  package init(seed: UInt64) {
    chance = SeededGenerator(seed: seed)
    settings = WorldSettings(&chance)
  }

  /// The same seed with other edges is the same story with other steps put in between.
  package static func story(
    seed: UInt64, edges: Set<Edge> = Set(Edge.allCases), laws: Set<Law> = Set(Law.allCases)
  ) -> Story {
    var teller = StoryTeller(seed: seed)
    let crowd = teller.crowd()
    let count = teller.chance.number(10...80)
    var story = Story(seed: seed, settings: teller.settings, steps: crowd + (0..<count).map { _ in teller.step() })
    story.settings.laws = laws
    story.add(edges, items: teller.items)
    return story
  }

  /// Now and then a list is long enough for the guard, or for a page of the old server.
  private mutating func crowd() -> [Step] {
    guard chance.once(in: settings.server.cutsSilently ? 8 : 24) else { return [] }
    let size = settings.server.cutsSilently ? 60 : chance.number(20...26)
    defer { (items, serial) = (size, size) }
    return [.foreign(.addMany(items: 0..<size, serial: 1))]
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
    if chance.once(in: 20) { return rareStep() }
    switch chance.number(0...99) {
    case 0..<33: return edit(on: device())
    case 33..<37: return .resolve(device: device(), item: item(), chance.pick(Choice.allCases))
    case 37..<66: return .sync(device: device(), parts())
    case 66..<73: return .weather(device: device(), after: chance.number(0...3), chance.pick(Weather.ordinary))
    case 73..<78:
      return .crash(device: device(), after: chance.number(0...5), chance.pick([.beforeCommit, .afterCommit]))
    case 78..<83: return meanwhile()
    case 83..<91: return .foreign(foreign())
    case 91, 92: return .time(milliseconds: 120_000)
    case 93: return .deliverDelayed
    case 94: return .commitLate
    case 95: return chance.once(in: 2) ? .restartServer : .restart(device: device())
    case 96, 97: return .time(milliseconds: chance.pick([1, 1, 40, 1_000, 20_000, 600_000]))
    case 98: return .setClock(device: device(), milliseconds: chance.pick([-3_600_000, -5_000, 5_000, 3_600_000]))
    default: return .setServerClock(milliseconds: chance.pick([-3_600_000, -20_000, -5, 1, 30_000, 3_600_000]))
    }
  }

  /// What does not happen in every world.
  private mutating func rareStep() -> Step {
    switch chance.number(0...12) {
    case 0...3: return .serverRefuses(item: item(), true)
    case 4: return .serverRefuses(item: item(), false)
    case 5: return .purge(device: device(), chance.pick(PurgeExtent.allCases))
    case 6: return .otherAccount(device: device(), parts(), takesAlong: chance.once(in: 3))
    case 7: return .serverMoves
    case 8: return .foreign(.deleteMany(items: 0..<items))
    case 9: return contend()
    default:
      let device = device()
      return .meanwhile(device: device, after: chance.number(0...3), moment(), [.cancel(device: device)])
    }
  }

  private mutating func contend() -> Step {
    let count = chance.number(2...8)
    defer { serial += count }
    return .contend(device: device(), item: item(), requests: count, serial: serial + 1)
  }

  private mutating func edit(on device: Int) -> Step {
    if items == 0 || chance.once(in: 5) {
      items += 1
      return .add(device: device, item: items - 1, serial: newSerial())
    }
    let item = item()
    switch chance.number(0...16) {
    case 0...3:
      return .editWord(
        device: device, item: item, column: chance.pick(Column.allCases), word: chance.number(0...3),
        serial: newSerial())
    case 4...6: return .rewrite(device: device, item: item, column: chance.pick(Column.allCases), serial: newSerial())
    case 7...8: return .toggle(device: device, item: item)
    case 9...11: return .revert(device: device, item: item)
    case 12...13: return .delete(device: device, item: item)
    case 14: return .undo(device: device)
    case 15: return chance.once(in: 2) ? .undo(device: device) : .redo(device: device)
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
    let steps = (0..<chance.number(1...3)).map { _ -> Step in
      switch chance.number(0...6) {
      case 0, 1: edit(on: device)
      case 2: .foreign(foreign())
      case 3: .sync(device: self.device(), parts())
      case 4: chance.once(in: 2) ? .cancel(device: device) : .restart(device: device)
      default: edit(on: self.device())
      }
    }
    return .meanwhile(device: device, after: chance.number(0...3), moment(), steps)
  }

  private mutating func moment() -> Moment { chance.pick([.beforeServerActs, .afterServerActed]) }

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
