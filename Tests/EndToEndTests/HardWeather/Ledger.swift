/// Who wrote what, and who took it away having seen it. Every edit brings a word that no other has, so that a word
/// says which edit it is of.
struct Ledger {
  /// The devices where a word was taken away by somebody who had it before the eyes; none for words that are owed.
  private var takers: [String: Set<String>] = [:]
  private var deleted: Set<String> = []
  private var revived: Set<String> = []
  private var completions: [String: Completion] = [:]
  /// Items made by keeping both sides of a conflict: they share words with the item they came from.
  private(set) var copies: Set<String> = []

  /// Whether an item is done, as the devices that changed that wanted it.
  private struct Completion {
    var devices: Set<String>
    var value: Bool
  }

  /// Somebody at the device saw these rows, and did something that left those.
  ///
  /// A word that comes back by what somebody does, an undo say, is owed again, as far as it was taken away there.
  mutating func acted(at device: String, from before: [StoredRow], to after: [StoredRow], seeing more: Set<String> = [])
  {
    let seen = before.words.union(more)
    for word in seen.subtracting(after.words) { takers[word, default: []].insert(device) }
    for word in after.words.subtracting(before.words) { takers[word, default: []].remove(device) }
    let (old, new) = (Self.byID(before), Self.byID(after))
    for id in Set(old.keys).union(new.keys) where old[id] != new[id] {
      if new[id] == nil { deleted.insert(id) }
      if old[id] == nil, deleted.contains(id) { revived.insert(id) }
      noteCompletion(id, device, was: old[id]?.complete ?? false, is: new[id]?.complete)
    }
  }

  /// Somebody chose that the item lives, whatever was done to it elsewhere.
  mutating func revived(_ id: String) { revived.insert(id) }
  mutating func copied(_ ids: some Sequence<String>) { copies.formUnion(ids) }

  /// Words that must be somewhere: acknowledged, and not taken away by anybody who saw them.
  var owed: [String] { takers.filter(\.value.isEmpty).keys.sorted() }

  /// Items that were deleted by somebody, and that nobody brought back. Where two deleted an item and one of them
  /// undid that, it lives: an undone deletion is undone for all.
  var deletedForGood: Set<String> { deleted.subtracting(revived) }

  /// Items of which a single device said whether they are done, and what it said last.
  var completedByOne: [String: Bool] {
    completions.filter { $0.value.devices.count == 1 }.mapValues(\.value)
  }

  /// A row that goes away or comes back says nothing new of whether it is done, but what comes back may be as it
  /// was long ago: the device that brings it back counts as one that said so.
  private mutating func noteCompletion(_ id: String, _ device: String, was: Bool, is now: Bool?) {
    guard let now, was != now || deleted.contains(id) else { return }
    completions[id, default: Completion(devices: [], value: now)].devices.insert(device)
    completions[id]?.value = now
  }

  private static func byID(_ rows: [StoredRow]) -> [String: StoredRow] {
    Dictionary(uniqueKeysWithValues: rows.map { ($0.id, $0) })
  }
}
