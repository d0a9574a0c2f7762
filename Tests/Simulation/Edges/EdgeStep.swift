/// One thing that happens only in worlds with an edge. Devices and items are named by number, as in `Step`.
package enum EdgeStep: Sendable, Hashable {
  /// Gives up what waits of an item.
  case drop(device: Int, item: Int)
  /// Makes an item again what it was so many changes ago.
  case restoreVersion(device: Int, item: Int, back: Int)
  /// Changes of several items at once; the serial numbers go on from the first.
  case addGroup(device: Int, count: Int, serial: Int)
  case rewriteGroup(device: Int, items: [Int], Column, serial: Int)
  case completeGroup(device: Int, items: [Int])
  case deleteGroup(device: Int, items: [Int])
  case removeWord(device: Int, item: Int, Column, word: Int)
  case moveWord(device: Int, item: Int, Column, from: Int, to: Int)
  /// Looks at everything that arrived.
  case seeAll(device: Int)
  case changeExtent(device: Int, Extent)
  /// What the person does when the delegate is asked next.
  case whileAsked(device: Int, [AskedStep])
  /// Decides the oldest conflict of a device, and undoes that.
  case undoDecision(device: Int, Choice)
  /// A sync while somebody else is signed in at the same server.
  case otherUser(device: Int)
  /// A row is gone from the device's disk.
  case damage(device: Int, item: Int)
  case backUpDevice(device: Int)
  case restoreDevice(device: Int)
  /// Days pass, and the server forgets its oldest tombstones.
  case days(Int)
  /// The server does not let devices write these rows, or does again.
  case forbid(items: Range<Int>, Bool)
  /// Another database is at the server's address, or the right one again.
  case otherDatabase(Bool)
  /// The list is copied to another server, with its contents and without its versions.
  case copyServer
  /// The server loses its database, and another one begins with a backup, if there is one, or with nothing.
  case loseDatabase
  case endOrder
  case backUpServer
  case restoreServer
  /// The server is put back and goes on as if nothing had happened. The device, which alone knows of more, syncs.
  case restoreUnsaid(device: Int, SyncParts)
  /// A server without epochs is put back. The device syncs at once.
  case restoreForeign(device: Int, SyncParts)
  /// The list as it is now is kept on the way to the server; the next lists that a device asks for are answered from
  /// that.
  case fillCache
  case answerFromCache(device: Int, lists: Int)
  /// So many changes of rows that the server has do not reach it, and are answered as if another request had.
  case answerAsBefore(device: Int, changes: Int)
  case empty(Bool)
  case stepFarBack(days: Int)
  /// The other program on the device is used from now on.
  case otherProgram(device: Int)
  /// A sync in which the person at a device says what is to become of the rows that a restored server has lost.
  case answerRestore(device: Int, sendsBack: Bool)
  /// A sync in which the person at a device wants what the server would take away to be there again.
  case sendRemovalsBack(device: Int)
  /// The server says how far it has come.
  case notice(device: Int, NoticeFate)
  /// So many times lists of other users are removed.
  case removeOthers(times: Int)
  /// This list is removed from the server.
  case removeList
}

/// What becomes of a notice on its way to a device.
package enum NoticeFate: String, Sendable, Hashable, CaseIterable {
  case arrives, lost, doubled
  /// The one before arrives once more in its place.
  case late
  /// The connection breaks, and the next one begins with it.
  case cut
  /// Nothing is heard until the device gives the connection up.
  case silent
  /// It is about another database, or makes no sense.
  case foreign
  /// It comes again and again among others that say something else each time.
  case flood
  /// For a minute the server says something else each tenth of a second, and none of it is so.
  case lies
}

/// What a person does with an item about which the delegate is being asked.
package enum AskedStep: Sendable, Hashable {
  case rewrite(Column, serial: Int)
  case toggle, drop, delete
  case resolve(Choice)
}

extension EdgeStep: CustomStringConvertible {
  package var description: String {
    switch self {
    case .drop(let device, let item): "device \(device) drops what waits of item \(item)"
    case .restoreVersion(let device, let item, let back):
      "device \(device) puts item \(item) back to what it was \(back) changes ago"
    case .addGroup(let device, let count, let serial): "device \(device) adds \(count) items at once (from w\(serial))"
    case .rewriteGroup(let device, let items, let column, let serial):
      "device \(device) rewrites the \(column) of items \(items) at once (from w\(serial))"
    case .completeGroup(let device, let items): "device \(device) completes items \(items) at once"
    case .deleteGroup(let device, let items): "device \(device) deletes items \(items) at once"
    case .removeWord(let device, let item, let column, let word):
      "device \(device) removes word \(word) of the \(column) of item \(item)"
    case .moveWord(let device, let item, let column, let from, let to):
      "device \(device) moves word \(from) of the \(column) of item \(item) to \(to)"
    case .seeAll(let device): "device \(device): everything that arrived is looked at"
    case .changeExtent(let device, let extent): "device \(device) keeps other rows from now on: \(extent)"
    case .whileAsked(let device, let steps): "device \(device), while its delegate is asked next: \(steps)"
    case .undoDecision(let device, let choice): "device \(device) decides a conflict (\(choice)) and undoes it"
    case .otherUser(let device): "device \(device) syncs while somebody else is signed in"
    case .damage(let device, let item): "device \(device) loses item \(item) from its disk"
    case .backUpDevice(let device): "device \(device) is backed up"
    case .restoreDevice(let device): "device \(device) is put back from its backup"
    case .days(let days): "\(days) days pass, and the server forgets its oldest tombstones"
    case .forbid(let items, let isForbidden):
      "items \(items.lowerBound) to \(items.upperBound - 1) may \(isForbidden ? "not be written" : "be written again")"
    case .otherDatabase(let isOther): "\(isOther ? "another" : "the right") database is at the server's address"
    case .copyServer: "the list is copied to another server"
    case .loseDatabase: "the server loses its database, and begins another one"
    case .endOrder: "the server stops promising an order"
    case .backUpServer: "the server is backed up"
    case .restoreServer: "the server is put back from its backup"
    case .restoreUnsaid(let device, let parts):
      "the server is put back from its backup, and nobody says so; device \(device) \(parts)"
    case .restoreForeign(let device, let parts):
      "the server, which has no epochs, is put back from its backup; device \(device) \(parts)"
    case .fillCache: "the list is kept on the way to the server"
    case .answerFromCache(let device, let lists): "device \(device) gets the next \(lists) lists as they were kept"
    case .answerAsBefore(let device, let changes):
      "device \(device) gets for its next \(changes) changes the rows as they are, and nothing is done"
    case .empty(let isEmpty): "the server's database is \(isEmpty ? "empty" : "back")"
    case .stepFarBack(let days): "the clock of the server steps back by \(days) days"
    case .otherProgram(let device): "device \(device) is used through its other program"
    case .notice(let device, let fate): "device \(device): what the server says of its list is \(fate)"
    case .sendRemovalsBack(let device): "device \(device) syncs and sends back what the server would take away"
    case .answerRestore(let device, let sendsBack):
      "device \(device) syncs and \(sendsBack ? "sends back what the server lost" : "keeps the server's state")"
    case .removeOthers(let times): "lists of other users are removed, \(times) times in a row"
    case .removeList: "the list is removed from the server"
    }
  }
}
