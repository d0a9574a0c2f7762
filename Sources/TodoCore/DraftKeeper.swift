import FoundationEssentials
import OfflineSync
import Synchronization
package import TableProtocol

/// Keeps the drafts of a store, by the program that has the list open and typed them. A draft is offered to another
/// program only when the one that typed it has ended: nobody takes what is being typed elsewhere.
package final class DraftKeeper: Sendable {
  private let run: ProgramRun
  /// The stamp of the draft that was offered last.
  private let offered = Mutex<String?>(nil)

  init(_ run: ProgramRun) {
    self.run = run
  }

  /// The newest draft of a program that has ended. Nil if there is none.
  func draft(in store: any StoreReader) throws -> TodoDraft? {
    for stored in try StoredDrafts(in: store).readable.reversed() where !isBeingTyped(stored) {
      guard let draft = try stored.draft?.retargeted(in: store) else { continue }
      offered.withLock { $0 = stored.stamp }
      return draft
    }
    offered.withLock { $0 = nil }
    return nil
  }

  /// Makes the draft that was offered last one of this program. Returns nil if it is gone, or taken by another program.
  func takeOver(in store: any StoreWriter) throws -> TodoDraft? {
    var drafts = try StoredDrafts(in: store).readable
    let stamp = offered.withLock { $0 }
    guard let index = drafts.firstIndex(where: { $0.stamp == stamp && !isBeingTyped($0) }) else { return nil }
    let found = drafts.remove(at: index)
    guard let draft = try found.draft?.retargeted(in: store) else { return nil }
    let taken = StoredDraft(draft, stamp: found.stamp, run: run.name)
    try write(drafts + [taken], to: store)
    return draft
  }

  /// Removes the draft that was offered last.
  func refuse(in store: any StoreWriter) throws {
    let stamp = offered.withLock { $0 }
    try remove(in: store) { $0.stamp == stamp && !isBeingTyped($0) }
  }

  /// Saves the drafts of this program, the newest last, in place of those it had. `newStamp` makes a text that was
  /// never used.
  func save(_ drafts: [TodoDraft], _ newStamp: () -> String, in store: any StoreWriter) throws {
    let all = try StoredDrafts(in: store).readable
    let others = all.filter { $0.run != run.name || $0.path != nil }
    guard !drafts.isEmpty || others.count < all.count else { return }
    try write(others + drafts.map { StoredDraft($0, stamp: newStamp(), run: run.name) }, to: store)
  }

  /// Notes that another editor has the text in the file at this path: should this program end meanwhile, the next one
  /// offers what stands there.
  func lend(
    _ text: String, for target: TodoDraft.Target, path: String, _ stamp: String, in store: any StoreWriter
  ) throws {
    var lent = StoredDraft(TodoDraft(target: target, before: text), stamp: stamp, run: run.name)
    lent.path = path
    try write(try StoredDrafts(in: store).readable + [lent], to: store)
  }

  /// The other editor has ended.
  func takeBack(in store: any StoreWriter) throws {
    try remove(in: store) { $0.run == run.name && $0.path != nil }
  }

  /// Removes the drafts of an item that was saved: those of this program, and any that says the same. Drafts that
  /// somebody wrote elsewhere and could not save stay.
  func savedItem(_ id: RecordID, _ text: String, in store: any StoreWriter) throws {
    try remove(in: store) { stored in
      guard case .item(id, _) = stored.target else { return false }
      if stored.run == run.name { return stored.path == nil }
      guard let draft = stored.draft else { return false }
      let typed = draft.text
      return typed == text || typed == ItemText(text).line
    }
  }

  /// Removes the drafts of conflicts that were decided: those of this program, and any that says the same as the
  /// decision. A text that another program left stays: nothing else has it.
  func savedMerge(_ decisions: [RecordID: TodoDecision], in store: any StoreWriter) throws {
    try remove(in: store) { stored in
      guard case .merge(let id) = stored.target, let decision = decisions[id] else { return false }
      if stored.run == run.name { return true }
      guard case .text(let text) = decision else { return false }
      return stored.draft?.text == text
    }
  }

  /// Removes this program's draft of a new item, which was saved. Another program's draft of a new item stays.
  func savedNew(in store: any StoreWriter) throws {
    try remove(in: store) { $0.run == run.name && $0.target == .new }
  }

  private func isBeingTyped(_ draft: StoredDraft) -> Bool {
    draft.run.map { $0 == run.name || run.isGoingOn($0) } ?? false
  }

  /// Replaces the drafts of the store. A text that its item has by now is left out: it is never offered, and must not
  /// take the place of another one.
  private func write(_ drafts: [StoredDraft], to store: any StoreWriter) throws {
    try StoredDrafts.write(try drafts.filter { try isBeingTyped($0) || !$0.isDone(in: store) }, to: store)
  }

  private func remove(in store: any StoreWriter, _ isMeant: (StoredDraft) -> Bool) throws {
    let drafts = try StoredDrafts(in: store).readable
    let kept = drafts.filter { !isMeant($0) }
    if kept.count < drafts.count { try write(kept, to: store) }
  }
}

