import OfflineSync
import TableProtocol

/// Some devices and a server in one process, on one thread. What happens follows from the story alone.
///
/// A world runs on one thread from its beginning to its end: the ports it stands behind ask for
/// `Sendable`, and it is never shared, so nothing is checked.
package final class World: @unchecked Sendable {
  /// A request that arrives after its connection was cut.
  struct Delayed {
    let change: RemoteChange
    let party: Party
    let home: Home
    let meant: Meant
  }

  let settings: WorldSettings
  let breakage: Breakage
  /// Of both accounts. The second is for devices that go to it.
  let servers: [SimulatedServer]
  let ledgers = [Ledger(), Ledger()]
  private(set) var devices: [SimulatedDevice] = []
  /// Requests that will arrive later.
  var delayed: [Delayed] = []
  /// Rows that requests changed which arrived later than a device can expect (sync-rules row-4.8): to the device that
  /// sent them they are a stranger's.
  private(set) var strays: Set<Holding> = []
  var highest: [Holding: Int] = [:]
  var knownErrors: Set<String> = []
  /// What the server would not have.
  var refusals: Set<Holding> = []
  /// How often the first server got another address.
  private var moves = 0
  var hadLateWrites = false
  /// Rows that came back with the first server's database. Devices may have a newer state, which was made and lost
  /// while the database was away.
  var returned: Set<RecordID> = []
  /// True while another database answers at the first server's address.
  var hasOtherDatabase = false
  /// What is in it.
  let stranger: SimulatedServer
  /// How often the first server's list was copied to another server.
  var copies = 0
  /// True when the first server was put back from a backup.
  var hasGoneBack = false
  package internal(set) var faults = 0
  /// The first law that was broken.
  package private(set) var violation: Violation?
  /// Requests and steps in order, when they are kept.
  package internal(set) var trace: [String]?

  /// Microseconds since 1970.
  private var clock: Int64 = 1_795_000_000_000_000
  private var serverClockError: Int64 = 0
  private var ids = 0

  package init(
    _ settings: WorldSettings, breakage: Breakage = .none, code: (any ServerCode)? = nil, keepsTrace: Bool = false
  ) {
    self.settings = settings
    self.breakage = breakage
    servers = Home.allCases.map { SimulatedServer($0, settings.server, code) }
    stranger = SimulatedServer(.first, settings.server, code)
    trace = keepsTrace ? [] : nil
    devices = (0..<settings.devices).map { SimulatedDevice($0, in: self) }
  }

  var server: SimulatedServer { servers[0] }
  var ledger: Ledger { ledgers[0] }
  func server(of device: SimulatedDevice) -> SimulatedServer { servers[device.home.rawValue] }
  func ledger(of device: SimulatedDevice) -> Ledger { ledgers[device.home.rawValue] }

  /// What answers at its address.
  func server(at home: Home) -> SimulatedServer {
    home == .first && hasOtherDatabase ? stranger : servers[home.rawValue]
  }

  /// Which database answers there, if it says so: our own server does.
  func database(at home: Home) -> String? {
    guard settings.server.family == .ebb else { return nil }
    return home == .first && hasOtherDatabase ? "another" : "database \(home) \(copies)"
  }

  func address(of home: Home) -> String {
    home == .first ? "http://world\(moves).example" : "http://other.example"
  }

  var serverClock: Int64 { clock + serverClockError }

  func time(of device: Int) -> Timestamp {
    Timestamp(milliseconds: clock / 1_000 + devices[device].clockError)
  }

  /// The id that the story gives to the row that a device adds now.
  func nextID(of device: Int) -> String? {
    defer { devices[device].nextID = nil }
    return devices[device].nextID
  }

  func newID(_ prefix: String) -> String {
    ids += 1
    return prefix + String(ids)
  }

  func blame(_ law: Law, _ what: String) {
    if violation == nil, settings.laws.contains(law) { violation = Violation(law: law, what: what) }
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

  /// While a request of this device is on its way.
  func perform(_ steps: [Step], at device: SimulatedDevice) {
    if !steps.isEmpty { device.wasDisturbed = true }
    for step in steps {
      trace?.append("    meanwhile \(step)")
      perform(step)
    }
  }

  func passRequest(_ text: String, of device: SimulatedDevice, to home: Home) {
    noteAnswer(of: device)
    noteDecision(of: device)
    noteOwner(of: device)
    trace?.append("    \(device.number): \(text)" + (home == .first ? "" : " (second server)"))
    pass(microseconds: settings.tick)
  }

  func pass(microseconds: Int64) {
    clock += microseconds
    // No transaction of the server is open for longer than a pull looks back.
    if server.late.contains(where: { serverClock - $0.stamp > 10_000_000 }) { commitLate() }
  }

  func perform(_ step: Step) {
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
      resolve(devices[device], SimulatedTable.id(item), choice)
    case .undo(let device): reverse(devices[device], undoing: true)
    case .redo(let device): reverse(devices[device], undoing: false)
    case .sync(let device, let parts): sync(devices[device], parts)
    case .otherAccount(let device, let parts, let takesAlong): sync(devices[device], parts, takesAlong: takesAlong)
    case .purge(let device, let extent): purge(devices[device], extent)
    case .cancel(let device): devices[device].program.cancellation.cancel()
    case .restart(let device): restart(devices[device])
    case .weather(let device, let after, let weather): devices[device].arm(weather, after: after)
    case .crash(let device, let after, let crash): devices[device].arm(crash, after: after)
    case .meanwhile(let device, let after, let moment, let steps): devices[device].arm(steps, moment, after: after)
    case .contend(let device, let item, let requests, let serial):
      for number in 0..<requests {
        let change = Step.foreign(.rewrite(item: item, .text, serial: serial + number))
        devices[device].arm([change], .beforeServerActs, after: number)
      }
    case .foreign(let change):
      if case .rewriteLate = change { hadLateWrites = true }
      perform(change)
    case .commitLate: commitLate()
    case .deliverDelayed: deliverDelayed()
    case .restartServer: server.late = []
    case .serverMoves: moveServer()
    case .serverRefuses(let item, let refuses): setRefused(item, refuses)
    case .time(let milliseconds): pass(microseconds: Int64(milliseconds) * 1_000)
    case .setClock(let device, let milliseconds): devices[device].clockError += Int64(milliseconds)
    case .setServerClock(let milliseconds):
      serverClockError += Int64(milliseconds) * 1_000
      // What is written until a device hears of the step may be dated before what that has read.
      if milliseconds < 0, server.followsClock { for device in devices { device.missStep() } }
      pass(microseconds: 0)
    case .edge(let step): perform(step)
    }
  }

  /// Call with each list that a device gets. What is written while the clock is set back, and the clock right again
  /// before the device hears of it, may be dated before what it has read (P6).
  func noteClock(of server: SimulatedServer, for device: SimulatedDevice) {
    defer { device.lastClock = HeardClock(home: server.home, reading: serverClock, writes: server.stamps.count) }
    if let last = device.lastClock, last.home == server.home, !device.gotList,
      last.reading - settings.overlap * 1_000 > serverClock
    {
      device.hasHeardStep = true
    }
    guard let last = device.lastClock, last.home == server.home, last.reading <= serverClock,
      last.writes <= server.stamps.count
    else { return }
    let limit = last.reading - settings.overlap * 1_000
    if server.stamps[last.writes...].contains(where: { $0 < limit }) { device.missStep() }
  }

  private func setRefused(_ item: Int, _ isRefused: Bool) {
    if isRefused {
      server.refused.insert(SimulatedTable.id(item))
    } else {
      server.refused.remove(SimulatedTable.id(item))
    }
  }

  func restart(_ device: SimulatedDevice) {
    noteAnswer(of: device)
    device.heldRows = [:]
    noteDecision(of: device)
    faults += device.isDead ? 1 : 0
    device.start(in: self)
  }

  func moveServer() {
    noteUnnoticedRestore()
    // At another address a device does not know any more what the one before had lost.
    for device in devices { device.deletedWhileAsked = [] }
    moves += 1
  }

  func deliverDelayed() {
    let arriving = delayed
    delayed = []
    // Requests name the database they are meant for, and its epoch; another one refuses them.
    for late in arriving where late.home != .first || !hasOtherDatabase {
      let server = server(at: late.home)
      let hadNoTrace = server.rows[late.change.id] == nil
      guard server.takes(late.meant),
        case .accepted = apply(late.change, meant: late.meant, to: server, by: late.party),
        case .device(let number) = late.party
      else { continue }
      noteLate(late.change, of: number)
      // Nothing there says any more that the row was made before, and changed since: it is new once more.
      if hadNoTrace, case .insert(_, let row) = late.change {
        ledger(of: devices[number]).returned(row.values.words, to: row.id)
      }
    }
  }

  /// A change arrived of which nobody waits for the answer. If its device has had an answer about the row since, it
  /// takes the request for one that never arrived.
  func noteLate(_ change: RemoteChange, of number: Int) {
    let operation = devices[number].operations.first { $0.itemID == change.id }
    guard operation?.isMarked != true else { return }
    strays.insert(Holding(device: number, item: change.id))
    noteUnsaidDeletion(of: change.id, on: devices[number])
  }

  /// A new row that was refused the second time, and deleted here since, is none to its device. If the first attempt
  /// arrives after all, the row is there, and nobody has said that it is deleted (sync-rules row-4.8).
  func noteUnsaidDeletion(of id: RecordID, on device: SimulatedDevice) {
    guard strays.contains(Holding(device: device.number, item: id)), device.row(id) == nil,
      !device.operations.contains(where: { $0.itemID == id }),
      server(of: device).history[id]?.first?.party == .device(device.number),
      server(of: device).rows[id]?.deleted == false
    else { return }
    ledger(of: device).revived(id)
  }
}
