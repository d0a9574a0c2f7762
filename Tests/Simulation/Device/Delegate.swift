import OfflineSync

/// Decides about conflicts while a push runs, on devices where somebody is to.
struct Delegate: SyncDelegate {
  let world: World
  let device: Int

  func resolution(of conflict: Conflict) -> ConflictResolution? {
    let device = world.devices[device]
    world.noteDecision(of: device)
    let operation = conflict.error.operationID
    device.asked[operation, default: 0] += 1
    if device.asked[operation, default: 0] > 5 {
      world.blame(.quiet, "the delegate of device \(device.number) is asked for ever about \(conflict.itemID)")
    }
    guard let choice = world.settings.deciders[device.number] else { return nil }
    world.performWhileAsked(device, conflict.itemID)
    let decision = Decision(conflict, choice, on: device)
    device.decision = decision
    guard world.breakage.decidesByID else { return decision.resolution }
    _ = try? device.table.resolve(conflict.itemID, decision.resolution)
    device.saw(conflict.itemID)
    return nil
  }
}
