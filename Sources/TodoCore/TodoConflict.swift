package import FoundationEssentials
import OfflineSync
package import TableProtocol

/// A change of an item that the server did not take, with what is needed to decide what becomes of it.
package struct TodoConflict: Identifiable, Sendable, Hashable {
  package let id: RecordID
  package let kind: Kind
  /// HTTP status of the answer.
  package let status: Int
  /// The item as the change here found it; nil when the change made it.
  package let base: TodoCopy?
  /// The item as it is here; nil when it was deleted here.
  package let mine: TodoCopy?
  /// The server's copy; nil when it was deleted there. Of a refused change, what the server had before it.
  package let theirs: TodoCopy?
  /// When the copy here, and the server's, became what they are; nil if nobody noted it.
  package var mineAt: Date?
  package var theirsAt: Date?

  package enum Kind: Sendable, Hashable {
    /// The server's copy changed too.
    case conflict
    /// It is newer here than on the server, which went back to an older state.
    case held
    /// The server will not have it; the reason in its own words, which may be none.
    case refused(reason: String)
  }

  package init(
    id: RecordID, kind: Kind = .conflict, status: Int = 409, base: TodoCopy?, mine: TodoCopy?, theirs: TodoCopy?
  ) {
    self.id = id
    self.kind = kind
    self.status = status
    self.base = base
    self.mine = mine
    self.theirs = theirs
  }
}

/// What an item says in one of its copies.
package struct TodoCopy: Sendable, Hashable {
  package var text: String
  package var complete: Bool

  package init(text: String, complete: Bool = false) {
    self.text = text
    self.complete = complete
  }
}

/// What of an item can differ from one copy to another.
package enum TodoField: String, Sendable, Hashable, CaseIterable {
  case text, complete
}

extension TodoConflict {
  /// True if a decision about this conflict is one about the other too. A refusal may have other words each time.
  func hasSameCopies(as other: TodoConflict) -> Bool {
    let isSameKind =
      switch (kind, other.kind) {
      case (.conflict, .conflict), (.held, .held), (.refused, .refused): true
      case (.conflict, _), (.held, _), (.refused, _): false
      }
    return isSameKind && base == other.base && mine == other.mine && theirs == other.theirs
  }

  package var isRefused: Bool {
    if case .refused = kind { true } else { false }
  }

  /// A text to know the item by.
  package var text: String { (mine ?? theirs ?? base)?.text ?? "" }

  /// The fields in which the copies differ; all of them beside a deletion are told by the text.
  package var fields: [TodoField] {
    let copies = [base, mine, theirs].compactMap(\.self)
    var fields: [TodoField] = []
    if Set(copies.map(\.text)).count > 1 || mine == nil || theirs == nil { fields.append(.text) }
    if Set(copies.map(\.complete)).count > 1 { fields.append(.complete) }
    return fields
  }

  /// The words of a copy's text, those that are not in the base, and those of the base that are missing.
  /// Where there is no base nothing is marked.
  package func words(of copy: TodoCopy) -> [WordRun] {
    guard let base else { return [.same(copy.text)] }
    return WordRun.list(from: base.text, to: copy.text)
  }

  /// The text to start from when a person merges the two: the words of both, with one priority and one date.
  package var proposal: String {
    guard let mine, let theirs else { return text }
    guard let base else { return mine.text }
    return TextMerge.suggestion(base: base.text, mine: mine.text, theirs: theirs.text)
  }
}

/// What a person decided about a conflict or a refusal.
package enum TodoDecision: Sendable, Hashable {
  /// What is here goes to the server.
  case mine
  /// What the server has comes here.
  case theirs
  /// Theirs, and mine as an item of its own.
  case both
  /// This text, here and there.
  case text(String)
}

/// A run of words in the comparison of two texts.
package enum WordRun: Sendable, Hashable {
  case same(String)
  /// Only in the older text.
  case removed(String)
  /// Only in the newer text.
  case added(String)

  /// The newer text from its beginning to its end, with the words of the older one that it lacks. Runs are
  /// to be set one space apart.
  package static func list(from old: String, to new: String) -> [WordRun] {
    let (old, new) = (words(old), words(new))
    guard max(old.count, new.count) <= longest else {
      return old == new ? [.same(joined(new))] : [.removed(joined(old)), .added(joined(new))]
    }
    var runs: [WordRun] = []
    var position = 0
    for edit in WordEdit.list(from: old, to: new) {
      if edit.range.lowerBound > position { runs.append(.same(joined(old[position..<edit.range.lowerBound]))) }
      if !edit.range.isEmpty { runs.append(.removed(joined(old[edit.range]))) }
      if !edit.words.isEmpty { runs.append(.added(joined(edit.words[...]))) }
      position = edit.range.upperBound
    }
    if position < old.count { runs.append(.same(joined(old[position...]))) }
    return runs
  }

  /// Longer texts are compared whole: the work grows with the product of their lengths, in words.
  static let longest = 500

  static func words(_ text: String) -> [Substring] {
    text.split(separator: " ", omittingEmptySubsequences: false)
  }

  private static func joined(_ words: [Substring]) -> String { words.joined(separator: " ") }
  private static func joined(_ words: ArraySlice<Substring>) -> String { words.joined(separator: " ") }
}
