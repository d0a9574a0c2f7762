import TableProtocol
import TodoCore

/// The text of an item while it is typed, and what it will become.
struct Editing: Equatable, Sendable {
  var target: Target
  var line: LineEditor
  /// The line typed before that stands in this one's place; nil if none does.
  var shown: LineHistory.Shown?
  /// The text that the typing began with, if it stands nowhere else.
  var origin: TodoDraft?
  /// Somebody else changed the item to a text that this one does not fit together with, deleted it, or decided the
  /// conflict that this text was to decide.
  var isOvertaken = false
  /// The words at the end of every new item of this group; the next one keeps them.
  var tail = ""
  /// The word that begins as a date and is none, once that was said: it stays unchanged.
  private(set) var confirmed: String?
  /// Enter did not save the text because of its date, and nothing was changed since.
  var isRefused = false
  /// Typed after that: the beginning of the next item, which opens when this one is saved.
  private(set) var next = ""

  /// The lines below the first, which stay as they are while that is typed.
  var note: String

  /// The note is that of the item, unless another one goes with what is typed.
  init(target: Target, line: LineEditor, note: String? = nil) {
    self.target = target
    self.line = line
    if case .item(_, let seen) = target { self.note = note ?? ItemText(seen).note } else { self.note = note ?? "" }
  }

  /// The text the item will have. Without a first line the note does not take its place.
  var text: String { line.isBlank ? line.text : ItemText(line: line.text, note: note).text }

  /// True for the text that settles a conflict.
  var isMerge: Bool {
    if case .merge = target { true } else { false }
  }

  /// True for a new item that another one may follow. A text that was typed for an item which is gone is none.
  var goesOn: Bool { target == .new && !isOvertaken }

  /// Something was typed that is nowhere else yet.
  var isChanged: Bool {
    if case .item(_, let seen) = target { text != seen } else { true }
  }

  /// True if there is nothing to save: no text, or an unchanged one.
  var saysNothingNew: Bool {
    if case .item(_, text) = target { return true }
    return line.isBlank || (!tail.isEmpty && line.text == tail)
  }

  /// Says once what is no date although it begins as one; nil when there is no such word, or it was said.
  mutating func doubtDate(today: CalendarDay) -> String? {
    guard let word = doubtful(today: today)?.word, word != confirmed else { return nil }
    confirmed = word
    isRefused = true
    return word
  }

  /// True if a letter begins the next item: nothing was corrected since Enter did not save this one, and the cursor
  /// stands at the end of what was typed.
  var isFollowedByNext: Bool { target == .new && isRefused && line.after == tail }

  /// The text is saved with the word that is no date, and then the next item begins so. Returns nil if what is typed
  /// belongs to this one, as a space does: behind it more of the date may follow.
  mutating func follow(with text: String) -> Editing? {
    guard isFollowedByNext, text.first?.isWhitespace == false else { return nil }
    isRefused = false
    next = text
    return self
  }

  /// The text was not saved: the beginning of the next one goes behind it. Returns nil if there is none.
  mutating func takeBackNext() -> String? {
    guard !next.isEmpty else { return nil }
    line.insert(" " + next)
    defer { next = "" }
    return next
  }

  /// The characters of a word that begins as a date and is none, unless it is still being typed.
  func doubtfulPlace(today: CalendarDay) -> Range<Int>? {
    guard let (word, place) = doubtful(today: today) else { return nil }
    return place.upperBound == line.before.count && word != confirmed ? nil : place
  }

  /// The line to where the note begins in it: a date ends there.
  private var firstLine: String { String(line.text.unicodeScalars.prefix { $0 != ItemText.sign }) }

  /// The characters of the date, from its key to its end, and the day.
  func datePlace(today: CalendarDay) -> (places: Range<Int>, day: CalendarDay)? {
    let text = firstLine
    guard let due = TypedDue(text, today: today), case .day(let day)? = due.meaning else { return nil }
    let start = text.distance(from: text.startIndex, to: due.range.lowerBound)
    return (start..<start + text.distance(from: due.range.lowerBound, to: due.range.upperBound), day)
  }

  /// Words that were in the text already are not doubted.
  private func doubtful(today: CalendarDay) -> (word: String, place: Range<Int>)? {
    let text = firstLine
    guard let range = TypedDue(text, today: today)?.noDate else { return nil }
    let word = String(text[range])
    if case .item(_, let seen) = target, " \(seen) ".contains(" \(word) ") { return nil }
    let start = text.distance(from: text.startIndex, to: range.lowerBound)
    return (word, start..<start + word.count)
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
    TodoDraft(
      target: TodoDraft.Target(target), before: line.before,
      after: hasOwnNote ? ItemText(line: line.after, note: note).text : line.after)
  }

  /// It stands nowhere else, and the history would keep too little of it: no note, and not which item it is for.
  var isOnlyHere: Bool {
    switch target {
    case .new: hasOwnNote || isOvertaken
    case .item: isChanged && (hasOwnNote || isOvertaken || origin != nil)
    case .merge: false
    }
  }

  /// The state that a draft is made of. Where an older line is only looked at, that is the line that was typed; where
  /// the line was emptied, the text that the typing began with.
  var kept: Editing {
    var kept = self
    if let shown, line.text == shown.line { kept.line = shown.typed }
    guard let origin, kept.line.isBlank else { return kept }
    return Editing(resuming: origin)
  }

  /// The note is not the one the item has: it is kept with the line.
  private var hasOwnNote: Bool {
    if case .item(_, let seen) = target { note != ItemText(seen).note } else { !note.isEmpty }
  }

  init(_ draft: TodoDraft) {
    let after = ItemText(draft.after)
    self.init(
      target: Target(draft.target), line: LineEditor(before: draft.before, after: after.line),
      note: after.note.isEmpty ? nil : after.note)
    isOvertaken = draft.isDecided
  }

  /// The draft is typed on.
  init(resuming draft: TodoDraft) {
    self.init(draft)
    origin = draft
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
  init(_ target: TodoDraft.Target) {
    switch target {
    case .new: self = .new
    case .item(let id, let seen): self = .item(id: id, seen: seen)
    case .merge(let id): self = .merge(id: id)
    }
  }
}
