import Chance
import OfflineSync

/// The steps that each edge puts between those of a story.
extension EdgeTeller {
  /// What happens first.
  mutating func opening() -> [[Step]] {
    if edge == .clearance {
      return [[.foreign(.addMany(items: ownItems..<ownItems + 24, serial: serials(24)))] + syncAll()]
    }
    guard edge == .collation || edge == .forbidden else { return [] }
    return [[.foreign(.addMany(items: ownItems..<ownItems + 8, serial: serials(8)))]]
  }

  /// Steps that stay together, for as many places of the story.
  mutating func blocks() -> [[Step]] {
    let count = chance.number(1...4)
    switch edge {
    case .otherDatabase: return stretches(count) { [.edge(.otherDatabase($0))] }
    case .forbidden: return forbidding(count)
    case .restoredServer: return restoringServer(count)
    case .unsaidRestore: return [losing(), losing()]
    case .foreignRestore: return (0..<2).map { losingElsewhere($0) }
    case .lateCommits: return (0..<count).map { _ in overtaken() }
    case .comparisons: return (0..<count + 1).map { _ in comparing() }
    case .stalePages, .clockFarBack, .emptiedServer, .twoPrograms: return surroundings(count)
    case .restoredDevice: return restoringDevice()
    case .lostDatabase:
      let backup = chance.once(in: 2) ? [[Step.edge(.backUpServer)]] : []
      return backup + [[.edge(.loseDatabase)] + (chance.once(in: 2) ? syncAll() : [])]
    case .copiedServer: return [[.edge(.copyServer)] + (chance.once(in: 2) ? syncAll() : [])]
    case .clearance: return [clearing()]
    case .orderEnds: return [[.edge(.endOrder)]] + (0..<count + 2).map { _ in late() }
    case .births, .silentCuts, .hiddenBatches: return []
    case .otherAnswers: return (0..<count).map { _ in mixedUp() }
    case .notices: return (0..<3 * count).map { _ in noticed() }
    case .removedLists: return removing(count)
    case .heldDeletions: return (0..<2).map { deletingHeld($0) }
    case .outbox, .versions, .groups, .words, .movedWords, .completions, .farewells, .seen, .whileAsked,
      .decidedUnderWay, .undoneDecisions:
      return (0..<count).map { _ in personalBlock(device()) }
    case .filters, .retention, .days, .untimed, .columns, .replacedColumns, .collation, .portal, .damage, .otherUser,
      .unnamedDatabase, .neverPulled:
      return (0..<count).map { _ in outerBlock(device()) }
    }
  }

  /// Every other time of an item that another device has just changed.
  private mutating func mixedUp() -> [Step] {
    let (device, other) = pair()
    let item = item()
    let change =
      chance.once(in: 3)
      ? Step.delete(device: device, item: item)
      : .rewrite(device: device, item: item, column: column(), serial: serials())
    let theirs = [Step.rewrite(device: other, item: item, column: column(), serial: serials()), sync(other)]
    let mixed = [change, .edge(.answerAsBefore(device: device, changes: chance.number(1...3))), sync(device)]
    return chance.once(in: 2) ? mixed : theirs + mixed
  }

  /// Mostly there is something to say.
  private mutating func noticed() -> [Step] {
    let step = Step.edge(.notice(device: device(), chance.pick(NoticeFate.allCases)))
    if chance.once(in: 3) { return [step] }
    return [.foreign(.rewrite(item: item(), column(), serial: serials())), step]
  }

  /// What people do.
  private mutating func personalBlock(_ device: Int) -> [Step] {
    if edge == .outbox { return soonOrLater(device, .edge(.drop(device: device, item: item()))) }
    if edge == .versions {
      return soonOrLater(device, .edge(.restoreVersion(device: device, item: item(), back: chance.number(1...4))))
    }
    if edge == .groups { return grouped(device) }
    if edge == .words {
      return [.edge(.removeWord(device: device, item: item(), column(), word: chance.number(0...3)))]
    }
    if edge == .movedWords {
      let (from, to) = (chance.number(0...3), chance.number(0...3))
      return [.edge(.moveWord(device: device, item: item(), column(), from: from, to: to))]
    }
    if edge == .completions { return completing() }
    if edge == .farewells { return leaving() }
    if edge == .whileAsked || edge == .undoneDecisions { return clashing() }
    return edge == .seen ? [.edge(.seeAll(device: device))] : deciding(device)
  }

