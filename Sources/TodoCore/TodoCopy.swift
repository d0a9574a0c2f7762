package import TableProtocol

/// The content of an item in one of its copies.
package struct TodoCopy: Sendable, Hashable {
  package var text: String
  package var complete: Bool

  package init(text: String, complete: Bool = false) {
    self.text = text
    self.complete = complete
  }
}

/// A field in which the copies of an item can differ, named as its column.
package enum TodoField: String, Sendable, Hashable, CaseIterable {
  case text, complete
}

extension TodoCopy {
  /// The content of a row; columns of a wrong type count as unset.
  package init(_ record: Record) {
    self.init(
      text: record.values[TodoColumn.text]?.text ?? "", complete: record.values[TodoColumn.complete]?.bool ?? false)
  }
}
