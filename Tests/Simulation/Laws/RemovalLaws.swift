import OfflineSync
import TableProtocol

/// A removal of other lists takes nothing from this one (sync-rules W4).
extension World {
  /// Call after a sync in which nothing else happened. `epoch` is the one that the device knew before it, `known` are
  /// the conflicts and refusals that it had, and `pending` are the rows with a change that waited.
  ///
  /// If it has missed removals alone, then no row is held, and none has a conflict without a change of this device.
  func checkNoQuestion(
    of device: SimulatedDevice, since epoch: DatabaseEpoch?, _ known: Set<String>, pending: [RecordID]
  ) {
    guard !hasGoneBack, copies == 0, device.home == .first, !device.extent.isPartial, !device.wasPartial,
      let epoch, let now = server.announcedEpoch, (1...SimulatedServer.mostNamed).contains(now.number - epoch.number)
    else { return }
    for error in device.errors where !known.contains(error.id) {
      let isNeedless =
        switch error.kind {
        case .held: true
        case .conflict: !pending.contains(error.itemID)
        case .refused: false
        }
      if isNeedless {
        blame(
          .needlessQuestions, "device \(device.number) is asked about \(error.itemID) after removals of other lists")
      }
    }
  }
}
