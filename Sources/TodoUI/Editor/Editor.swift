import TableProtocol
import TodoCore
import Words

/// The text being typed, and aids to typing: lines typed before, words in use, and a draft that outlives the program.
struct Editor: Equatable, Sendable {
  /// Nil when nothing is typed.
  private(set) var field: Field?
  /// The filter of the list when one began to be typed.
  private(set) var filterBefore = ""
  /// The items and the filters typed before.
  private(set) var history = LineHistory()
  private(set) var filters = LineHistory()
  /// The filter typed before that stands in the field; nil if none does.
  private var shownFilter: LineHistory.Shown?
  private var completions: Completions?
  /// The last word of a line typed before that stands in the line now.
  private var borrowed: Borrowed?
  /// The uptime at which the text being typed must be saved; nil if it is saved already.
  private(set) var draftDue: Int?
  /// A draft of this program is in the store.
  private var hasDraft = false
  /// The text being typed when another run of the program ended. It is offered and not opened: the keys that come now
  /// may be meant for the list.
  private(set) var offered: TodoDraft?
  /// Texts that were given up here, the last at the end.
  private var shelved: [Shelved] = []

  private struct Shelved: Equatable, Sendable {
    let draft: TodoDraft
    /// The lines typed before would not hold it, so the store has it for the next run.
    let isOnlyHere: Bool
  }

  enum Field: Equatable, Sendable {
    case item(Editing)
    /// The filter is being typed; the list shows what it finds so far.
    case filter(LineEditor)
    /// The date of these items is being typed.
    case due(LineEditor, of: [RecordID])
  }

  /// The text of an item while it is typed.
  var editing: Editing? {
    if case .item(let editing) = field { editing } else { nil }
  }

  /// The first line of the text is typed on; the note stays below it.
  mutating func open(_ target: Editing.Target, _ text: String) {
    let text = ItemText(text)
    field = .item(Editing(target: target, line: LineEditor(text.line), note: text.note))
  }

  /// A text that was written elsewhere, with its note, as if it had been typed here.
  mutating func openEdited(_ target: Editing.Target, _ text: String, at now: Now) {
    let text = ItemText(text)
    var editing = Editing(target: target, line: LineEditor(text.line), note: text.note)
    editing.origin = editing.draft
    field = .item(editing)
    noteTyping(at: now)
  }

  /// A new item; what is typed goes before the tail.
  mutating func openNew(_ text: String = "", tail: String) {
    var editing = Editing(target: .new, line: LineEditor(before: text, after: tail))
    editing.tail = tail
    field = .item(editing)
  }

  /// Changes what is known of the text of an item. Returns nil if none is typed.
  mutating func withEditing<Result>(_ change: (inout Editing) -> Result?) -> Result? {
    guard case .item(var editing) = field else { return nil }
    let result = change(&editing)
    field = .item(editing)
    return result
  }

  mutating func openFilter(_ filter: String) {
    field = .filter(LineEditor(suggestion: filter))
    filterBefore = filter
  }

  mutating func openDue(_ words: String, of ids: [RecordID]) { field = .due(LineEditor(suggestion: words), of: ids) }

  mutating func offer(_ draft: TodoDraft?) { offered = draft }

  /// `R` resumes the draft that is offered, and no text that was given up here since.
  var offersFirst: Bool { offered != nil && shelved.isEmpty }

  /// The line that is offered in the list; nil if there is none. A decision is offered where its conflict is.
  var offeredLine: String? {
    guard let offered = storedShelf.last ?? offered else { return nil }
    let editing = Editing(offered)
    return editing.isMerge ? nil : editing.line.text
  }

  /// True if a text can be resumed.
  var hasText: Bool { !shelved.isEmpty || offeredLine != nil }

  /// Effects that read the offer again: the conflict that it is for may be decided by now.
  var reload: [Effect] {
    if case .merge? = offered?.target { [.read(.draft)] } else { [] }
  }

  func isOffered(mergeOf conflict: TodoConflict) -> Bool { offered?.target == .merge(id: conflict.id) }

  /// The draft that was offered is typed on; the store has it as one of this program.
  mutating func takeUp(_ draft: TodoDraft) {
    offered = nil
    field = .item(Editing(resuming: draft))
    hasDraft = true
  }

  /// The text that was given up last is typed on. Nil if there is none.
  mutating func takeUpShelved(at now: Now) -> TodoDraft? {
    guard let draft = shelved.popLast()?.draft else { return nil }
    field = .item(Editing(resuming: draft))
    hasDraft = true
    noteTyping(at: now)
    return draft
  }

  /// Forgets the draft that was offered. It can be had again like a text that was given up while it was typed.
  mutating func refuse() -> GivenUp {
    guard let offered else { return GivenUp() }
    self.offered = nil
    var given = giveUp(Editing(offered))
    given.effects = [.note(.refuseDraft)] + given.effects + [.read(.draft)]
    return given
  }

