import FoundationEssentials
import OfflineSync
import Synchronization
package import TableProtocol

/// Keeps the one draft of a store. Several programs may have the list open: the newest draft wins, and a program removes
/// only a draft that it has saved or read itself.
package final class DraftKeeper: Sendable {
  /// The stamp of the draft that this program saved or read last.
  private let stamp = Mutex<String?>(nil)

  func draft(in store: any StoreReader) throws -> TodoDraft? {
    guard let stored = try StoredDraft(store) else { return nil }
    stamp.withLock { $0 = stored.stamp }
    return TodoDraft(target: stored.target, before: stored.before, after: stored.after)
  }

  /// Saves a draft, or removes it for nil. `newStamp` is a text that was never used.
  func save(_ draft: TodoDraft?, _ newStamp: @autoclosure () -> String, in store: any StoreWriter) throws {
    guard let draft else { return try forget(in: store) }
    let stored = StoredDraft(
      stamp: newStamp(), target: draft.target, before: draft.before, after: draft.after)
    try stored.write(to: store)
    stamp.withLock { $0 = stored.stamp }
  }

  /// Removes the draft of an item that was saved.
  func savedItem(_ id: RecordID, in store: any StoreWriter) throws {
    try forget(in: store, whoever: { target in if case .item(id, _) = target { true } else { false } }, ownToo: false)
  }

  func savedMerge(_ ids: Set<RecordID>, in store: any StoreWriter) throws {
    try forget(
      in: store, whoever: { target in if case .merge(let id) = target { ids.contains(id) } else { false } },
      ownToo: false)
  }

  /// Removes this program's draft of a new item, which was saved. Another program's draft of a new item stays.
  func savedNew(in store: any StoreWriter) throws {
    guard try StoredDraft(store)?.target == .new else { return }
    try forget(in: store)
  }

  private func forget(
    in store: any StoreWriter, whoever isMeant: (TodoDraft.Target) -> Bool = { _ in false }, ownToo: Bool = true
  ) throws {
    guard let stored = try StoredDraft(store) else { return }
    let isOwn = ownToo && stamp.withLock { $0 == stored.stamp }
    if isOwn || isMeant(stored.target) { try store.removeFact(StoredDraft.fact) }
  }
}

/// The draft as a fact of the store.
private struct StoredDraft: Codable {
  static let fact = "draft"

  let stamp: String
  let target: TodoDraft.Target
  let before: String
  let after: String
}

extension StoredDraft {
  /// Returns nil if there is no draft, or none that can be read.
  init?(_ store: any StoreReader) throws {
    guard let text = try store.fact(Self.fact),
      let draft = try? JSONDecoder().decode(Self.self, from: Data(text.utf8))
    else { return nil }
    self = draft
  }

  func write(to store: any StoreWriter) throws {
    try store.setFact(Self.fact, String(decoding: try JSONEncoder().encode(self), as: UTF8.self))
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
