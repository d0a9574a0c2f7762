import TableProtocol
import TodoCore

/// The text of an item while it is typed, and what it will become.
struct Editing: Equatable, Sendable {
  var target: Target
  var line: LineEditor
  /// The older line of the history that is shown; nil for the one being typed, which is kept in `typed`.
  var historyIndex: Int?
  var typed: LineEditor?

  init(target: Target, line: LineEditor) {
    self.target = target
    self.line = line
  }

  /// True for the text that settles a conflict.
  var isMerge: Bool {
    if case .merge = target { true } else { false }
  }

  /// Something was typed that is nowhere else yet.
  var isChanged: Bool {
    if case .item(_, let seen) = target { line.text != seen } else { true }
  }

  /// There is nothing to save: no text, or the text as it was.
  var saysNothingNew: Bool {
    if case .item(_, line.text) = target { true } else { line.text.allSatisfy(\.isWhitespace) }
  }

  enum Target: Equatable, Sendable {
    case new
    /// The text of this item; `seen` is what it was when the editor was opened.
    case item(id: RecordID, seen: String)
    /// The text that settles the conflict of this item.
    case merge(id: RecordID)
  }
}

extension Editing {
  /// The draft that this line is.
  var draft: TodoDraft {
    TodoDraft(target: TodoDraft.Target(target), before: line.before, after: line.after)
  }

  init(_ draft: TodoDraft) {
    self.init(target: Target(draft.target), line: LineEditor(before: draft.before, after: draft.after))
  }
}

extension TodoDraft.Target {
  fileprivate init(_ target: Editing.Target) {
    switch target {
    case .new: self = .new
    case .item(let id, let seen): self = .item(id: id, seen: seen)
    case .merge(let id): self = .merge(id: id)
    }
  }
}

extension Editing.Target {
  fileprivate init(_ target: TodoDraft.Target) {
    switch target {
    case .new: self = .new
    case .item(let id, let seen): self = .item(id: id, seen: seen)
    case .merge(let id): self = .merge(id: id)
    }
  }
}
