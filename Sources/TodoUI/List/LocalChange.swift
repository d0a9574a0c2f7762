/// A change this program made, for those who say what was done.
struct LocalChange: Equatable, Sendable {
  enum Kind: Equatable, Sendable {
    case added, edited, completed, reopened, deleted
    /// A change that waited was given up, or a version made present again.
    case dropped, restored
    /// What was chosen about a conflict.
    case decided(ConflictCommand)
  }

  let kind: Kind
  /// The texts of the items after the change; of deleted items before it.
  let texts: [String]
}

/// The last change that is in the store, and the one that was requested and is not there yet.
struct LastChange: Equatable, Sendable {
  private(set) var confirmed: LocalChange?
  /// The number of confirmed changes: two equal changes in turn count as two.
  private(set) var count = 0
  private var requested: LocalChange?

  mutating func request(_ kind: LocalChange.Kind, _ texts: [String]) {
    requested = LocalChange(kind: kind, texts: texts)
  }

  /// The requested change is in the store. Returns which; nil when none was requested.
  @discardableResult
  mutating func confirm() -> LocalChange.Kind? {
    guard let requested else { return nil }
    confirmed = requested
    count += 1
    self.requested = nil
    return requested.kind
  }

  mutating func fail() {
    requested = nil
  }
}
