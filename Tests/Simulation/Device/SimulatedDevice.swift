import InMemoryStore
import OfflineSync
import TableProtocol

/// One device: its store, the programs on it, and what is going to happen to their requests and commits.
final class SimulatedDevice {
  let number: Int
  var disk = InMemoryStore(tables: [SimulatedTable.local])
  var extent: Extent
  /// True when it kept a part of the rows, and has not compared all of them since: what it left out may be gone, and
  /// the tombstone forgotten (P9).
  var wasPartial = false
  /// True when it has begun to read a list whose epoch it did not know, and has not come to its end since: the rows that
  /// it has read already are compared as those of the epochs before are (W4).
  var isAmidEpoch = false
  /// False from when it keeps other rows until it has pulled those.
  var isPulledOnce = true
  let environment: Environment
  private(set) var store: any LocalStore
  private(set) var table: SyncTable
  /// Oldest first. At most the last is alive.
  var programs: [Program] = []
  /// Milliseconds by which its clock is wrong.
  var clockError: Int64 = 0
  /// A forced purge dropped changes that may have been on their way.
  var hasForgotten = false
  /// What it should remember; nil when that is to be found out anew.
  var memory: Remembrance?
  /// The id that the next row gets; nil for any.
  var nextID: String?
  /// Rows as they were when this device deleted them.
  var deletedRows: [RecordID: Record] = [:]
  /// Whose list it keeps, by what was decided.
  var home = Home.first
  /// Whose list the disk says it is.
  var knownOwner: (text: String?, account: Account?) = (nil, nil)
  /// What it would lose by going to another account, while it was told to.
  var departure: Waiting?
  /// What its delegate decided last, until it is known whether that came to the disk.
  var decision: Decision?
  /// How often its delegate was asked in this sync, by operation.
  var asked: [Int64: Int] = [:]
  /// True when something happened on the device while this sync ran.
  var wasDisturbed = false
  /// True when the server did not know the user in this sync, who asked something.
  private var metDenial = false
  /// The rows whose change it denied for that reason, and has not taken since.
  var denied: Set<RecordID> = []

  /// Who is signed in.
  var user = ""
  /// What the person does when the delegate is asked next.
  var whileAsked: [AskedStep] = []
  /// How many rows were lost from its disk, which no full comparison has brought back.
  var damagedRows = 0
  var isDamaged: Bool { damagedRows > 0 }
  /// Rows that it was to add when it was backed up: put back, it does not know whether it has sent them since.
  var unsent: Set<RecordID> = []
  var backup: (disk: InMemoryStore, home: Home, lastClock: HeardClock?)?
  /// When its rows were made, as it says.
  var births: [RecordID: Birth] = [:]
  /// The server of which it holds versions.
  var versionsOf: String?
  /// The rows it had when a pull was first stopped that would have removed most of them.
  var firstStop: (rows: Set<RecordID>, total: Int, since: Set<RecordID>)?

  /// The rows of which it was asked whether the server is to have them back, and was told so or not in this sync.
  var heldRows: [RecordID: HeldRow] = [:]
  /// Rows that the server had lost, and that were deleted while it asked about them. It has not asked again since.
  var deletedWhileAsked: Set<RecordID> = []
  /// The server's clock with the last list.
  var lastClock: HeardClock?
  /// How many lists it gets from something that has kept an older one.
  var staleLists = 0
  /// How many of its changes go to nobody, and are answered with the row as it is.
  var otherAnswers = 0
  /// Why it may have missed something that only a comparison of all rows brings.
  var gaps: Set<Gap> = []
  var needsComparison: Bool { !gaps.isEmpty }
  /// True when a sync began with a list by which it can know that the server's clock stepped far back.
  var hasHeardStep = false
  /// True when it was shown an older list and has not finished a pull since.
  var isStale = false
  /// True when a change that waits may have been made from an older copy than the server had given before.
  var mayMistake = false
  /// True when it was shown a list in this sync.
  var gotList = false
  /// True when it was shown an older list in this sync.
  var metOldList = false
  /// Which of two programs is used, and the epochs that each has heard, by address.
  var window = 0
  var heard: [[String: DatabaseEpoch?]] = [[:], [:]]
  /// Its connection for notices, the clock of that, and what the server said last.
  var line = NoticeLine()
  var uptime = 0
  var lastLevel: ListLevel?
  /// Pulls that notices have asked for.
  var noticedPulls = 0
  /// What both sides were found to have at the end of this sync.
  var comparison: TableComparison?

