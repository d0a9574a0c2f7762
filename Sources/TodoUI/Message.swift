package import OfflineSync
package import TableProtocol
package import Terminal
package import TodoCore
package import Words

/// An event that `update` applies to the model.
package enum Message: Equatable, Sendable {
  case key(Key)
  case mouse(MouseEvent)
  case resized(Size)
  /// The terminal's window is looked at again.
  case focused
  /// It is not looked at any more.
  case unfocused
  /// The program is about to stop, and goes on.
  case suspended, resumed
  /// The colour behind the text of the terminal; nil when it does not tell.
  case background(Style.Color?)
  /// The terminal was not asked: it has few colours, and they are its user's.
  case fewColors
  /// The first frame is on the screen: now there is time for all else.
  case painted
  /// A moment came that the model waited for: see `Model.nextWake`.
  case tick
  /// Something in the store changed that this program did not ask for as it is shown: a sync brought it, or another
  /// program.
  case storeChanged(StoreChanges)
  case read(ReadResult)
  /// The outcome of a change this program asked for.
  case done(Outcome)
  /// The editor that had the text for an item or a conflict has ended; `seen` is what it was given.
  case edited(TodoDraft.Target, seen: String, EditedText)
  /// The address was given to a program that opens it, or else to the clipboard.
  case linkDone(String, isOpened: Bool)
  /// A read or a write of the store failed; in words.
  case failed(String)
  /// A sync finds no sign-in without which the server must not be asked; why, in words. Its end comes next.
  case signInMissing(String?)
  case refresh(RefreshEvent)
  /// An event of a connection for notices, with the connection's number.
  case noticed(NoticeEvent, connection: Int)
  case verified(VerificationEvent)
}

/// The content that was read for a `Reading`.
package enum ReadResult: Equatable, Sendable {
  /// The first rows, in the view that the list opens with.
  case opening(TodoView, RowPage)
  case rows(RowRequest, RowPage)
  case search(RowSearch, RowPage)
  case counts(ListCounts)
  /// The items to be marked; nil when a range has lost one of its ends.
  case marks([Marked]?, then: ItemCommand?)
  /// Which of the marked items are left, as they are now.
  case marked([Marked], of: [RecordID])
  /// The next item that arrived, or nil.
  case arrival(TodoItem?)
  /// All that waits for a decision.
  case conflicts([TodoConflict])
  /// The item with this id; nil if it is gone.
  case item(id: RecordID, TodoItem?)
  case pane(PaneContent)
  case memory(Memory)
  case draft(TodoDraft?)
  /// How far the list was read, for a notice.
  case position(ListPosition, for: ListLevel)
  case panel(PanelContents)
  case side(SideContents)
  case completions(of: String, [String])
  case items([TodoItem], for: ItemCommand)
}

/// The outcome of a change.
package enum Outcome: Equatable, Sendable {
  /// The new items are in the store.
  case added([TodoItem])
  /// The change of so many items is in the store.
  case changed(Int)
  /// The new text of one item is in the store. It may hold what others changed meanwhile.
  case edited(TodoItem)
  /// The change of one item ended its conflict for the other side. Holds the item as it is now, nil if that side has
  /// deleted it.
  case letGo(TodoItem?)
  /// The change of so many items is in the store, and it was stopped before the rest.
  case stopped(Int, rest: Int)
  /// A change was undone or done again, or could not be; nil when there was none. With the item as it is now.
  case reversed(UndoResult.Direction, UndoResult?, TodoItem?)
  /// So many conflicts were decided; so many `changed` meanwhile and were not. The rest waits for no decision any more.
  case resolved(Int, changed: Int = 0)
  /// The draft that was offered is typed on here; nil when it is gone, or another program has it.
  case tookOver(TodoDraft?)
  /// The text being edited is another by now, and the two do not fit together.
  case overtaken(text: String)
  /// The item being edited is deleted: nothing was saved.
  case editedGone
}

/// The content read for a pane.
package enum PaneContent: Equatable, Sendable {
  case outbox([WaitingChange], total: Int)
  case digest([Arrival])
  case story(TodoItem, [ItemVersion])
  case detail(ItemDetail)
  case log([RequestRecord])
  /// The item it was asked for is gone.
  case gone
}

/// How many items a query finds.
package struct Matches: Equatable, Sendable {
  package var count: Int
  /// How many of them stand in each group; empty where the list has no groups.
  package var groups: [TodoGroup: Int] = [:]
}

/// Counts made away from the main thread, for they take longer the longer the list is.
package struct ListCounts: Equatable, Sendable {
  package var query: TodoQuery
  package var matches: Matches
  package var overall: Int
  /// How many items each view has without a filter.
  package var views: [TodoView: Int] = [:]
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
  /// Arrivals not looked at yet, by what happened to them.
  package var arrivals: [Arrival.Kind: Int]
}
