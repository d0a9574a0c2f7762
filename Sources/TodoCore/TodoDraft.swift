package import TableProtocol

/// Text that was typed and not saved yet.
package struct TodoDraft: Sendable, Hashable {
  package let target: Target
  /// The text before the cursor, and after it.
  package let before: String
  package let after: String

  /// What the text is for.
  package enum Target: Sendable, Hashable, Codable {
    case new
    /// `seen` is the item's text when the edit was begun.
    case item(id: RecordID, seen: String)
    /// The decision of a conflict.
    case merge(id: RecordID)
  }

  package init(target: Target, before: String, after: String = "") {
    self.target = target
    self.before = before
    self.after = after
  }
}
