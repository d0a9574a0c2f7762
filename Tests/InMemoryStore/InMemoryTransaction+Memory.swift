import OfflineSync
import TableProtocol

extension InMemoryTransaction {
  private func place(_ itemID: RecordID, _ table: String) -> InMemoryState.Place {
    InMemoryState.Place(table: table, itemID: itemID)
  }

  func pastVersions(ofItems itemIDs: [RecordID], in table: String) -> [RecordID: [PastVersion]] {
    itemIDs.reduce(into: [:]) { found, id in found[id] = state.versions[place(id, table)]?.map(\.version) }
  }

  func appendPastVersions(
    _ versions: [(itemID: RecordID, version: PastVersion)], in table: String, keeping row: Int, of all: Int
  ) {
    for (itemID, version) in versions {
      state.lastVersion += 1
      var kept = state.versions[place(itemID, table)] ?? []
      let numbered = PastVersion(
        number: (kept.last?.version.number ?? 0) + 1, before: version.before, changedAt: version.changedAt,
        origin: version.origin)
      kept.append((state.lastVersion, numbered))
      state.versions[place(itemID, table)] = kept.suffix(row)
    }
    guard state.lastVersion > all else { return }
    let oldest = state.lastVersion - Int64(all)
    state.versions = state.versions.mapValues { $0.filter { $0.id > oldest } }.filter { !$0.value.isEmpty }
  }

  func arrivals(ofItems itemIDs: [RecordID]?, in table: String) -> [RowArrival] {
    let wanted = itemIDs.map(Set.init)
    let arrivals = state.arrivals.filter { $0.key.table == table && wanted?.contains($0.key.itemID) ?? true }
      .values.sorted { $0.id < $1.id }.map(\.arrival)
    // The port promises no order of some rows, so they come newest first.
    return itemIDs == nil ? arrivals : arrivals.reversed()
  }

  func arrivalCounts(in table: String) -> [String: Int] {
    Dictionary(arrivals(ofItems: nil, in: table).map { ($0.kind, 1) }, uniquingKeysWith: +)
  }

  func arrived(in table: String) -> Set<RecordID> {
    Set(state.arrivals.keys.filter { $0.table == table }.map(\.itemID))
  }

  func putArrivals(_ arrivals: [RowArrival], in table: String, keeping limit: Int) {
    for arrival in arrivals {
      state.lastArrival += 1
      state.arrivals[place(arrival.itemID, table)] = (state.lastArrival, arrival)
    }
    let surplus = state.arrivals.count - limit
    guard surplus > 0 else { return }
    for old in state.arrivals.sorted(by: { $0.value.id < $1.value.id }).prefix(surplus) {
      state.arrivals[old.key] = nil
    }
  }

  func removeArrivals(ofItems itemIDs: [RecordID], in table: String) {
    for id in itemIDs { state.arrivals[place(id, table)] = nil }
  }
}
