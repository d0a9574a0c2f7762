import TodoCore

/// What is to be done outside the model. `update` returns effects; only the program performs them.
enum Effect: Equatable, Sendable {
  case add(String)
  case edit(id: String, text: String, seen: String)
  case setComplete(id: String, Bool)
  case delete(id: String)
  case undo
  case redo
  case readConflicts
  case resolve(id: String, TodoDecision)
  case read(TodoQuery, RowRequest)
  /// Count, locate and read the status in the background.
  case survey(TodoQuery, locate: TodoItem?)
  case refresh(RefreshWish)
  /// Ends the refresh that runs, at a safe point.
  case stopRefresh
  case redraw
  case suspend
  case quit
}
