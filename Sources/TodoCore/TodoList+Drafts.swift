import FoundationEssentials
import OfflineSync

/// The state of the interface that survives a restart. It is not synced.
extension TodoList {
  /// Keeps texts that were typed here and not saved yet, the newest last, in place of what this program kept before.
  /// Saving the item forgets its text too. Each call is a write to the disk: call it when the typing pauses.
  package func saveDrafts(_ texts: [TodoDraft]) throws {
    try context.store.write { try drafts.save(texts, context.environment.newID, in: $0) }
  }

  /// Notes that another editor has the text for an item or a conflict, in the file at `path`. Should this program end
  /// before `takeBackText` is called, `draft` returns what that editor wrote.
  package func lendText(_ text: String, for target: TodoDraft.Target, path: String) throws {
    let stamp = context.environment.newID()
    try context.store.write { try drafts.lend(text, for: target, path: path, stamp, in: $0) }
  }

  package func takeBackText() throws {
    try context.store.write { try drafts.takeBack(in: $0) }
  }

  /// The text that was being typed when another run of the program ended, the newest. It stays what it is until
  /// `takeOverDraft` or `refuseDraft` is called. Nil if there is none: what is still being typed elsewhere is none. The
  /// text of a conflict that was decided meanwhile is returned as an edit of its item, or as a new item.
  package func draft() throws -> TodoDraft? {
    try context.store.read { try drafts.draft(in: $0) }
  }

  /// Makes the text that `draft` returned last one that is typed here. Nil if it is gone, or typed on elsewhere.
  package func takeOverDraft() throws -> TodoDraft? {
    try context.store.write { try drafts.takeOver(in: $0) }
  }

  /// Forgets the text that `draft` returned last, unless it is typed on elsewhere.
  package func refuseDraft() throws {
    try context.store.write { try drafts.refuse(in: $0) }
  }

  /// Remembers some small state of the interface, like the last order; nil forgets it.
  package func remember(_ name: String, _ value: String?) throws {
    guard try remembered(name) != value else { return }
    try context.store.write { store in
      if let value { try store.setFact(Self.fact(name), value) } else { try store.removeFact(Self.fact(name)) }
    }
  }

  package func remembered(_ name: String) throws -> String? {
    try context.store.read { try $0.fact(Self.fact(name)) }
  }

  /// The lines of this kind that were entered, the newest last; at most 200, none of them twice.
  package func history(of kind: RememberedLine) throws -> [String] {
    try context.store.read { try Self.lines(of: kind, in: $0) }
  }

  /// Puts a line at the end of the history of its kind. One without anything in it is not kept.
  package func noteHistory(_ line: String, of kind: RememberedLine) throws {
    guard !line.trimmingWhiteSpace.isEmpty else { return }
    try context.store.write { try noteHistory(line, of: kind, in: $0) }
  }

  func noteHistory(_ line: String?, of kind: RememberedLine = .item, in store: any StoreWriter) throws {
    guard let line, !line.trimmingWhiteSpace.isEmpty else { return }
    let lines = try Self.lines(of: kind, in: store)
    guard lines.last != line else { return }
    let kept = Array((lines.filter { $0 != line } + [line]).suffix(Self.mostLines))
    try store.setFact(kind.rawValue, String(decoding: try JSONEncoder().encode(kept), as: UTF8.self))
  }

  private static let mostLines = 200
  private static func fact(_ name: String) -> String { "interface state " + name }

  private static func lines(of kind: RememberedLine, in store: any StoreReader) throws -> [String] {
    guard let text = try store.fact(kind.rawValue) else { return [] }
    return (try? JSONDecoder().decode([String].self, from: Data(text.utf8))) ?? []
  }
}

/// The kinds of lines that are remembered, each by itself. The raw value names its fact in the store.
package enum RememberedLine: String, CaseIterable, Sendable {
  case item = "interface lines"
  case filter = "interface filters"
}
