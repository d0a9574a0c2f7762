package import FoundationEssentials
import OfflineSync
package import TableProtocol

/// A change of an item that the server did not accept, with everything that a decision needs.
package struct TodoConflict: Identifiable, Sendable, Hashable {
  package let id: RecordID
  package let kind: Kind
  /// HTTP status of the answer if the change was refused. Else the status that fits the copies.
  package let status: Int
  /// The item that the change here was made from; nil if the change added it.
  package let base: TodoCopy?
  /// The item on this device; nil if it was deleted here.
  package let mine: TodoCopy?
  /// The server's copy, as far as this device knows; nil if it has no live item.
  package let theirs: TodoCopy?
  /// When the copy here was changed last; nil if that is not known.
  package var mineAt: Date?
  /// When the server's copy was changed last; nil if that is not known.
  package var theirsAt: Date?

  package enum Kind: Sendable, Hashable {
    /// The server's copy changed too.
    case conflict
    /// The server went back to an older state, and the item is newer here.
    case held
    /// The server refused the change. The reason is in its own words, and may be empty.
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

extension TodoConflict {
  /// True if a decision about this conflict holds for the other too. The words of a refusal may differ.
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

  /// The fields in which the copies differ. A deletion shows as a difference of the text.
  package var fields: [TodoField] {
    let copies = [base, mine, theirs].compactMap(\.self)
    var fields: [TodoField] = []
    if Set(copies.map(\.text)).count > 1 || mine == nil || theirs == nil { fields.append(.text) }
    if Set(copies.map(\.complete)).count > 1 { fields.append(.complete) }
    return fields
  }

  /// The words of a copy's text, with those added and those removed since the base. Without a base nothing is marked.
  package func words(of copy: TodoCopy) -> [WordRun] {
    guard let base else { return [.same(copy.text)] }
    return WordRun.list(from: base.text, to: copy.text)
  }

  /// The text of both sides in one, if the text is all that differs; nil if there is nothing to merge. It is nil too if
  /// one side would be all of it, as where both gave the item a date, and if both replaced the same word: a text with
  /// both of the new words makes no sense.
  package var merged: String? {
    guard kind == .conflict, let base, let mine, let theirs, fields == [.text],
      !TextMerge.needsChoice(base: base.text, mine: mine.text, theirs: theirs.text)
    else { return nil }
    let words = proposal
    return words == mine.text || words == theirs.text ? nil : words
  }

  /// The text to start from when a person merges the two: the words of both, with one priority and one date. If both
  /// replaced the same word, it begins with the line that is here.
  package var proposal: String {
    guard let mine, let theirs else { return text }
    guard let base else { return mine.text }
    return TextMerge.suggestion(base: base.text, mine: mine.text, theirs: theirs.text)
  }

  /// The words that a side added and that the proposal lacks, mine first: of two dates it has one.
  package var leftOut: [String] {
    guard let base, let mine, let theirs else { return [] }
    var known = Set(WordRun.words(base.text) + WordRun.words(proposal))
    return (WordRun.words(mine.text) + WordRun.words(theirs.text)).filter { word in
      !word.allSatisfy(\.isWhitespace) && known.insert(word).inserted
    }.map(String.init)
  }

  /// The decision that this one comes to. Of an item that one side deleted there is one copy: to keep both is to keep
  /// that.
  package func effect(of decision: TodoDecision) -> TodoDecision {
    guard case .both = decision, !isRefused else { return decision }
    if theirs == nil { return .mine }
    return mine == nil ? .theirs : .both
  }
}

/// A decision about a conflict or a refusal.
package enum TodoDecision: Sendable, Hashable {
  /// The copy here goes to the server.
  case mine
  /// The server's copy comes here.
  case theirs
  /// Theirs, and mine as an item of its own.
  case both
  /// This text, here and there.
  case text(String)
}