  /// The end of a text that was given up. `kept` is its first line if it can be resumed.
  struct GivenUp {
    var effects: [Effect] = []
    var kept: String?
    /// The first line if it is among the lines typed before, and nowhere else.
    var remembered: String?
  }

  /// True if Escape would keep the draft that is offered.
  var keepsOffered: Bool { offered.map { Editing($0).isOnlyHere } ?? false }

  /// Forgets what is typed for good: its line was emptied and saved so.
  mutating func drop() -> [Effect] {
    let line = editing?.origin.map { Editing($0).line.text } ?? ""
    close()
    return note(line) + forgetDraft()
  }

  private mutating func giveUp(_ editing: Editing) -> GivenUp {
    guard editing.isOnlyHere else { return GivenUp(effects: note(editing.line.text)) }
    shelve(editing)
    hasDraft = true
    return GivenUp(effects: [.note(.drafts(storedShelf))], kept: editing.line.text)
  }

  private mutating func shelve(_ editing: Editing) {
    shelved.append(Shelved(draft: editing.draft, isOnlyHere: editing.isOnlyHere))
    let alike = shelved.indices.filter { shelved[$0].isOnlyHere == editing.isOnlyHere }
    if let oldest = alike.first, alike.count > Self.mostShelved { shelved.remove(at: oldest) }
  }

  /// As many drafts as the store keeps.
  private static let mostShelved = 8

  private var storedShelf: [TodoDraft] { shelved.filter(\.isOnlyHere).map(\.draft) }

  /// Changes the line that is typed.
  mutating func change(at now: Now, _ edit: (inout LineEditor) -> Void) {
    (completions, borrowed) = (nil, nil)
    switch field {
    case .item(var editing):
      edit(&editing.line)
      editing.isRefused = false
      field = .item(editing)
      noteTyping(at: now)
    case .filter(var line):
      edit(&line)
      field = .filter(line)
    case .due(var line, let ids):
      edit(&line)
      field = .due(line, of: ids)
    case nil: break
    }
  }

  /// Notes that the typed text is not saved yet: it will be at the next pause.
  mutating func noteTyping(at now: Now) {
    draftDue = draftDue ?? now.uptime + 300
  }

  /// Somebody else changed the text meanwhile: nothing is saved before that was seen. The text typed stays.
  mutating func overtake(by text: String) {
    guard case .item(var editing) = field, case .item(let id, _) = editing.target else { return }
    editing.target = .item(id: id, seen: text)
    editing.isOvertaken = true
    field = .item(editing)
  }

  /// The item is gone: the text typed becomes a new one.
  mutating func makeNew(at now: Now) {
    guard case .item(var editing) = field, case .item = editing.target else { return }
    editing.target = .new
    editing.isOvertaken = true
    field = .item(editing)
    noteTyping(at: now)
  }

  /// The conflict that the text was to decide was decided elsewhere: the text becomes an edit of the item, which is
  /// `seen` now, or a new item if that is nil.
  mutating func leaveConflict(seen: String?, at now: Now) {
    guard case .item(var editing) = field, case .merge(let id) = editing.target else { return }
    editing.target = seen.map { Editing.Target.item(id: id, seen: $0) } ?? .new
    editing.isOvertaken = true
    editing.origin = editing.draft
    field = .item(editing)
    noteTyping(at: now)
  }

  mutating func close() {
    (completions, borrowed, shownFilter) = (nil, nil, nil)
    field = nil
  }

  /// The filter that is typed is the one of the list now.
  mutating func finishFilter() -> [Effect] {
    guard case .filter(let line) = field else { return [] }
    close()
    return filters.note(line.text) ? [.note(.line(line.text, of: .filter))] : []
  }

  /// Gives up what is typed. An item's text is remembered, so that it can be had again.
  mutating func cancel() -> GivenUp {
    let kept = editing?.kept
    close()
    guard let kept else { return GivenUp() }
    let forgotten = forgetDraft()
    guard kept.isChanged, !kept.saysNothingNew else { return GivenUp(effects: forgotten) }
    var given = giveUp(kept)
    given.effects = forgotten + given.effects
    if kept.isMerge {
      given.remembered = kept.line.text
    } else if !kept.isOnlyHere {
      shelve(kept)
      given.kept = kept.line.text
    }
    return given
  }

