import OfflineSync
import TodoCore

/// Something that has to be said in a sentence. It stays until it is dismissed or overtaken; a `Receipt` folds away.
enum Notice: Equatable, Sendable {
  case refreshFailed(SyncFailure)
  /// A local read or write failed; in words already.
  case trouble(String)
  /// The item was saved, and the filter or the view hides it.
  case addedOutOfSight
  /// So many items were added, changed or decided at once.
  case addedSeveral(Int)
  case changedSeveral(Int)
  case decidedSeveral(Int)
  /// So many conflicts are not those that were shown, and are not decided.
  case conflictsChanged(Int)
  /// The item waits for no decision any more.
  case conflictGone
  /// All of them were so already.
  case nothingChanged
  /// A range has lost one of its ends.
  case rangeLost
  /// The text being edited was changed meanwhile; as it is now.
  case overtaken(text: String)
  case reversed(UndoResult)
  case nothingToReverse(UndoResult.Direction)
  case nothingToDecide
  case allDecided
  case nothingArrived
  case outboxEmpty
  case logEmpty
  case dropped
  case restored
  /// What was typed before the program ended is in the editor again.
  case draftRestored
  case noFilterSaved(Int)
  case filterSaved(Int)
  case filterRemoved(Int)
  case mouse(isOn: Bool)
  /// What was typed says no date.
  case noDate(String)
  case notHere(Command)
  case verifying
  case verified(TableVerification)
  case verifyFailed(SyncFailure)
  /// The server's items are not those of this list although nobody changed them in between.
  case differs(TableComparison)
}
