import Dispatch
import OfflineSync
import TableProtocol

extension SimulatedDevice {
  /// Syncs with the server that belongs to `home`.
  func sync(_ parts: SyncParts, with home: Home, _ change: AccountChange?, in world: World) -> SyncReport {
    begin()
    let number = programs.count - 1
    defer { programs[number].isSyncing = false }
    var request = SyncRequest(
      pushes: parts.pushes, pulls: parts.pulls ? [extent.query] : [], isFull: parts.isFull,
      allowsMassRemoval: parts.allowsMassRemoval, sendsRemovalsBack: parts.sendsRemovalsBack, accountChange: change,
      afterRestore: parts.afterRestore)
    world.breakage.request(&request)
    let cancellation = world.breakage.hearsCancellation ? program.cancellation : Cancellation()
    return SyncRun(ports(parts, with: home, in: world), request, cancellation: cancellation).run { event in
      if case .compared(let comparison) = event { self.comparison = comparison }
    }
  }

  private func begin() {
    program.isSyncing = true
    program.cancellation = Cancellation()
    asked = [:]
    wasDisturbed = false
    forgetDenials()
    gotList = false
    metOldList = false
    comparison = nil
  }

  private func ports(_ parts: SyncParts, with home: Home, in world: World) -> SyncPorts {
    var settings = PullSettings(pageSize: parts.pageSize, overlapMilliseconds: world.settings.overlap)
    world.breakage.settings(&settings)
    let line = Line(world: world, device: number, program: programs.count - 1, home: home, window: window)
    return SyncPorts(
      tables: [SimulatedTable.name], store: store, remote: world.breakage.remote(line), lock: OneProgram(),
      environment: environment, settings: settings, delegate: Delegate(world: world, device: number))
  }

  /// Purges as the program does, on the queue of a context, and waits for it: nothing else runs meanwhile.
  func purge(forced: Bool, in world: World) {
    let parts = SyncParts(pushes: false, pulls: false, pageSize: 100)
    let context = SyncContext(ports(parts, with: home, in: world))
    let isOver = DispatchSemaphore(value: 0)
    context.purge(SimulatedTable.name, forced: forced) { _ in isOver.signal() }
    isOver.wait()
  }
}

/// The devices' programs sync one after another, and a crash releases the lock.
private struct OneProgram: SyncLock {
  func withLock<Value>(waiting: () throws -> Void, run body: () throws -> Value) throws -> Value { try body() }
}