  /// The text typed, or the lines that were pasted into it, are in the store now. With them the line is in the history
  /// there, and the draft is forgotten.
  mutating func finish(isPasted: Bool) {
    switch field {
    case .item(let editing):
      close()
      // It may have been dropped once, and taken from the history.
      let saved = editing.draft
      shelved.removeAll { $0.draft.target == saved.target && $0.draft.text == saved.text }
      if !isPasted { _ = note(editing.line.text) }
      _ = forgetDraft()
      // With the text that was saved the store forgot the draft of this program. If the text was first meant for
      // something else, its draft of then is still there.
      if !storedShelf.isEmpty || editing.isOvertaken { (draftDue, hasDraft) = (0, true) }
    case .due: close()
    case .filter, nil: break
    }
  }
}

// MARK: Drafts and lines typed before

extension Editor {
  /// The text being typed is kept at each pause, so that it outlives the program.
  mutating func keepDraft(at now: Now) -> [Effect] {
    guard let draftDue, draftDue <= now.uptime else { return [] }
    let effects = lastEffects
    self.draftDue = nil
    hasDraft = !drafts.isEmpty
    return effects
  }

  /// The texts to be had again if the program ended now, the newest last.
  private var drafts: [TodoDraft] {
    guard let kept = editing?.kept, !kept.line.text.isEmpty else { return storedShelf }
    return storedShelf + [kept.draft]
  }

  /// Effects that must run before the program ends, without waiting for the next pause.
  var lastEffects: [Effect] {
    draftDue == nil ? [] : [.note(.drafts(drafts))]
  }

  private mutating func forgetDraft() -> [Effect] {
    draftDue = nil
    defer { hasDraft = !storedShelf.isEmpty }
    return hasDraft ? [.note(.drafts(storedShelf))] : []
  }

  mutating func recall(_ memory: Memory) {
    history = LineHistory(memory.history)
    filters = LineHistory(memory.filters)
  }

  private mutating func note(_ line: String) -> [Effect] {
    history.note(line) ? [.note(.line(line, of: .item))] : []
  }

  /// Shows an older line, or a newer one.
  mutating func browseHistory(older: Bool, at now: Now) {
    (completions, borrowed) = (nil, nil)
    switch field {
    case .item(var editing):
      guard let step = history.step(older: older, from: editing.shown, in: editing.line) else { return }
      (editing.line, editing.shown) = step
      editing.isRefused = false
      field = .item(editing)
      noteTyping(at: now)
    case .filter(let line):
      guard let step = filters.step(older: older, from: shownFilter, in: line) else { return }
      field = .filter(step.field)
      shownFilter = step.shown
    case .due, nil: break
    }
  }
}

// MARK: Words of lines typed before

extension Editor {
  private struct Borrowed: Equatable, Sendable {
    /// The place of the line in the history.
    let index: Int
    /// The line before the word came.
    let line: LineEditor
  }

  /// Puts the last word of the line typed last at the cursor; again takes that of the line before.
  mutating func insertLastWord(at now: Now) {
    guard let editing else { return }
    let end = borrowed?.index ?? history.lines.count
    guard let index = history.lines[..<end].lastIndex(where: { $0.contains { !$0.isWhitespace } }),
      let word = history.lines[index].split(whereSeparator: \.isWhitespace).last
    else { return }
    let line = borrowed?.line ?? editing.line
    change(at: now) {
      $0 = line
      $0.insert(String(word))
    }
    borrowed = Borrowed(index: index, line: line)
  }
}

// MARK: Words in use

extension Editor {
  /// Words that would complete the one before the cursor.
  private struct Completions: Equatable, Sendable {
    /// The beginning that was typed, with its `+` or `@`.
    let prefix: String
    let words: [String]
    /// The one that stands in the line now; nil when none was taken yet.
    var index: Int?
  }

  /// Completes the word before the cursor; again takes the next word that fits.
  mutating func complete(at now: Now) -> [Effect] {
    if let completions {
      takeNext(of: completions, at: now)
      return []
    }
    guard let word = typedWord, let first = word.first, first == "+" || first == "@" else { return [] }
    return [.read(.completions(of: word))]
  }

  mutating func accept(_ words: [String], completing prefix: String, at now: Now) {
    guard typedWord == prefix, !words.isEmpty else { return }
    takeNext(of: Completions(prefix: prefix, words: words), at: now)
  }

  private mutating func takeNext(of completions: Completions, at now: Now) {
    guard !completions.words.isEmpty else { return }
    var next = completions
    let index = ((completions.index ?? -1) + 1) % completions.words.count
    next.index = index
    let isOnly = completions.words.count == 1
    change(at: now) { $0.replaceWordBeforeCursor(with: completions.words[index], isWhole: isOnly) }
    self.completions = next
  }

  private var typedWord: String? {
    switch field {
    case .item(let editing): WideSigns.narrowed(beginning: String(editing.line.wordBeforeCursor))
    case .filter(let line): WideSigns.narrowed(beginning: String(line.wordBeforeCursor))
    case .due, nil: nil
    }
  }
}
