package import TableProtocol
package import TodoCore

/// What is to be done outside the model. `update` returns effects; only the program performs them.
enum Effect: Equatable, Sendable {
  case add([String])
  case edit(id: RecordID, text: String, seen: String)
  case setComplete(ids: [RecordID], Bool)
  case delete(ids: [RecordID])
  case rewrite(ids: [RecordID], TextChange)
  case undo
  case redo
  case readConflicts
  /// Decides about conflicts as they are on the screen.
  case resolve([TodoConflict], TodoDecision)
  /// Here and now: the next key is meant for these rows.
  case read(TodoQuery, RowRequest)
  /// In the background where it takes its time; of several only the last.
  case search(RowSearch)
  /// Count, locate and read the status in the background.
  case count(TodoQuery, locate: TodoItem?)
  /// Make reading in this order fast, in the background.
  case prepare(TodoOrder, TodoView)
  case readMarks(TodoQuery, MarkRequest, then: Command?)
  case findArrival(TodoQuery, from: TodoItem?, backward: Bool)
  case readPane(PaneRequest)
  case markSeen([RecordID])
  case drop(id: RecordID)
  case restore(id: RecordID, number: Int64)
  case readMemory
  case remember(Memory.Name, String?)
  case saveDraft(TodoDraft?)
  case noteHistory(String)
  /// The words in use that begin so.
  case readCompletions(of: String)
  case refresh(RefreshOptions)
  /// Ends the refresh that runs, at a safe point.
  case stopRefresh
  /// Compares everything with the server.
  case verify
  case stopVerifying
  case setMouse(Bool)
  case redraw
  case suspend
  case quit
}

/// A change of the text of an item that keeps the rest of it.
enum TextChange: Equatable, Sendable {
  case raisePriority, lowerPriority
  /// Nil takes the date away.
  case due(CalendarDay?)
}

/// Which items to mark.
package enum MarkRequest: Equatable, Sendable {
  case all
  /// From one item to the other, whichever comes first, both included.
  case range(TodoItem, TodoItem)
}

/// What is to be read for a pane.
package enum PaneRequest: Equatable, Sendable {
  case outbox
  case digest
  case story(id: RecordID)
  case detail(id: RecordID)
  case log
}
