import InMemoryStore
import OfflineSync
import TableProtocol

/// What a device believes the server to have, its waiting changes and open conflicts seen through.
extension World {
  /// Call when everything is quiet: then it is true of every row.
  func checkBelief(of device: SimulatedDevice, isCompared: Bool) {
    let server = server(of: device)
    let ids = Set(server.rows.keys).union(device.rows.map(\.id)).union(device.operations.map(\.itemID)).sorted()
    let believed = device.belief(about: ids)
    let unsent = Set(device.errors.filter { $0.kind != .conflict }.map(\.itemID))
    for id in ids {
      let row = server.rows[id]
      // A row with a change that waits is not asked for again where a part of the rows is compared.
      if server.hardDeleted.contains(id), row == nil, !isCompared || device.extent.isPartial { continue }
      if server.forgotten.contains(id), row == nil, device.extent.isPartial || device.wasPartial { continue }
      if server.untimed.contains(id), !isCompared { continue }
      // A copy that is dated earlier says nothing of a change that waits: its request will. That of a refused change
      // does not, and a held row has none until a person answers.
      if !server.manners.isOrdered, unsent.contains(id) { continue }
      // What left the filter is not heard of.
      if let values = row?.values ?? device.row(id)?.values, !device.extent.holds(values) { continue }
      let real = row.flatMap { $0.deleted ? nil : $0.version.version }
      if believed[id] != real {
        blame(
          .belief,
          "device \(device.number) believes \(id) to be \(believed[id]?.text ?? "none"), it is \(real?.text ?? "none")"
        )
      }
    }
    guard server.manners.isOrdered || unsent.isEmpty, !device.wasPartial || server.forgotten.isEmpty else { return }
    if !device.extent.isPartial, isCompared || (server.hardDeleted.isEmpty && server.untimed.isEmpty),
      device.digest != server.digest
    {
      blame(.belief, "device \(device.number) counts other rows than the server has")
    }
  }

  /// Call after a sync. With a server that hides no late writes it is true at the end of every pull.
  func checkComparison(of device: SimulatedDevice) {
    guard let comparison = device.comparison, server(of: device).isOrdered, server(of: device).hardDeleted.isEmpty
    else { return }
    if comparison.here != device.digest {
      blame(.receipt, "device \(device.number) says it has \(comparison.here.text), a count finds another")
    }
    if !device.wasDisturbed, comparison.there != server(of: device).digest {
      blame(.receipt, "device \(device.number) says the server has \(comparison.there.text), a count finds another")
    }
    let mayHaveLeftOut = device.wasPartial && !server(of: device).forgotten.isEmpty
    if server(of: device).untimed.isEmpty, !device.isDamaged, !mayHaveLeftOut,
      knowsEpoch(device), !comparison.isSame
    {
      blame(
        .belief,
        "device \(device.number) counts \(comparison.here.text) after a pull, the server \(comparison.there.text)")
    }
  }
}

extension SimulatedDevice {
  fileprivate func belief(about ids: [RecordID]) -> [RecordID: RecordVersion] {
    (try? disk.read { try KnownServerRows(of: SimulatedTable.name, in: $0).versions(of: ids) }) ?? [:]
  }

  fileprivate var digest: TableDigest? {
    try? disk.read { try KnownServerRows(of: SimulatedTable.name, in: $0).digest() }
  }
}
