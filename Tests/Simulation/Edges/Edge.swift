/// An edge of the real world: something that the ordinary steps of a story do not have.
///
/// Each edge draws from a chance of its own, so that switching one on or off changes no other step of a seed.
package enum Edge: String, Sendable, Hashable, CaseIterable {
  /// A person drops what waits of an item, also while it is on its way.
  case outbox
  /// A person puts an item back to one of its versions.
  case versions
  /// Changes of several items that are one step of undo.
  case groups
  /// Words are removed, so that two sides edit one text.
  case words
  /// Words change places.
  case movedWords
  /// One side completes an item while the other edits it.
  case completions
  /// Both sides delete an item, one of them after an edit whose answer was lost.
  case farewells
  /// A person looks at everything that arrived.
  case seen
  /// A device keeps other rows from now on.
  case filters
  /// More days than a server keeps its tombstones.
  case retention
  /// The same, for a device that has sent something and never finished a pull.
  case neverPulled
  /// Clocks that are days off.
  case days
  /// A server that does not say when a row was made.
  case births
  /// Rows without a time of change.
  case untimed
  /// Columns that only another client knows, on a server that merges columns.
  case columns
  /// The same on a server that replaces the row.
  case replacedColumns
  /// Rows that the user may not write.
  case forbidden
  /// A person undoes a decision at once.
  case undoneDecisions
  /// Somebody else is signed in for one sync.
  case otherUser
  /// Another database answers at the address for a while.
  case otherDatabase
  /// The same, for a device whose first pull was cut: it has noted whose list it has, and not in which database.
  case unnamedDatabase
  /// The list is copied to another server, which counts its versions again from 1.
  case copiedServer
  /// A server stops promising that rows appear in the order of their times.
  case orderEnds
  /// Another client deletes most of a long list, and devices pull it in small pages.
  case clearance
  /// The person changes or decides the item while the delegate is asked about it.
  case whileAsked
  /// A person decides while the change is on its way again.
  case decidedUnderWay
  /// A server that cuts pages at any size and does not say so.
  case silentCuts
  /// A server that orders ids without regard to case.
  case collation
  /// Something that is not the server answers 2xx to everything.
  case portal
  /// A row is lost from the device's disk.
  case damage
  /// The server is put back from a backup.
  case restoredServer
  /// Something on the way answers some questions with a list as it was a while ago.
  case stalePages
  /// A server's clock steps back by days, and writes are dated by it.
  case clockFarBack
  /// The server's database is empty for a while, without a trace of what was in it.
  case emptiedServer
  /// Two programs on a device live on beside each other and take turns, each with what it has heard itself.
  case twoPrograms
  /// A device is put back from a backup.
  case restoredDevice
  /// The server is put back from a backup and nobody says so; a device with a change to send is the next to meet it.
  case unsaidRestore
  /// A server without epochs is put back from a backup; a device that knows of something that is lost meets it next.
  case foreignRestore
  /// Changes become visible in another order than that of their times.
  case lateCommits
  /// Devices that may have missed something compare all rows before the end.
  case comparisons
  /// Devices whose server says that there is something new. What it says may be lost, doubled, late and cut.
  case notices
  /// The server loses its database. Another one takes its place, with nothing or with what a backup had, and people say
  /// that the list is the same.
  case lostDatabase
  /// Something on the way passes batches on and answers some of them itself.
  case hiddenBatches
  /// Something on the way passes changes on to nobody, and answers them with the row as it showed it before.
  case otherAnswers
  /// Lists of other users are removed: the epoch is another one, and this list lost nothing. Now and then it is removed
  /// itself, and begins again with the rows that a device sends.
  case removedLists
  /// A person deletes rows about which a device asks because a restored server has lost them; others send them back.
  case heldDeletions
}
