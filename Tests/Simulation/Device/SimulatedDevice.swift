import OfflineSync
import TableProtocol

/// One device: its store, the program on it, and what is going to happen to its requests and commits.
final class SimulatedDevice {
  let number: Int
  let disk = InMemoryStore(tables: [SimulatedTable.local])
  private(set) var store: any LocalStore
  private(set) var table: SyncTable
  private(set) var environment: Environment
  /// Milliseconds by which its clock is wrong.
  var clockError: Int64 = 0
  var isDead = false
  /// True when it died while a request was on its way: the code that waits for the answer can't be stopped.
  var diedWaiting = false
  var isWaiting = false
  var isSyncing = false
  /// Rows as they were when this device deleted them.
  var deletedRows: [String: Record] = [:]

  private(set) var requests = 0
  private var commits = 0
  private var weather: [Int: Weather] = [:]
  private var crashes: [Int: Crash] = [:]
  private var meanwhile: [(request: Int, moment: Moment, steps: [Step])] = []

  init(_ number: Int, in world: World) {
    self.number = number
    let prefix = "device\(number)-"
    let now: @Sendable () -> Timestamp = { [unowned world] in world.time(of: number) }
    let newID: @Sendable () -> String = { [unowned world] in world.newID(prefix) }
    environment = Environment(now: now, newID: newID)
    store = world.breakage.store(MortalStore(base: disk, world: world, device: number))
    table = SyncTable(SimulatedTable.name, store: store, environment: environment)
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
    if crash != nil {
      isDead = true
      diedWaiting = isWaiting
    }
    return crash
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

  /// What is on the disk, whether the program lives or not.
  func look<Value>(_ body: (any StoreReader) throws -> Value) -> Value? { try? disk.read(body) }

  func row(_ id: String) -> Record? { look { try $0.record(id, in: SimulatedTable.name) } ?? nil }
  var rows: [Record] { look { try $0.records(TableQuery(table: SimulatedTable.name)).records } ?? [] }
  var operations: [TableOperation] { look { try $0.operations(after: 0, limit: .max) } ?? [] }
  var errors: [TableOperationError] { look { try $0.operationErrors() } ?? [] }
  var token: DeltaToken? {
    look { try $0.deltaToken(table: SimulatedTable.name, queryID: SimulatedTable.queryID) } ?? nil
  }

  func sync(_ parts: SyncParts, in world: World) -> SyncReport {
    isSyncing = true
    defer { isSyncing = false }
    var settings = PullSettings(pageSize: parts.pageSize, overlapMilliseconds: world.settings.overlap)
    world.breakage.settings(&settings)
    let remote = world.breakage.remote(Line(world: world, device: number))
    let ports = SyncPorts(
      tables: [SimulatedTable.name], store: store, remote: remote, lock: OneProgram(), environment: environment,
      settings: settings)
    let request = SyncRequest(
      pushes: parts.pushes, pulls: parts.pulls ? [SimulatedTable.query] : [], isFull: parts.isFull,
      allowsMassRemoval: true)
    return SyncRun(ports, request).run { _ in }
  }
}

/// There is one program on each device.
private struct OneProgram: SyncLock {
  func withLock<Value>(waiting: () throws -> Void, run body: () throws -> Value) throws -> Value { try body() }
}
