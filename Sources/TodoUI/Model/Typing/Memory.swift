package import TodoCore

/// What the list remembers of itself from one time to the next, in the store.
package struct Memory: Equatable, Sendable {
  package var values: [Name: String]
  /// Lines typed before, oldest first.
  package var history: [String]
  /// What was being typed when the program ended without saving it.
  package var draft: TodoDraft?

  package init(values: [Name: String] = [:], history: [String] = [], draft: TodoDraft? = nil) {
    self.values = values
    self.history = history
    self.draft = draft
  }

  /// Something remembered under a name.
  package enum Name: Hashable, Sendable, CaseIterable {
    case order
    /// From 1 to 9.
    case savedFilter(Int)

    package static let allCases: [Name] = [.order] + (1...9).map(Name.savedFilter)

    /// As it stands in the store.
    package var text: String {
      switch self {
      case .order: "list.order"
      case .savedFilter(let number): "list.filter.\(number)"
      }
    }
  }
}
