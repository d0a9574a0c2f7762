import OfflineSync

/// One thing that happens in a world: a value, so that a story can be told again and shortened.
///
/// Devices and items are named by number. A step that makes no sense when its turn comes (an edit of an
/// item the device does not have) does nothing.
package indirect enum Step: Sendable, Hashable {
  /// Adds an item whose words are named after the serial number.
  case add(device: Int, item: Int, serial: Int)
  /// Puts a new word in the place of one.
  case editWord(device: Int, item: Int, column: Column, word: Int, serial: Int)
  /// Puts new words in the place of all.
  case rewrite(device: Int, item: Int, column: Column, serial: Int)
  case toggle(device: Int, item: Int)
  /// Puts back what the pending change of the item started from.
  case revert(device: Int, item: Int)
  case delete(device: Int, item: Int)
  /// Adds the item again as it was when this device deleted it.
  case undelete(device: Int, item: Int)
  /// Decides the conflict over an item, if there is one.
  case resolve(device: Int, item: Int, Choice)
  /// Takes back the newest change of the device.
  case undo(device: Int)
  case redo(device: Int)
  case sync(device: Int, SyncParts)
  /// A sync while another account is configured.
  case otherAccount(device: Int, SyncParts, takesAlong: Bool)
  case purge(device: Int, PurgeExtent)
  /// Tells the sync that runs on the device to stop.
  case cancel(device: Int)
  case restart(device: Int)
  /// What the request after so many others of this device meets.
  case weather(device: Int, after: Int, Weather)
  /// The program dies at the transaction after so many others.
  case crash(device: Int, after: Int, Crash)
  /// What happens while the request after so many others of this device is on its way.
  case meanwhile(device: Int, after: Int, Moment, [Step])
  /// Another client is quicker with an item, before each of the next requests of this device; the serial numbers
  /// go on from the first.
  case contend(device: Int, item: Int, requests: Int, serial: Int)
  case foreign(ForeignChange)
  /// Changes by other clients that were made earlier can be seen from now on.
  case commitLate
  /// Requests that were held up somewhere arrive.
  case deliverDelayed
  case restartServer
  /// The server has another address from now on.
  case serverMoves
  /// The server refuses changes of an item that devices send, or takes them again.
  case serverRefuses(item: Int, Bool)
  case time(milliseconds: Int)
  case setClock(device: Int, milliseconds: Int)
  case setServerClock(milliseconds: Int)
  /// Happens in worlds that have an edge.
  case edge(EdgeStep)
}

package enum Column: String, Sendable, Hashable, CaseIterable {
  case text, note
}

/// What a person decides about a conflict.
package enum Choice: Sendable, Hashable, CaseIterable {
  case mine, theirs, both
  /// My text and their note.
  case merged
}

package struct SyncParts: Sendable, Hashable {
  var pushes: Bool
  var pulls: Bool
  var isFull = false
  var pageSize: Int
  var allowsMassRemoval = false
  var sendsRemovalsBack = false
  /// What the person says about what a restored server has lost.
  var afterRestore: RestoreAnswer?
  /// True when somebody says that the server at a new address is the old one.
  var knowsAddress = true
}

package enum PurgeExtent: Sendable, Hashable, CaseIterable {
  /// Unless changes wait.
  case all
  /// With the changes that wait.
  case everything
}

package enum Weather: Sendable, Hashable {
  /// The request never leaves, and that is known.
  case unreachable
  case cutBeforeArrival
  case cutBeforeAnswer
  /// The connection is cut, and the request arrives later all the same.
  case delayed
  /// The request arrives twice; the first answer comes back.
  case twiceFirstAnswer
  case twiceSecondAnswer
  case tooManyRequests
  case unavailable
  /// The server acts and then fails.
  case failureAfterActing
  /// The server takes no change, this once, for a reason of its own.
  case refused
  case signInNeeded
  case notAllowed
  /// Something else answers 2xx to whatever it is asked, and the server hears nothing.
  case portal

  /// What requests meet in any world.
  static let ordinary: [Weather] = [
    .unreachable, .cutBeforeArrival, .cutBeforeAnswer, .delayed, .twiceFirstAnswer, .twiceSecondAnswer,
    .tooManyRequests, .unavailable, .failureAfterActing, .refused, .signInNeeded, .notAllowed,
  ]
}

/// When a program dies: with the transaction undone or with it done.
package enum Crash: Sendable, Hashable {
  case beforeCommit, afterCommit
}

package enum Moment: Sendable, Hashable {
  case beforeServerActs, afterServerActed
}

/// What a client with the rules of protocol 2.0.0 does, which sends no `If-Match`.
package enum ForeignChange: Sendable, Hashable {
  case add(item: Int, serial: Int)
  case rewrite(item: Int, Column, serial: Int)
  /// Made now, seen by others only after `commitLate`.
  case rewriteLate(item: Int, Column, serial: Int)
  case delete(item: Int)
  case undelete(item: Int)
  /// Removes the row without a trace.
  case hardDelete(item: Int)
  /// Many rows at once; the serial numbers go on from the first.
  case addMany(items: Range<Int>, serial: Int)
  case deleteMany(items: Range<Int>)
  /// Adds an item without a time of change, or changes one and leaves it without.
  case addUntimed(item: Int, serial: Int)
  case rewriteUntimed(item: Int, Column, serial: Int)
  /// Writes into a column that no device knows.
  case paint(item: Int, serial: Int)
}