  /// What happens to them.
  private mutating func outerBlock(_ device: Int) -> [Step] {
    if edge == .filters { return [.edge(.changeExtent(device: device, chance.pick(Extent.allCases)))] }
    if edge == .retention {
      return [.edge(.days(chance.pick([40, 101, 101, 250])))] + (chance.once(in: 2) ? syncAll() : [])
    }
    if edge == .days { return [clock()] }
    if edge == .untimed { return [.foreign(untimed())] }
    if edge == .collation { return collated() }
    if edge == .neverPulled { return unpulled(device) }
    if edge == .unnamedDatabase { return unnamed(device) }
    if edge == .otherUser { return [.edge(.otherUser(device: device))] }
    if edge == .damage { return damaged(device) }
    guard edge == .portal else { return [.foreign(.paint(item: item(), serial: serials()))] }
    return (0..<chance.number(1...6)).map { .weather(device: device, after: $0, .portal) } + [sync(device)]
  }

  /// Now, or while a request is on its way.
  private mutating func soonOrLater(_ device: Int, _ step: Step) -> [Step] {
    chance.once(in: 2) ? [step] : [.meanwhile(device: device, after: chance.number(0...3), moment(), [step])]
  }

  private mutating func grouped(_ device: Int) -> [Step] {
    let items = (0..<chance.number(2...4)).map { _ in item() }
    let step: Step =
      switch chance.number(0...3) {
      case 0: .edge(.addGroup(device: device, count: items.count, serial: serials(items.count)))
      case 1: .edge(.rewriteGroup(device: device, items: items, column(), serial: serials(items.count)))
      case 2: .edge(.completeGroup(device: device, items: items))
      default: .edge(.deleteGroup(device: device, items: items))
      }
    let back = [Step.undo(device: device), .redo(device: device)].prefix(chance.number(0...2))
    return soonOrLater(device, step) + back
  }

  private mutating func completing() -> [Step] {
    let (first, second) = pair()
    let item = item()
    return [
      sync(first), sync(second), .toggle(device: first, item: item),
      .editWord(device: second, item: item, column: .text, word: chance.number(0...3), serial: serials()),
      .editWord(device: first, item: item, column: .note, word: chance.number(0...3), serial: serials()),
    ] + (chance.once(in: 2) ? [sync(second), sync(first)] : [])
  }

  private mutating func leaving() -> [Step] {
    let (first, second) = pair()
    let item = item()
    let edit = Step.editWord(device: first, item: item, column: column(), word: 1, serial: serials())
    let cut = Step.weather(device: first, after: 0, chance.pick([.cutBeforeArrival, .cutBeforeAnswer, .unreachable]))
    return [sync(first), sync(second), edit, cut, sync(first), .delete(device: first, item: item)]
      + [.delete(device: second, item: item), sync(second), sync(first)]
  }

  /// A conflict; and what the person does while the delegate is asked about it, or a decision that is undone.
  private mutating func clashing() -> [Step] {
    let (first, second) = pair()
    let (item, column) = (item(), column())
    let asked: AskedStep =
      switch chance.number(0...5) {
      case 0, 1, 2: .rewrite(chance.pick(Column.allCases), serial: serials())
      case 3: .toggle
      case 4: .drop
      default: chance.once(in: 2) ? .delete : .resolve(chance.pick(Choice.allCases))
      }
    let start = [
      sync(first), sync(second), .rewrite(device: first, item: item, column: column, serial: serials()),
      .rewrite(device: second, item: item, column: column, serial: serials()), sync(first),
    ]
    return edge == .whileAsked
      ? start + [.edge(.whileAsked(device: second, [asked])), sync(second)]
      : start + [sync(second), .edge(.undoDecision(device: second, chance.pick(Choice.allCases)))]
  }

  private mutating func deciding(_ device: Int) -> [Step] {
    let item = item()
    let decision = Step.resolve(device: device, item: item, chance.pick([.theirs, .both]))
    return [
      .serverRefuses(item: item, true), .rewrite(device: device, item: item, column: column(), serial: serials()),
      sync(device), .serverRefuses(item: item, false),
      .meanwhile(device: device, after: 0, moment(), [decision]), sync(device),
    ]
  }

  private mutating func clock() -> Step {
    let days = chance.pick([-40, -3, -1, 1, 3, 40]) * 86_400_000
    return chance.once(in: 3)
      ? .setServerClock(milliseconds: abs(days)) : .setClock(device: device(), milliseconds: days)
  }

  private mutating func untimed() -> ForeignChange {
    chance.once(in: 2)
      ? .addUntimed(item: ownItems + chance.number(0...3), serial: serials())
      : .rewriteUntimed(item: item(), column(), serial: serials())
  }

  private mutating func late() -> [Step] {
    [.foreign(.rewriteLate(item: item(), column(), serial: serials()))]
      + [.foreign(.rewrite(item: item(), column(), serial: serials()))] + syncAll() + [.commitLate]
  }

