import Chance
import OfflineSync

extension Edge {
  /// Keeps its chance apart from that of others, whichever there are: FNV-1a of its name.
  fileprivate var salt: UInt64 {
    rawValue.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}

/// Makes the steps of one edge from the seed of a story.
struct EdgeTeller {
  let edge: Edge
  let devices: Int
  /// Items of the ordinary story.
  let items: Int
  /// Numbers of items and words that no other edge uses.
  let ownItems: Int
  var chance: SeededGenerator
  private var serial: Int
  /// True if the server of this world is put back from backups.
  private(set) var hasRestores = false

  init(_ edge: Edge, number: Int, seed: UInt64, devices: Int, items: Int) {
    self.edge = edge
    self.devices = devices
    self.items = items
    chance = SeededGenerator(seed: seed &+ edge.salt)
    ownItems = (number + 1) * 1_000
    serial = (number + 1) * 10_000
  }

  /// Call once, first.
  var isChosen: Bool { mutating get { chance.once(in: edge.rarity) } }

  mutating func place(among count: Int) -> Int { chance.number(0...count) }

  mutating func device() -> Int { chance.number(0...devices - 1) }
  mutating func item() -> Int { chance.number(0...max(0, items - 1)) }
  mutating func column() -> Column { chance.pick(Column.allCases) }
  mutating func moment() -> Moment { chance.pick([.beforeServerActs, .afterServerActed]) }

  mutating func serials(_ count: Int = 1) -> Int {
    defer { serial += count }
    return serial
  }

  mutating func answer() -> RestoreAnswer { chance.once(in: 3) ? .keepServers : .sendBack }

  func sync(_ device: Int, pageSize: Int = 100) -> Step {
    .sync(device: device, SyncParts(pushes: true, pulls: true, pageSize: pageSize))
  }

  func syncAll() -> [Step] { (0..<devices).map { sync($0) } }

  /// Two devices, not the same.
  mutating func pair() -> (Int, Int) {
    let first = device()
    return (first, (first + chance.number(1...devices - 1)) % devices)
  }

  /// What the world needs to have from its beginning.
  mutating func prepare(_ settings: inout WorldSettings) {
    if edge == .births { settings.server.tellsBirth = false }
    if edge == .silentCuts {
      settings.server.cutsSilently = true
      settings.server.pageCap = chance.pick([1, 2, 3, 5, 10, 20])
    }
    if edge == .collation { settings.server.ignoresCase = true }
    if edge == .hiddenBatches { settings.server.hidesBatches = true }
    if edge == .removedLists { hasRestores = settings.edges.contains(.restoredServer) }
    if edge == .restoredServer, chance.once(in: 3) {
      settings.restoreAnswers = settings.restoreAnswers.map { _ in answer() }
    }
    if edge == .whileAsked { settings.deciders = settings.deciders.map { _ in chance.pick(Choice.allCases) } }
  }
}
