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
    let left = try StoredDraft.all(in: store).reversed().lazy.filter { !self.isBeingTyped($0) }
    let found = left.compactMap { stored in stored.draft.map { (stored.stamp, $0) } }.first
    offered.withLock { $0 = found?.0 }
    return found?.1
  }

  /// Makes the draft that was offered last one of this program. Returns nil if it is gone, or taken by another program.
  func takeOver(in store: any StoreWriter) throws -> TodoDraft? {
    var drafts = try StoredDraft.all(in: store)
    let stamp = offered.withLock { $0 }
    guard let index = drafts.firstIndex(where: { $0.stamp == stamp && !isBeingTyped($0) }) else { return nil }
    let found = drafts.remove(at: index)
    guard let draft = found.draft else { return nil }
    let taken = StoredDraft(draft, stamp: found.stamp, run: run.name)
    try StoredDraft.write(drafts + [taken], to: store)
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
    let all = try StoredDraft.all(in: store)
    let others = all.filter { $0.run != run.name || $0.path != nil }
    guard !drafts.isEmpty || others.count < all.count else { return }
    try StoredDraft.write(others + drafts.map { StoredDraft($0, stamp: newStamp(), run: run.name) }, to: store)
  }

  /// Notes that the text of an item is in another editor's hands, in the file at this path: should this program end
  /// meanwhile, the next one offers what stands there.
  func lend(_ id: RecordID, _ text: String, path: String, _ stamp: String, in store: any StoreWriter) throws {
    var lent = StoredDraft(TodoDraft(target: .item(id: id, seen: text), before: text), stamp: stamp, run: run.name)
    lent.path = path
    try StoredDraft.write(try StoredDraft.all(in: store) + [lent], to: store)
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
      let typed = draft.before + draft.after
      return typed == text || typed == ItemText(text).line
    }
  }

  func savedMerge(_ ids: Set<RecordID>, in store: any StoreWriter) throws {
    try remove(in: store) { if case .merge(let id) = $0.target { ids.contains(id) } else { false } }
  }

  /// Removes this program's draft of a new item, which was saved. Another program's draft of a new item stays.
  func savedNew(in store: any StoreWriter) throws {
    try remove(in: store) { $0.run == run.name && $0.target == .new }
  }

  private func isBeingTyped(_ draft: StoredDraft) -> Bool {
    draft.run.map { $0 == run.name || run.isGoingOn($0) } ?? false
  }

  private func remove(in store: any StoreWriter, _ isMeant: (StoredDraft) -> Bool) throws {
    let drafts = try StoredDraft.all(in: store)
    let kept = drafts.filter { !isMeant($0) }
    if kept.count < drafts.count { try StoredDraft.write(kept, to: store) }
  }
}

/// A draft as it stands in a fact of the store, which holds all of them, the newest last.
private struct StoredDraft: Codable {
  private static let fact = "draft"
  /// Drafts that are kept.
  private static let most = 8

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
    guard let bytes = try? Data(contentsOf: URL(filePath: path)), let text = String(validating: bytes, as: UTF8.self)
    else { return nil }
    let written = text.trimmingWhiteSpace
    guard !written.isEmpty, written != before.trimmingWhiteSpace else { return nil }
    let (line, note) = (ItemText(written).line, ItemText(written).note)
    return TodoDraft(target: target, before: line, after: note.isEmpty ? "" : "\n" + note)
  }

  /// Those that can be read. An older Ebb kept a single one.
  static func all(in store: any StoreReader) throws -> [StoredDraft] {
    guard let data = try store.fact(fact).map({ Data($0.utf8) }) else { return [] }
    let decoder = JSONDecoder()
    return (try? decoder.decode([StoredDraft].self, from: data))
      ?? (try? decoder.decode(StoredDraft.self, from: data)).map { [$0] } ?? []
  }

  static func write(_ drafts: [StoredDraft], to store: any StoreWriter) throws {
    if drafts.isEmpty { return try store.removeFact(fact) }
    let kept = Array(drafts.suffix(most))
    try store.setFact(fact, String(decoding: try JSONEncoder().encode(kept), as: UTF8.self))
  }
}

/// Text that was typed and not saved yet.
package struct TodoDraft: Sendable, Hashable {
  package let target: Target
  /// The text before the cursor, and after it.
  package let before: String
  package let after: String

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