  /// A change that began before another one is seen after it, when devices have pulled that one.
  private mutating func overtaken() -> [Step] {
    let added = Step.foreign(.addMany(items: ownItems..<ownItems + 2, serial: serials(2)))
    return [
      added, .foreign(.rewriteLate(item: ownItems, column(), serial: serials())), .time(milliseconds: 1),
      .foreign(.rewrite(item: ownItems + 1, column(), serial: serials())),
    ] + syncAll() + [.commitLate] + (chance.once(in: 2) ? [] : syncAll())
  }

  /// The older lists that may be on the way are used up before.
  private mutating func comparing() -> [Step] {
    let parts = SyncParts(pushes: true, pulls: true, isFull: true, pageSize: chance.pick([2, 100]))
    return syncAll() + syncAll() + syncAll() + (0..<devices).map { .sync(device: $0, parts) }
  }

  private mutating func collated() -> [Step] {
    let device = device()
    let parts = SyncParts(pushes: true, pulls: true, isFull: true, pageSize: chance.pick([1, 2, 3, 7]))
    return [.sync(device: device, parts)]
  }

  private mutating func unpulled(_ device: Int) -> [Step] {
    // No two devices make the same id.
    let item = ownItems + 4 * device + chance.number(0...3)
    return [
      .purge(device: device, .all), .add(device: device, item: item, serial: serials()),
      .crash(device: device, after: chance.number(2...4), .beforeCommit), sync(device),
      .foreign(.delete(item: item)), .edge(.days(101)),
    ]
  }

  private mutating func unnamed(_ device: Int) -> [Step] {
    let one = SyncParts(pushes: true, pulls: true, pageSize: 1)
    return [
      .foreign(.addMany(items: ownItems..<ownItems + 3, serial: serials(3))), .edge(.otherDatabase(false)),
      .purge(device: device, .all), .crash(device: device, after: chance.number(0...3), .beforeCommit),
      .sync(device: device, one), .edge(.otherDatabase(true)), .sync(device: device, one),
      .edge(.otherDatabase(false)),
    ]
  }

  private mutating func clearing() -> [Step] {
    let device = device()
    let pages = chance.pick([1, 2, 3, 7])
    let few = SyncParts(pushes: true, pulls: true, pageSize: pages)
    return [.foreign(.deleteMany(items: ownItems..<ownItems + chance.number(14...24)))]
      + (0..<chance.number(2...6)).map { _ in .sync(device: device, few) }
      + (chance.once(in: 2) ? [.edge(.sendRemovalsBack(device: device))] : [])
  }

  /// A row is lost that no later one was newer than, so that a pull does not bring it again.
  private mutating func damaged(_ device: Int) -> [Step] {
    let few = Step.foreign(.addMany(items: ownItems..<ownItems + 3, serial: serials(3)))
    return [few, sync(device), sync(device), .edge(.damage(device: device, item: ownItems)), sync(device)]
  }

  private mutating func forbidding(_ count: Int) -> [[Step]] {
    let items = ownItems..<ownItems + 8
    let device = device()
    let edits = items.map { Step.toggle(device: device, item: $0) }
    return [[.edge(.forbid(items: items, true)), sync(device)] + edits + [sync(device)]]
      + stretches(count) { [.edge(.forbid(items: items, $0))] }
  }

  private mutating func restoringDevice() -> [[Step]] {
    let device = device()
    let other = (device + 1) % devices
    let added = Step.add(device: device, item: ownItems, serial: serials())
    return [
      [added, .edge(.backUpDevice(device: device)), sync(device), sync(other), .delete(device: other, item: ownItems)]
        + [sync(other), .edge(.restoreDevice(device: device)), sync(device)]
    ]
  }

  private mutating func surroundings(_ count: Int) -> [[Step]] {
    if edge == .clockFarBack { return [[.edge(.stepFarBack(days: chance.pick([1, 3, 40])))]] }
    if edge == .emptiedServer {
      let met = chance.once(in: 2) ? syncAll() : [sync(device())]
      let answers = chance.once(in: 2) ? [Step.edge(.sendRemovalsBack(device: device()))] : []
      return [[.edge(.empty(true))] + met + answers + [.edge(.empty(false))]]
    }
    if edge == .twoPrograms {
      return (0...count).map { _ in
        let device = device()
        let other = Step.edge(.otherProgram(device: device))
        // One program empties the list, and the other one goes on with it.
        if chance.once(in: 4) { return [sync(device), other, .purge(device: device, .all), other, sync(device)] }
        return [other] + (chance.once(in: 2) ? [sync(device)] : [])
      }
    }
    return (0...count).map { _ in
      let device = device()
      let stale = Step.edge(.answerFromCache(device: device, lists: chance.number(1...5)))
      return chance.once(in: 2) ? [.edge(.fillCache)] : [stale, sync(device)]
    }
  }

