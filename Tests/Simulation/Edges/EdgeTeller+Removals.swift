import Chance
import OfflineSync

/// How lists are removed from a server, while some devices sleep and others go on.
extension EdgeTeller {
  mutating func removing(_ count: Int) -> [[Step]] {
    var blocks = (0..<count).map { _ in removal() }
    if hasRestores { blocks.append(removalAfterRestore()) }
    if chance.once(in: 4) { blocks.append(removalOfThis()) }
    return blocks
  }

  /// Lists of others are removed, at times while a request is on its way.
  private mutating func removal() -> [Step] {
    let removal = Step.edge(.removeOthers(times: chance.number(1...3)))
    if chance.once(in: 4) {
      return [.meanwhile(device: device(), after: chance.number(0...3), .beforeServerActs, [removal])]
    }
    return [removal] + (chance.once(in: 2) ? [sync(device())] : [])
  }

  /// The server loses what one device has changed, and another one changes the same item before lists of others are
  /// removed. The last step was a removal then, and that before it was none.
  private mutating func removalAfterRestore() -> [Step] {
    let (sleeper, other) = pair()
    let (mine, theirs) = edits(of: item(), sleeper, other)
    return syncAll() + [.edge(.backUpServer), mine, sync(sleeper), .edge(.restoreServer), sync(other), theirs]
      + [sync(other), .edge(.removeOthers(times: chance.number(1...3))), sync(sleeper)]
  }

  /// This list is removed, and one device begins another one with its rows. It lacks what the other device has changed
  /// before, which hears of nothing until lists of others are removed too.
  private mutating func removalOfThis() -> [Step] {
    let (sleeper, other) = pair()
    let (mine, theirs) = edits(of: item(), sleeper, other)
    return syncAll() + [mine, sync(sleeper), .edge(.removeList), sync(other)]
      + [.edge(.answerRestore(device: other, sendsBack: true)), theirs, sync(other)]
      + [.edge(.removeOthers(times: chance.number(1...3))), sync(sleeper)]
  }

  private mutating func edits(of item: Int, _ first: Int, _ second: Int) -> (Step, Step) {
    (
      .rewrite(device: first, item: item, column: column(), serial: serials()),
      .rewrite(device: second, item: item, column: column(), serial: serials())
    )
  }
}
