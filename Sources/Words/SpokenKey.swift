/// Every text that is only told, by `ebb --plain`, by its name in `Resources/strings/*.strings`. What the screen says too
/// is a `StringKey`.
package enum SpokenKey: String, CaseIterable, Sendable {
  case welcome = "spoken.welcome"
  /// A name and what it stands for: `here: buy milk`.
  case label = "spoken.label"
  case added = "spoken.added"
  case edited = "spoken.edited"
  case completed = "spoken.completed"
  case reopened = "spoken.reopened"
  case deleted = "spoken.deleted"
  case due = "spoken.due"
  case overdue = "spoken.overdue"
  case marked = "spoken.marked"
  case rangeBegins = "spoken.rangeBegins"
}