  /// One backup is put back twice. In between one device changes or deletes what the backup lacks; afterwards another,
  /// which has not heard of that, comes first and sends its own copy back.
  private mutating func restoringTwice() -> [Step] {
    let device = device()
    let other = (device + 1) % devices
    let item = ownItems + 4 * device
    let answers = [device, other].map { Step.edge(.answerRestore(device: $0, sendsBack: true)) }
    let change =
      chance.once(in: 3)
      ? Step.delete(device: device, item: item)
      : .rewrite(device: device, item: item, column: column(), serial: serials())
    let added = Step.add(device: device, item: item, serial: serials())
    return syncAll() + [.edge(.backUpServer), added, sync(device), sync(other), .edge(.restoreServer), sync(device)]
      + [answers[0], sync(device), sync(other), change, sync(device), .edge(.restoreServer), sync(other), answers[1]]
      + [sync(other), sync(device)]
  }

  /// The server loses what one device has added or changed. Its person deletes that, or takes the change back, while
  /// the device asks about it. Another device knows nothing of that, and sends its own copy back.
  private mutating func deletingHeld(_ number: Int) -> [Step] {
    let (device, other) = pair()
    let isNew = chance.once(in: 2)
    let item = isNew ? ownItems + number : item()
    let change =
      isNew
      ? Step.add(device: device, item: item, serial: serials())
      : .rewrite(device: device, item: item, column: column(), serial: serials())
    let deletion = chance.once(in: 3) ? Step.undo(device: device) : .delete(device: device, item: item)
    return syncAll() + [.edge(.backUpServer), change, sync(device), sync(other), .edge(.restoreServer), sync(device)]
      + [deletion] + (chance.once(in: 2) ? [sync(device)] : []) + [sync(other)]
      + [.edge(.answerRestore(device: other, sendsBack: true)), sync(other), sync(device)]
  }

  private mutating func restoringServer(_ count: Int) -> [[Step]] {
    if devices > 1, chance.once(in: 3) { return [restoringTwice()] }
    let times = chance.once(in: 4) ? 2 : 1
    var blocks = (0...times).map { _ in [Step.edge(.backUpServer)] }
    for _ in 0..<times { blocks.append([.edge(.restoreServer)] + (chance.once(in: 2) ? syncAll() : [])) }
    for _ in 0..<count {
      let (device, sendsBack) = (device(), answer() == .sendBack)
      blocks.append([.edge(.answerRestore(device: device, sendsBack: sendsBack))])
    }
    return blocks
  }

  /// What one device sends after the backup is lost. When it meets the server again it has something to send.
  private mutating func losing() -> [Step] {
    let (device, parts) = (device(), SyncParts(pushes: true, pulls: chance.once(in: 2), pageSize: 100))
    // No two devices make the same id.
    let (items, own) = ([item(), item()], ownItems + 4 * device)
    let first = [
      Step.add(device: device, item: own + chance.number(0...1), serial: serials()),
      .rewrite(device: device, item: items[0], column: column(), serial: serials()),
      .delete(device: device, item: items[0]),
    ]
    let second = [
      Step.rewrite(device: device, item: items[1], column: column(), serial: serials()),
      .add(device: device, item: own + chance.number(2...3), serial: serials()),
      .delete(device: device, item: items[1]),
    ]
    return syncAll() + [.edge(.backUpServer), chance.pick(first), sync(device), sync(device), chance.pick(second)]
      + [.edge(.restoreUnsaid(device: device, parts))]
  }

  /// What a server without epochs has lost when it is put back, one device knows of. The loss is older than the time by
  /// which rows may be late.
  private mutating func losingElsewhere(_ number: Int) -> [Step] {
    let (device, isFull) = (device(), chance.once(in: 3))
    // No id is made twice.
    let own = ownItems + 8 * (2 * device + number)
    let changes = (0..<chance.number(1...4)).map { number -> Step in
      switch chance.number(0...3) {
      case 0: .add(device: device, item: own + number, serial: serials())
      case 1: .delete(device: device, item: item())
      case 2: .foreign(.rewrite(item: item(), column(), serial: serials()))
      default: .rewrite(device: device, item: item(), column: column(), serial: serials())
      }
    }
    let later = chance.once(in: 2) ? [Step.add(device: device, item: own + 7, serial: serials())] : []
    let parts = SyncParts(pushes: true, pulls: true, isFull: isFull, pageSize: chance.pick([2, 100]))
    let answer = Step.edge(.answerRestore(device: device, sendsBack: answer() == .sendBack))
    return syncAll() + [.edge(.backUpServer), .time(milliseconds: 120_000)] + changes + [sync(device), sync(device)]
      + [.time(milliseconds: 120_000)] + later + [.edge(.restoreForeign(device: device, parts))]
      + (chance.once(in: 2) ? [answer] : [])
  }

  /// Something that begins and ends.
  private mutating func stretches(_ count: Int, _ step: (Bool) -> [Step]) -> [[Step]] {
    (0..<count).map { step($0.isMultiple(of: 2)) }
  }
}
