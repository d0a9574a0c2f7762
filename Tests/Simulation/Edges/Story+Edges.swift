import TableProtocol

extension Story {
  /// Puts the steps of some edges between those of the story, and gives its world what they need.
  mutating func add(_ edges: Set<Edge>, items: Int) {
    var blocks: [(place: Int, steps: [Step])] = []
    for (number, edge) in Edge.allCases.enumerated() where edges.contains(edge) {
      var teller = EdgeTeller(edge, number: number, seed: seed, devices: settings.devices, items: items)
      guard teller.isChosen, edge.fits(settings) else { continue }
      settings.edges.insert(edge)
      teller.prepare(&settings)
      blocks += teller.opening().map { (0, $0) }
      blocks += teller.blocks().map { (teller.place(among: steps.count), $0) }
    }
    // Those of one place stay in the order of the edges.
    let sorted = blocks.enumerated().sorted { ($0.element.place, $0.offset) < ($1.element.place, $1.offset) }
    for block in sorted.reversed() { steps.insert(contentsOf: block.element.steps, at: block.element.place) }
  }
}

extension Edge {
  /// In how many worlds there is one with it.
  var rarity: Int {
    switch self {
    case .restoredServer, .notices: 4
    case .stalePages, .clockFarBack, .emptiedServer, .twoPrograms: 12
    case .copiedServer, .orderEnds, .births, .otherDatabase, .unnamedDatabase, .silentCuts, .unsaidRestore,
      .foreignRestore, .lateCommits, .lostDatabase, .hiddenBatches, .otherAnswers:
      12
    case .removedLists: 6
    case .heldDeletions: 8
    case .comparisons: 2
    case .clearance: 24
    case .outbox, .versions, .groups, .words, .movedWords, .completions, .farewells, .seen, .filters, .retention,
      .neverPulled, .days, .untimed, .columns, .replacedColumns, .forbidden, .undoneDecisions, .whileAsked,
      .decidedUnderWay, .collation, .portal, .damage, .restoredDevice, .otherUser:
      16
    }
  }

  /// True if a world with these settings can have it.
  func fits(_ settings: WorldSettings) -> Bool {
    switch self {
    // A clock that was ahead once switches the comparison after 90 days off (D16).
    case .days: settings.edges.isDisjoint(with: [.retention, .neverPulled])
    case .births: settings.server.family == .datasync
    case .untimed: settings.server.family != .ebb
    // Our own server's clock of writes never steps back, and it says when its database is another.
    case .clockFarBack: settings.server.family != .ebb && !settings.server.hasRisingClock
    // A list of our own server that was kept on the way looks like one of a server that went back: people are asked.
    case .emptiedServer, .stalePages: settings.server.family != .ebb
    case .columns: settings.server.version == .v2
    case .replacedColumns: settings.server.version == .v3
    case .otherDatabase, .unnamedDatabase, .orderEnds, .notices, .hiddenBatches: settings.server.family == .ebb
    // Other servers do not say that they were put back. A row that a disk lost looks like one that was deleted here.
    case .restoredServer: settings.server.family == .ebb && !settings.edges.contains(.damage)
    // Whoever knows that it was put back once can't tell by what it knows then that it was put back again.
    case .unsaidRestore:
      settings.server.family == .ebb && settings.edges.isDisjoint(with: [.damage, .restoredServer])
    // What a cache, a clock or a lost tombstone does can't be told from what a restore does.
    case .foreignRestore:
      settings.server.family != .ebb
        && settings.edges.isDisjoint(with: [
          .damage, .stalePages, .clockFarBack, .emptiedServer, .days, .retention, .neverPulled, .untimed,
        ])
    case .lateCommits: settings.server.family != .ebb
    // Our own server names the request that it answers.
    case .otherAnswers: settings.server.family != .ebb
    // After so long nobody can tell what was lost from what was deleted, nor after a disk or a server lost something
    // else.
    case .lostDatabase:
      settings.server.family == .ebb
        && settings.edges.isDisjoint(with: [
          .damage, .days, .retention, .neverPulled, .restoredDevice, .restoredServer, .unsaidRestore,
        ])
    // Of a tombstone that is forgotten, or a row that a disk lost, a device can't tell when it meets another epoch. An
    // older state of which nobody says anything has an older epoch after a removal, and another database none of them.
    case .removedLists:
      settings.server.family == .ebb
        && settings.edges.isDisjoint(with: [.damage, .retention, .neverPulled, .unsaidRestore, .lostDatabase])
    // As for a server that is put back. A device that is put back itself forgets what was deleted on it since.
    case .heldDeletions:
      settings.server.family == .ebb
        && settings.edges.isDisjoint(with: [
          .damage, .retention, .neverPulled, .unsaidRestore, .lostDatabase, .copiedServer, .restoredDevice,
        ])
    case .comparisons: !settings.edges.isDisjoint(with: [.stalePages, .clockFarBack])
    // Our own server always says that it cut a page, and 3.0.0 has a member for it.
    case .silentCuts: settings.server.family == .node
    case .outbox, .versions, .groups, .words, .movedWords, .completions, .farewells, .seen, .filters, .retention,
      .neverPulled, .forbidden, .copiedServer, .clearance, .whileAsked, .decidedUnderWay, .collation, .portal, .damage,
      .twoPrograms, .restoredDevice, .undoneDecisions, .otherUser:
      true
    }
  }
}
