/// A change this program made, for the renderer that says what the screen shows.
struct Deed: Equatable, Sendable {
  enum Kind: Equatable, Sendable {
    case added, edited, completed, reopened, deleted
    /// A change that waited was given up, or a version made present again.
    case dropped, restored
    /// What was chosen about a conflict.
    case decided(Command)
  }

  let kind: Kind
  /// Of the items, as they are now; as they were of those deleted.
  let texts: [String]
}

/// The last change, and the one that was asked for and is not in the store yet.
struct Deeds: Equatable, Sendable {
  private(set) var last: Deed?
  /// How many there were: two alike in turn are two.
  private(set) var count = 0
  private var asked: Deed?

  mutating func ask(_ kind: Deed.Kind, _ texts: [String]) {
    asked = Deed(kind: kind, texts: texts)
  }

  /// What was asked for is in the store.
  mutating func confirm() {
    guard let asked else { return }
    last = asked
    count += 1
    self.asked = nil
  }

  mutating func fail() {
    asked = nil
  }
}
