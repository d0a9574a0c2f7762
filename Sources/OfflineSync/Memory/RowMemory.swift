import TableProtocol

/// A row before and after a change.
struct RowStep {
  let before: Record?
  let after: Record?
  /// When it was changed, as far as is known.
  let changedAt: Timestamp?
  let origin: RowOrigin

  var id: String { after?.id ?? before?.id ?? "" }

  init(_ before: Record?, _ after: Record?, on occasion: Occasion, changedAt: Timestamp? = nil) {
    self.before = before
    self.after = after
    origin = occasion.origin
    self.changedAt = occasion.origin == .server ? changedAt ?? after?.system.updatedAt : occasion.now
  }

  var isChange: Bool { before?.values != after?.values }
}

/// Remembers what rows were, and what arrived, in the transaction that changes them.
struct RowMemory {
  let table: String
  let store: any StoreWriter

  /// Changes that change nothing in the columns of the user are passed over.
  func note(_ steps: [RowStep], on occasion: Occasion) throws {
    let steps = steps.filter(\.isChange)
    guard !steps.isEmpty else { return }
    try noteVersions(steps, on: occasion)
    if occasion.isOwn {
      try store.removeArrivals(ofItems: steps.map(\.id), in: table)
    } else if occasion.isTold {
      try noteArrivals(steps, at: occasion.now)
    } else if try !store.arrivalCounts(in: table).isEmpty {
      // News of before may be of these rows: a row that is again as it was seen has not arrived.
      let known = Set(try store.arrivals(ofItems: steps.map(\.id), in: table).map(\.itemID))
      try noteArrivals(steps.filter { known.contains($0.id) }, at: occasion.now)
    }
  }

  /// What a row is at first can be read off it: nothing is written of rows that come with a sync.
  private func noteVersions(_ steps: [RowStep], on occasion: Occasion) throws {
    let new = occasion.isOwn ? [] : steps.filter { $0.before == nil }.map(\.id)
    let known = new.isEmpty ? [] : try store.itemsWithVersions(among: new, in: table)
    let versions = steps.filter { $0.before != nil || occasion.isOwn || known.contains($0.id) }.map { step in
      (step.id, RowVersion(before: step.before, changedAt: step.changedAt, origin: step.origin))
    }
    guard !versions.isEmpty else { return }
    try store.appendVersions(versions, in: table, keeping: RowVersion.mostOfRow, of: RowVersion.mostOfAll)
  }

  /// Several arrivals of one row are one; a row that is again as it was seen has not arrived.
  private func noteArrivals(_ steps: [RowStep], at now: Timestamp) throws {
    let unseen = Dictionary(
      try store.arrivals(ofItems: steps.map(\.id), in: table).map { ($0.itemID, $0) }, uniquingKeysWith: { $1 })
    var last: [String: RowStep] = [:]
    var order: [String] = []
    var seen: [String: Record?] = [:]
    for step in steps {
      if last.updateValue(step, forKey: step.id) == nil {
        order.append(step.id)
        seen[step.id] = .some(unseen[step.id].map(\.before) ?? step.before)
      }
    }
    var arrived: [RowArrival] = []
    var vanished: [String] = []
    for id in order {
      let (before, after) = (seen[id] ?? nil, last[id]?.after)
      if before?.values == after?.values {
        vanished.append(id)
      } else {
        arrived.append(
          RowArrival(itemID: id, before: before, kind: RowArrival.kind(before, after), arrivedAt: now))
      }
    }
    if !vanished.isEmpty { try store.removeArrivals(ofItems: vanished, in: table) }
    if !arrived.isEmpty { try store.putArrivals(arrived, in: table, keeping: RowArrival.most) }
  }
}
