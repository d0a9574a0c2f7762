import InMemoryStore
import OfflineSync
import TableProtocol

/// What happens to a device in worlds with an edge.
extension SimulatedDevice {
  /// Rows of this kind are pulled from now on.
  func keep(_ extent: Extent) {
    guard extent != self.extent, !program.isSyncing else { return }
    wasPartial = wasPartial || self.extent.isPartial
    self.extent = extent
    isPulledOnce = false
  }

  /// True once it has finished a pull.
  var hasPulled: Bool { look { try $0.fact(SyncFact.lastPull) != nil } ?? false }

  /// Which database it takes the server for; nil while it does not know.
  func knownDatabase(of address: String) -> String? {
    look { try $0.fact(SyncFact.database(of: address)) } ?? nil
  }

  /// The epoch of the server that its rows were last compared with; nil while it knows none.
  func knownEpoch(of address: String) -> DatabaseEpoch? {
    look { try $0.fact(SyncFact.epoch(of: address)) }?.flatMap { DatabaseEpoch($0) }
  }

  /// The clock of the server steps back, and this device does not know yet.
  func missStep() {
    gaps.insert(.clock)
    hasHeardStep = false
  }

  var hasBackup: Bool { backup?.home == home }

  func backUp() { backup = (InMemoryStore(copying: disk), home, lastClock) }

  func restoreBackup(in world: World) {
    guard let backup else { return }
    disk = InMemoryStore(copying: backup.disk)
    decision = nil
    memory = nil
    deletedRows = [:]
    hasForgotten = true
    births = [:]
    // It knows the clock as it was then, and may not hear of what that did since.
    lastClock = backup.lastClock
    if world.server(of: self).followsClock { missStep() }
    start(in: world)
  }
}
