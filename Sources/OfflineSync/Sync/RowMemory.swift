import TableProtocol

/// Saves versions and news of rows in the transaction that changes the rows (T1 to T8).
struct RowMemory {
  let table: String
  let store: any StoreWriter

  func remember(_ steps: [RowStep], _ cause: ChangeCause) throws {
    guard !steps.isEmpty else { return }
    try rememberVersions(steps, cause)
    switch cause {
    case .person, .decision: try store.removeArrivals(ofItems: steps.map(\.id), in: table)
    case .sync(let now, let isNews): try rememberArrivals(steps, at: now, isNews: isNews)
    }
  }

  /// Saves the versions before each step. A new row that comes with a sync needs none: the row itself is its version.
  private func rememberVersions(_ steps: [RowStep], _ cause: ChangeCause) throws {
    if case .person(_, isOneOfMany: true) = cause { return }
    let new = cause.isOwn ? [] : steps.compactMap { $0.before == nil && !$0.endsConflict ? $0.id : nil }
    let known = new.isEmpty ? [:] : try store.pastVersions(ofItems: new, in: table)
    let versions = steps.compactMap { step -> (RecordID, PastVersion)? in
      let isVersion = step.before != nil || cause.isOwn || known[step.id] != nil
      guard isVersion, !step.endsConflict else { return nil }
      return (step.id, PastVersion(before: step.before, changedAt: step.changedAt, origin: step.origin))
    }
    guard !versions.isEmpty else { return }
    try store.appendPastVersions(versions, in: table, keeping: PastVersion.mostOfRow, of: PastVersion.mostOfAll)
  }

  /// Saves the news. Several arrivals of one row are one, and a row that is again as last seen is no news. During the
  /// first pull nothing becomes news, but earlier news is kept up to date (D15). A conflict that ended by itself is
  /// news if the row has no other (T8).
  private func rememberArrivals(_ steps: [RowStep], at now: Timestamp, isNews: Bool) throws {
    let unseen = Dictionary(
      try store.arrivals(ofItems: steps.map(\.id), in: table).map { ($0.itemID, $0) },
      uniquingKeysWith: { $1 })
    if !isNews && unseen.isEmpty { return }
    var first: [RecordID: RowStep] = [:]
    var last: [RecordID: RowStep] = [:]
    var order: [RecordID] = []
    for step in steps where !step.isOverruled && (isNews || unseen[step.id] != nil) {
      if last.updateValue(step, forKey: step.id) == nil {
        order.append(step.id)
        first[step.id] = step
      }
    }
    var arrived: [RowArrival] = []
    var vanished: [RecordID] = []
    for id in order {
      let earlier = unseen[id].flatMap { $0.kind == RowArrival.merged ? nil : $0 }
      let before = earlier.map(\.before) ?? first[id]?.before
      let after = last[id]?.after
      let isSame = Columns.agree(before?.values, after?.values)
      if last[id]?.endsConflict == true, earlier == nil || isSame {
        arrived.append(RowArrival(itemID: id, before: before, kind: RowArrival.merged, arrivedAt: now))
      } else if isSame {
        vanished.append(id)
      } else {
        arrived.append(
          RowArrival(itemID: id, before: before, kind: RowArrival.kind(from: before, to: after), arrivedAt: now))
      }
    }
    if !vanished.isEmpty { try store.removeArrivals(ofItems: vanished, in: table) }
    if !arrived.isEmpty { try store.putArrivals(arrived, in: table, keeping: RowArrival.most) }
  }
}
