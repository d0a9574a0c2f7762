import TodoCore

/// The conflicts and refusals that wait for a decision, and the one on the screen.
struct ConflictBrowser: Equatable, Sendable {
  private(set) var conflicts: [TodoConflict]
  private(set) var index: Int
  /// The first of its lines on the screen.
  private(set) var line = 0

  /// Starts at the item with this id, or at the first if it is not among them.
  init(_ conflicts: [TodoConflict], at id: String?) {
    self.conflicts = conflicts
    index = conflicts.firstIndex { $0.id == id } ?? 0
  }

  var current: TodoConflict? {
    conflicts.indices.contains(index) ? conflicts[index] : nil
  }

  /// The current one and those like it: conflicts in the same fields, or refusals, with the same sides deleted.
  var alike: [TodoConflict] {
    guard let current else { return [] }
    return conflicts.filter { $0.isLike(current) }
  }

  mutating func move(by count: Int) {
    index = max(0, min(conflicts.count - 1, index + count))
    line = 0
  }

  mutating func scroll(by lines: Int) {
    line = max(0, line + lines)
  }

  /// Keeps the current one. If it is gone, the next one takes its place.
  mutating func replace(with conflicts: [TodoConflict]) {
    let id = current?.id
    self.conflicts = conflicts
    if let place = conflicts.firstIndex(where: { $0.id == id }) {
      index = place
    } else {
      move(by: 0)
    }
  }
}

extension TodoConflict {
  var isRefused: Bool {
    if case .refused = kind { true } else { false }
  }

  fileprivate func isLike(_ other: TodoConflict) -> Bool {
    isRefused == other.isRefused && (kind == .held) == (other.kind == .held) && fields == other.fields
      && (mine == nil) == (other.mine == nil)
      && (theirs == nil) == (other.theirs == nil)
  }
}
