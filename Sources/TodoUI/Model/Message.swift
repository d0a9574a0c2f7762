package import OfflineSync
package import Terminal
package import TodoCore
package import Words

/// What happened.
package enum Message: Equatable, Sendable {
  case key(Key)
  case mouse(MouseEvent)
  case resized(Size)
  /// The first frame is on the screen: now there is time for all else.
  case painted
  /// A moment came that the model waited for: see `Model.nextWake`.
  case tick
  /// Rows changed, by this program or another.
  case storeChanged
  case rowsRead(RowRequest, RowPage)
  case found(RowSearch, RowPage)
  /// This program's own new items are in the store.
  case added([TodoItem])
  /// This program's own change of so many items is in the store.
  case changed(Int)
  /// A change was undone or done again, or could not be; nil when there was none. With the item as it is now.
  case reversed(UndoResult.Direction, UndoResult?, TodoItem?)
  /// All that waits for a decision.
  case conflictsRead([TodoConflict])
  /// So many conflicts were decided; so many `changed` meanwhile and were not.
  case resolved(Int, changed: Int = 0)
  /// The text being edited is another by now, and the two do not fit together.
  case overtaken(text: String)
  /// A read or a write of the store failed; in words.
  case failed(String)
  /// The items to be marked; nil when a range has lost one of its ends.
  case marksRead([Marked]?, then: Command?)
  /// The next item that arrived, or nil.
  case arrivalFound(TodoItem?)
  case paneRead(PaneContent)
  case memoryRead(Memory)
  case completionsRead(of: String, [String])
  case refresh(RefreshEvent)
  case verified(VerificationEvent)
  case counted(ListCounts)
}

/// What was read for a pane.
package enum PaneContent: Equatable, Sendable {
  case outbox([WaitingChange], total: Int)
  case digest([Arrival])
  case story(TodoItem, [ItemVersion])
  case detail(ItemDetail)
  case log([RequestRecord])
  /// The item it was asked for is gone.
  case gone
}

/// What is counted away from the main thread, for it takes longer the longer the list is.
package struct ListCounts: Equatable, Sendable {
  package var query: TodoQuery
  package var matching: Int
  package var overall: Int
  /// The item whose place was asked for, and the place, from 0.
  package var located: TodoItem?
  package var position: Int?
  package var status: ListStatus
}

/// The status of the store and what a clock on the wall showed for its times.
package struct ListStatus: Equatable, Sendable {
  package var sync: SyncStatus
  /// When the last push or pull ended well, whichever was later.
  package var lastSync: LocalMoment?
  package var now: LocalMoment
  /// What came and was not looked at yet, by what happened to it.
  package var arrivals: [Arrival.Kind: Int]
}
