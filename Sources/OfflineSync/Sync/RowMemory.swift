import TableProtocol

/// Saves versions and news of rows in the transaction that changes the rows (T1 to T8).
struct RowMemory {
  let table: String
  let store: any StoreWriter

  func remember(_ transitions: [RowTransition], _ cause: ChangeCause) throws {
    guard !transitions.isEmpty else { return }
    try rememberVersions(transitions, cause)
    switch cause {
    case .person, .decision: try store.removeArrivals(ofItems: transitions.map(\.id), in: table)
    case .sync(let now, let isNews): try rememberArrivals(transitions, at: now, isNews: isNews)
    }
  }

  /// Saves the version before each transition. A new row that comes with a sync needs none: the row itself is its
  /// version.
  private func rememberVersions(_ transitions: [RowTransition], _ cause: ChangeCause) throws {
    if case .person(_, isOneOfMany: true) = cause { return }
    let new = cause.isOwn ? [] : transitions.compactMap { $0.before == nil && !$0.endsConflict ? $0.id : nil }
    let known = new.isEmpty ? [:] : try store.pastVersions(ofItems: new, in: table)
    let versions = transitions.compactMap { transition -> (RecordID, PastVersion)? in
      let isVersion = transition.before != nil || cause.isOwn || known[transition.id] != nil
      guard isVersion, !transition.endsConflict else { return nil }
      let version = PastVersion(
        before: transition.before, changedAt: transition.changedAt, origin: transition.origin)
      return (transition.id, version)
    }
    guard !versions.isEmpty else { return }
    try store.appendPastVersions(versions, in: table, keeping: PastVersion.mostOfRow, of: PastVersion.mostOfAll)
  }

  /// Saves the news. Several arrivals of one row are one, and a row that is again as last seen is no news. During the
  /// first pull nothing becomes news, but earlier news is kept up to date (D15). A conflict that ended by itself is
  /// news if the row has no other (T8).
  private func rememberArrivals(_ transitions: [RowTransition], at now: Timestamp, isNews: Bool) throws {
    let unseen = Dictionary(
      try store.arrivals(ofItems: transitions.map(\.id), in: table).map { ($0.itemID, $0) },
      uniquingKeysWith: { $1 })
    if !isNews && unseen.isEmpty { return }
    var first: [RecordID: RowTransition] = [:]
    var last: [RecordID: RowTransition] = [:]
    var order: [RecordID] = []
    for transition in transitions where !transition.isOverruled && (isNews || unseen[transition.id] != nil) {
      if last.updateValue(transition, forKey: transition.id) == nil {
        order.append(transition.id)
        first[transition.id] = transition
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