  /// The number of the next.
  private(set) var requests = 0
  private var commits = 0
  private var weather: [Int: Weather] = [:]
  private var crashes: [Int: Crash] = [:]
  private var meanwhile: [(request: Int, moment: Moment, steps: [Step])] = []

  init(_ number: Int, in world: World) {
    self.number = number
    extent = world.settings.extents[number]
    let prefix = "device\(number)-"
    let now: @Sendable () -> Timestamp = { [unowned world] in world.time(of: number) }
    let newID: @Sendable () -> String = { [unowned world] in world.nextID(of: number) ?? world.newID(prefix) }
    environment = Environment(now: now, newID: newID)
    store = disk
    table = SyncTable(SimulatedTable.name, store: disk, environment: environment)
    start(in: world)
  }

  /// Another program begins to run; one that ran before is dead from now on.
  func start(in world: World) {
    if !programs.isEmpty { die() }
    let mortal = MortalStore(base: disk, world: world, device: number, program: programs.count)
    programs.append(Program())
    heard = [[:], [:]]
    store = world.breakage.store(mortal)
    table = SyncTable(SimulatedTable.name, store: store, environment: environment)
  }

  /// The one that runs, or ran last.
  var program: Program {
    get { programs[programs.count - 1] }
    set { programs[programs.count - 1] = newValue }
  }

  var isDead: Bool { program.isDead }

  /// It keeps another list from now on.
  func move(to home: Home) {
    self.home = home
    departure = nil
    firstStop = nil
    deletedRows = [:]
    deletedWhileAsked = []
    unsent = []
  }

  func arm(_ weather: Weather, after count: Int) { self.weather[requests + count] = weather }
  func arm(_ crash: Crash, after count: Int) { crashes[commits + count] = crash }
  func arm(_ steps: [Step], _ moment: Moment, after count: Int) {
    meanwhile.append((requests + count, moment, steps))
  }

  func disarm() {
    weather = [:]
    crashes = [:]
    meanwhile = []
  }

  func takeCrash() -> Crash? {
    defer { commits += 1 }
    let crash = crashes.removeValue(forKey: commits)
    if crash != nil { die() }
    return crash
  }

  private func die() {
    guard !isDead else { return }
    program.isDead = true
    program.diedWaiting = program.isWaiting
  }

  /// The number of the request that begins now.
  func beginRequest() -> Int {
    defer { requests += 1 }
    return requests
  }

  func takeWeather(of request: Int) -> Weather? { weather.removeValue(forKey: request) }

  func takeSteps(of request: Int, _ moment: Moment) -> [Step] {
    let steps = meanwhile.filter { $0.request == request && $0.moment == moment }.flatMap(\.steps)
    meanwhile.removeAll { $0.request == request && $0.moment == moment }
    return steps
  }

  var isDenied: Bool { metDenial || !denied.isDisjoint(with: operations.map(\.itemID)) }

  func noteDenial(of rows: [RecordID]) {
    metDenial = metDenial || rows.isEmpty
    denied.formUnion(rows)
  }

  func forgetDenials() { (metDenial, denied) = (false, []) }
}

/// How a list can hide rows from an incremental pull.
enum Gap {
  /// The server's clock stepped back.
  case clock
  /// It was another list than the server's: an older one, an empty one, one from before a restore.
  case list
}

/// The clock of a server when a device got a list.
struct HeardClock {
  let home: Home
  /// Microseconds.
  let reading: Int64
  /// How much had been written by then.
  let writes: Int
}
