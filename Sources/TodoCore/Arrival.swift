package import FoundationEssentials
package import TableProtocol

/// What a pull changed in the list here, for somebody who was away.
package struct Arrival: Identifiable, Sendable, Hashable {
  /// The item's id. What several pulls did to one item before it was seen is one arrival.
  package let id: RecordID
  /// What was here before; nil for a new item.
  package let before: TodoCopy?
  /// What is here since; nil when the item was deleted.
  package let after: TodoCopy?
  /// When the last of it came, by this device's clock.
  package let arrivedAt: Date
  /// True if the item did not change, and its conflict ended because both sides agree now.
  package let isSettled: Bool

  package init(id: RecordID, before: TodoCopy?, after: TodoCopy?, arrivedAt: Date, isSettled: Bool = false) {
    self.id = id
    self.before = before
    self.after = after
    self.arrivedAt = arrivedAt
    self.isSettled = isSettled
  }

  /// What happened to the item, in one word. Where both text and state changed, the state says more.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    case added, completed, reopened, edited, deleted
    /// A conflict ended by itself.
    case settled
  }

  package var kind: Kind {
    if isSettled { return .settled }
    guard let after else { return .deleted }
    guard let before else { return .added }
    if before.complete != after.complete { return after.complete ? .completed : .reopened }
    return .edited
  }
}
