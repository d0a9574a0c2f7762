import TodoCore
import Words

/// Lines typed before, and words that are in use: what saves typing.
extension Model {
  /// How many lines are remembered.
  static let longestHistory = 200

  /// What was dropped is remembered too, so that it can be had again.
  mutating func noteHistory(_ text: String) -> [Effect] {
    guard !text.allSatisfy(\.isWhitespace), history.last != text else { return [] }
    history.removeAll { $0 == text }
    history.append(text)
    history.removeFirst(max(0, history.count - Self.longestHistory))
    return [.noteHistory(text)]
  }

  mutating func recall(older: Bool) -> [Effect] {
    guard case .editor(var editing) = mode else { return [] }
    let next = (editing.historyIndex ?? history.count) + (older ? -1 : 1)
    guard next >= 0, next <= history.count, editing.historyIndex != nil || older else { return [] }
    if editing.historyIndex == nil { editing.typed = editing.line }
    editing.historyIndex = next == history.count ? nil : next
    editing.line = editing.historyIndex.map { LineEditor(history[$0]) } ?? editing.typed ?? LineEditor()
    mode = .editor(editing)
    draftDue = draftDue ?? now.uptime + 300
    return []
  }

  /// Completes the word before the cursor; again takes the next word that fits.
  mutating func complete() -> [Effect] {
    if let completions { return takeNext(of: completions) }
    guard let word = typedWord, let first = word.first, first == "+" || first == "@" else { return [] }
    return [.readCompletions(of: word)]
  }

  mutating func accept(_ words: [String], completing prefix: String) -> [Effect] {
    guard typedWord == prefix, !words.isEmpty else { return [] }
    return takeNext(of: Completions(prefix: prefix, words: words))
  }

  private mutating func takeNext(of completions: Completions) -> [Effect] {
    guard !completions.words.isEmpty else { return [] }
    var next = completions
    let index = ((completions.index ?? -1) + 1) % completions.words.count
    next.index = index
    let effects = change { $0.replaceWordBeforeCursor(with: completions.words[index]) }
    self.completions = next
    return effects
  }

  private var typedWord: String? {
    switch mode {
    case .editor(let editing): String(editing.line.wordBeforeCursor)
    case .filter(let line): String(line.wordBeforeCursor)
    default: nil
    }
  }

  /// The draft has become an item, or was given up.
  mutating func forgetDraft() -> [Effect] {
    draftDue = nil
    defer { hasDraft = false }
    return hasDraft ? [.saveDraft(nil)] : []
  }
}