/// All drafts of a store: a list in one of its facts, the newest last.
private struct StoredDrafts {
  private static let fact = "draft"
  /// Drafts that are kept.
  private static let most = 8

  private(set) var readable: [StoredDraft] = []
  /// Those that this program can't read, as they stand there. They are damaged, or from a newer Ebb, which may have the
  /// same list open and will look for them.
  private var others: [String] = []

  init(in store: any StoreReader) throws {
    guard let text = try store.fact(Self.fact) else { return }
    let decoder = JSONDecoder()
    for element in Self.elements(of: text) {
      if let draft = try? decoder.decode(StoredDraft.self, from: Data(element.utf8)) {
        readable.append(draft)
      } else {
        others.append(element)
      }
    }
  }

  /// Returns the values of a list in JSON, up to a damaged one. An older Ebb kept a single value.
  private static func elements(of text: String) -> [String] {
    guard var reader = try? JSONReader(Array(text.utf8)) else { return [] }
    var elements: [ArraySlice<UInt8>] = []
    if (try? reader.beginArray()) != nil {
      while (try? reader.nextElement()) == true, let element = try? reader.raw() { elements.append(element) }
    } else if let element = try? reader.raw() {
      elements = [element]
    }
    return elements.map { String(decoding: $0, as: UTF8.self) }
  }

  /// Replaces those that can be read.
  static func write(_ drafts: [StoredDraft], to store: any StoreWriter) throws {
    let encoder = JSONEncoder()
    let kept = try drafts.suffix(most).map { String(decoding: try encoder.encode($0), as: UTF8.self) }
    let all = try StoredDrafts(in: store).others.suffix(most) + kept
    if all.isEmpty { return try store.removeFact(fact) }
    try store.setFact(fact, "[" + all.joined(separator: ",") + "]")
  }
}

/// A draft as it stands in the store.
private struct StoredDraft: Codable {
  let stamp: String
  /// The name of the run of the program that types it. Nil in a draft of an older Ebb.
  var run: String?
  let target: TodoDraft.Target
  let before: String
  let after: String
  /// The file that another editor has it in; `before` is what the file began with.
  var path: String?

  init(_ draft: TodoDraft, stamp: String, run: String) {
    self.stamp = stamp
    self.run = run
    target = draft.target
    before = draft.before
    after = draft.after
  }

  /// Nil for a file that is gone, was not changed or can't be read.
  var draft: TodoDraft? {
    guard let path else { return TodoDraft(target: target, before: before, after: after) }
    guard let bytes = try? Data(contentsOf: URL(filePath: path)), let text = String(ofFile: bytes) else { return nil }
    let written = text.trimmingWhiteSpace
    guard !written.isEmpty, written != before.trimmingWhiteSpace else { return nil }
    let (line, note) = (ItemText(written).line, ItemText(written).note)
    return TodoDraft(target: target, before: line, after: note.isEmpty ? "" : "\n" + note)
  }

  /// True for the text of a conflict that was decided meanwhile, if the item has this text.
  func isDone(in store: any StoreReader) throws -> Bool {
    guard case .merge = target, let draft else { return false }
    return try draft.retargeted(in: store) == nil
  }
}

/// Text that was typed and not saved yet.
package struct TodoDraft: Sendable, Hashable {
  package let target: Target
  /// The text before the cursor, and after it.
  package let before: String
  package let after: String
  package var text: String { before + after }
  /// The text was typed to decide a conflict, and that was decided otherwise meanwhile: it is an edit of the item now,
  /// or a new item if the item is gone.
  package var isDecided = false

  /// The purpose of the text.
  package enum Target: Sendable, Hashable, Codable {
    case new
    /// `seen` is the item's text when the edit was begun.
    case item(id: RecordID, seen: String)
    /// The decision of a conflict.
    case merge(id: RecordID)
  }

  package init(target: Target, before: String, after: String = "") {
    self.target = target
    self.before = before
    self.after = after
  }
}

extension TodoDraft {
  /// Returns the draft with the target that it has in the store now: the text of a conflict that was decided meanwhile
  /// is one for its item. Nil if the item has this text already.
  fileprivate func retargeted(in store: any StoreReader) throws -> TodoDraft? {
    guard case .merge(let id) = target else { return self }
    let row = try store.trackedRow(id, in: TodoList.table)
    guard row.attention == nil else { return self }
    let now = row.shown?.values[TodoColumn.text]?.text
    guard text != now else { return nil }
    var draft = TodoDraft(target: now.map { Target.item(id: id, seen: $0) } ?? .new, before: before, after: after)
    draft.isDecided = true
    return draft
  }
}
