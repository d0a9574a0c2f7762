package import FoundationEssentials
package import TodoCore

extension Catalogue {
  /// One side of a conflict: its name with its time, and its words.
  package typealias Side = (label: String, words: String)

  /// Why the user has to decide.
  package func reason(of conflict: TodoConflict) -> String {
    switch conflict.kind {
    case .conflict where conflict.mine == nil: text(.conflictDeletedHere)
    case .conflict where conflict.theirs == nil: text(.conflictDeletedThere)
    // Without an ancestor it is not known which side was changed, or whether both were.
    case .conflict: text(conflict.base == nil ? .conflictDifferent : .conflictChanged)
    case .held: text(.conflictHeld)
    case .refused(let words): refusal(conflict.status, words, explained: .conflictRefused)
    }
  }

  /// The base, mine and theirs, each with its name and time, `here, 14:02`, and its words, `[-milk-]{+oat milk+}`. Of a
  /// refused change and of a held one theirs is the base. A side that deleted the item has no state: its text says so.
  ///
  /// `time` returns the words for a time, or nil if there is no room for them.
  package func sides(of field: TodoField, in conflict: TodoConflict, time: (Date) -> String?) -> [Side] {
    func side(_ key: StringKey, _ copy: TodoCopy?, _ date: Date?, absent: StringKey) -> [Side] {
      if copy == nil, field == .complete { return [] }
      var label = text(key)
      if let date, let moment = time(date) { label += text(.listSeparator) + moment }
      return [(label, words(field, of: copy, in: conflict, absent: absent))]
    }
    let hasBase = conflict.kind == .conflict && conflict.base != nil
    return (hasBase ? side(.conflictBase, conflict.base, nil, absent: .conflictDeleted) : [])
      + side(.conflictMine, conflict.mine, conflict.mineAt, absent: .conflictDeleted)
      + side(.conflictTheirs, conflict.theirs, conflict.theirsAt, absent: conflict.absence)
  }

  /// The words that the merged text lacks; nil if it has those of both sides.
  package func leftOut(of conflict: TodoConflict) -> String? {
    let words = conflict.leftOut.joined(separator: " ")
    return words.isEmpty ? nil : text(.conflictLeftOut, ["words": words])
  }

  package func name(of field: TodoField) -> String {
    text(field == .text ? .conflictText : .conflictComplete)
  }

  /// The value of a field in a copy, with the words that differ from the base in brackets.
  package func words(
    _ field: TodoField, of copy: TodoCopy?, in conflict: TodoConflict, absent: StringKey
  ) -> String {
    guard let copy else { return text(absent) }
    switch field {
    case .text: return WordMarks.text(conflict.words(of: copy))
    case .complete: return text(copy.complete ? .conflictDone : .conflictOpen)
    }
  }
}

extension TodoConflict {
  /// The word for a missing copy of the server.
  fileprivate var absence: StringKey {
    if case .refused = kind { .conflictAbsent } else { .conflictDeleted }
  }
}

/// Words that differ, in brackets, so that they can be told apart without colour: `[-milk-]{+oat milk+}`.
package enum WordMarks {
  package static let removal = "[-"
  package static let addition = "{+"
  package static let closings = ["-]", "+}"]

  /// The text cut at the marks, each mark a piece of its own.
  package static func pieces(of text: String) -> [String] {
    var pieces: [String] = []
    var plain = ""
    var rest = Substring(text)
    while let first = rest.first {
      let pair = String(rest.prefix(2))
      if pair == removal || pair == addition || closings.contains(pair) {
        pieces += [plain, pair]
        plain = ""
        rest.removeFirst(2)
      } else {
        plain.append(first)
        rest.removeFirst()
      }
    }
    return (pieces + [plain]).filter { !$0.isEmpty }
  }

  package static func text(_ runs: [WordRun]) -> String {
    var result = ""
    var previous: WordRun?
    for run in runs {
      let isReplaced = previous?.isRemoved == true && run.isAdded
      let isAtBreak = previous?.text.last == "\n" || run.text.first == "\n"
      if previous != nil, !isReplaced, !isAtBreak { result += " " }
      result += marked(run)
      previous = run
    }
    return result
  }

  private static func marked(_ run: WordRun) -> String {
    switch run {
    case .same(let words): words
    case .removed(let words): removal + words + closings[0]
    case .added(let words): addition + words + closings[1]
    }
  }
}

extension WordRun {
  fileprivate var text: String {
    switch self {
    case .same(let words), .removed(let words), .added(let words): words
    }
  }

  fileprivate var isRemoved: Bool {
    if case .removed = self { true } else { false }
  }

  fileprivate var isAdded: Bool {
    if case .added = self { true } else { false }
  }
}
