import OfflineSync
import TableProtocol

/// The end of every world: the weather clears, everybody syncs until nothing moves, and the laws of the
/// end are looked at.
extension World {
  private static let parts = SyncParts(pushes: true, pulls: true, pageSize: 1_000, allowsMassRemoval: true)

  func becomeQuiet() {
    commitLate()
    delayed = []
    hasOtherDatabase = false
    refillServer()
    for device in devices { (device.staleLists, device.otherAnswers) = (0, 0) }
    if !settings.endsRefusing { (server.refused, server.forbidden) = ([], []) }
    for device in devices { device.disarm() }
    askAll()
    syncUntilStill()
    checkAgreement()
    var rounds = 0
    while violation == nil, resolveAll(round: rounds) {
      syncUntilStill()
      rounds += 1
      if rounds > 8 { blame(.quiet, "conflicts follow conflicts") }
    }
    checkNews()
    let hasPart = devices.contains { $0.extent.isPartial || $0.wasPartial }
    if !server.hardDeleted.isEmpty || !server.untimed.isEmpty || devices.contains(where: \.isDamaged)
      || (hasPart && !server.forgotten.isEmpty) || devices.contains(where: \.needsComparison)
    {
      _ = syncAll(isFull: true)
      // What the server refused is sent again when a comparison has brought another copy of the row.
      _ = syncAll()
    }
    guard violation == nil else { return }
    for device in devices { checkQuiet(device) }
    checkEnd()
  }

  /// What is written after a device has heard that a clock stepped far back reaches it at once.
  private func checkNews() {
    guard violation == nil, settings.edges.contains(.clockFarBack) else { return }
    let (item, serial) = (90_000, 900_000)
    perform(.foreign(.add(item: item, serial: serial)))
    _ = syncAll()
    for device in devices where device.home == .first && device.row(SimulatedTable.id(item)) == nil {
      blame(.agreement, "device \(device.number) does not hear of what is written now")
    }
  }

  /// Everybody hears that the server went back, if it did, and then answers: what any device has must be there, or in
  /// sight, when all have synced twice.
  private func askAll() {
    guard hasGoneBack else { return }
    _ = syncAll(isAnswering: false)
    _ = syncAll()
    checkNothingLost(.first, orWaiting: true)
  }

  private func check(_ report: SyncReport?, of device: SimulatedDevice) {
    guard let failure = report?.failure else { return }
    if case .serverWentBack = failure, device.errors.contains(where: { $0.kind == .held }) { return }
    blame(.quiet, "device \(device.number) can't sync in fair weather: \(failure)")
  }

  /// A copy that a pull brings may leave a change to be sent, and that one another on the next device. Older copies
  /// than the token come by and by, from one pull to the next (P13).
  private func syncUntilStill() {
    for _ in 0..<2 { _ = syncAll() }
    for _ in 0..<12 where !syncAll() { return }
  }

  /// Returns true if a device sent something, which those before it have not heard of, or has something to send since
  /// its pull: a conflict that another's decision ended becomes a change that waits.
  private func syncAll(isFull: Bool = false, isAnswering: Bool = true) -> Bool {
    var parts = Self.parts
    parts.isFull = isFull
    var hasSent = false
    for device in devices where violation == nil {
      parts.afterRestore = hasGoneBack && isAnswering ? settings.restoreAnswers[device.number] : nil
      let report = sync(device, parts)
      check(report, of: device)
      let asked = Set(device.errors.map(\.itemID))
      let waits = device.operations.contains { !asked.contains($0.itemID) }
      hasSent = hasSent || waits || (report?.push.accepted ?? 0) > 0
      checkStep()
    }
    return hasSent
  }

  /// How many requests a sync may make that has nothing to do.
  private func mostRequests(of device: SimulatedDevice) -> Int {
    let (rows, cap) = (server(of: device).rows.count, min(50, settings.server.pageCap))
    let lists = max(1, (rows + cap - 1) / cap)
    // A comparison follows a page of a server that promises nothing until one is empty, unless 2.0.0 counts.
    let walk = server(of: device).isOrdered || settings.server.version == .v2 ? 1 : 2
    return rows < cap ? (device.extent == .allCompared ? 1 + walk : 1) : 3 * lists + 3
  }

  private func checkQuiet(_ device: SimulatedDevice) {
    // What is still refused is put to the server again each time.
    guard !device.errors.contains(where: { $0.kind == .refused }) else { return }
    let before = (device.rows, device.operations, device.errors, device.token)
    for _ in 0..<2 {
      let start = device.requests
      guard let report = sync(device, Self.parts) else { return }
      if device.requests - start > mostRequests(of: device) || report.pulled > 0 || report.push.accepted > 0 {
        blame(.quiet, "device \(device.number) makes \(device.requests - start) requests with nothing to do")
      }
    }
    // The token waits for the server's clock to pass a row that is dated later.
    let hasFuture = server(of: device).rows.values.contains { $0.updated > serverClock - 10_000_000 }
    let token = hasFuture ? before.3 : device.token
    if before != (device.rows, device.operations, device.errors, token) {
      blame(.quiet, "a sync of device \(device.number) with nothing to do changed something")
    }
  }
}
