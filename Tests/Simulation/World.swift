import OfflineSync
import TableProtocol

/// Some devices and a server in one process, on one thread. What happens follows from the story alone.
///
/// A world runs on one thread from its beginning to its end: the ports it stands behind ask for
/// `Sendable`, and it is never shared, so nothing is checked.
package final class World: @unchecked Sendable {
  let settings: WorldSettings
  let breakage: Breakage
  var server: SimulatedServer
  private(set) var devices: [SimulatedDevice] = []
  var ledger = Ledger()
  /// Requests that will arrive later.
  var delayed: [(change: RemoteChange, party: Party)] = []
  var highest: [Holding: Int] = [:]
  var knownErrors: Set<String> = []
  var hadLateWrites = false
  package internal(set) var faults = 0
  /// The first law that was broken.
  package private(set) var violation: Violation?
  /// Requests and steps in order, when they are kept.
  package private(set) var trace: [String]?

  /// Microseconds since 1970.
  private var clock: Int64 = 1_795_000_000_000_000
  private var serverClockError: Int64 = 0
  private var ids = 0

  package init(_ settings: WorldSettings, breakage: Breakage = .none, keepsTrace: Bool = false) {
    self.settings = settings
    self.breakage = breakage
    server = SimulatedServer(settings.server)
    trace = keepsTrace ? [] : nil
    devices = (0..<settings.devices).map { SimulatedDevice($0, in: self) }
  }

  var serverClock: Int64 { clock + serverClockError }

  func time(of device: Int) -> Timestamp {
    Timestamp(milliseconds: clock / 1_000 + devices[device].clockError)
  }

  func newID(_ prefix: String) -> String {
    ids += 1
    return prefix + String(ids)
  }

  func blame(_ law: Law, _ what: String) {
    if violation == nil { violation = Violation(law: law, what: what) }
  }

  /// Tells the whole story and lets everything become quiet. Stops at the first broken law.
  package func run(_ steps: [Step]) {
    for step in steps where violation == nil {
      trace?.append("\(step)")
      perform(step)
      for device in devices where device.isDead { restart(device) }
      checkStep()
    }
    if violation == nil { becomeQuiet() }
  }

  /// Lets go of the devices, which hold the world.
  package func end() { devices = [] }

  package var conflicts: Int { devices.reduce(0) { $0 + $1.errors.count } }

  func perform(_ steps: [Step]) {
    for step in steps {
      trace?.append("    meanwhile \(step)")
      perform(step)
    }
  }

  func passRequest(_ text: String, of device: SimulatedDevice) {
    trace?.append("    \(device.number): \(text)")
    pass(microseconds: settings.tick)
  }

  private func pass(microseconds: Int64) {
    clock += microseconds
    // No transaction of the server is open for longer than a pull looks back.
    if server.late.contains(where: { serverClock - $0.stamp > 10_000_000 }) { commitLate() }
  }

  private func perform(_ step: Step) {
    switch step {
    case .add(let device, let item, let serial): add(devices[device], item, serial)
    case .editWord(let device, let item, let column, let word, let serial):
      editWord(devices[device], item, column, word, serial)
    case .rewrite(let device, let item, let column, let serial):
      change(devices[device], item) { _ in [column.rawValue: .text(SimulatedTable.words(serial, column))] }
    case .toggle(let device, let item):
      change(devices[device], item) { row in
        [SimulatedTable.complete: .bool(row.values[SimulatedTable.complete]?.bool != true)]
      }
    case .revert(let device, let item): revert(devices[device], item)
    case .delete(let device, let item): delete(devices[device], item)
    case .undelete(let device, let item): undelete(devices[device], item)
    case .resolve(let device, let item, let choice):
      if !devices[device].isDead { resolve(devices[device], SimulatedTable.id(item), choice) }
    case .sync(let device, let parts): sync(devices[device], parts)
    case .restart(let device): if !devices[device].isSyncing { restart(devices[device]) }
    case .weather(let device, let after, let weather): devices[device].arm(weather, after: after)
    case .crash(let device, let after, let crash): devices[device].arm(crash, after: after)
    case .meanwhile(let device, let after, let moment, let steps): devices[device].arm(steps, moment, after: after)
    case .foreign(let change):
      if case .rewriteLate = change { hadLateWrites = true }
      perform(change)
    case .commitLate: commitLate()
    case .deliverDelayed: deliverDelayed()
    case .restartServer: server.late = []
    case .time(let milliseconds): pass(microseconds: Int64(milliseconds) * 1_000)
    case .setClock(let device, let milliseconds): devices[device].clockError += Int64(milliseconds)
    case .setServerClock(let milliseconds):
      serverClockError += Int64(milliseconds) * 1_000
      pass(microseconds: 0)
    }
  }

  private func sync(_ device: SimulatedDevice, _ parts: SyncParts) {
    guard !device.isSyncing, !device.isDead else { return }
    _ = device.sync(parts, in: self)
  }

  private func restart(_ device: SimulatedDevice) {
    faults += device.isDead ? 1 : 0
    device.isDead = false
  }

  private func deliverDelayed() {
    let arriving = delayed
    delayed = []
    for (change, party) in arriving { _ = server.apply(change, at: serverClock, by: party) }
  }
}
