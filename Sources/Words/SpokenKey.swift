/// The texts that only `ebb --plain` says, by their names in `Resources/strings/*.strings`. A text that the screen shows
/// too is a `StringKey`.
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
