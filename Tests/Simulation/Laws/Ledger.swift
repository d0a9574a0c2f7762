import TableProtocol

/// Who wrote what, and who took it away having seen it. Words are unique, so that each says which
/// edit it is of.
final class Ledger {
  private struct Decided: Hashable {
    let item: RecordID
    let party: Party
  }

  private struct Removal: Hashable {
    let party: Party
    let number: Int
  }

  /// Every word that was acknowledged, with its item.
  private(set) var item: [String: RecordID] = [:]
  /// Edits and deletes by which a word was taken away by somebody who saw it.
  private var removals: [String: [Removal]] = [:]
  private var deletions: [RecordID: [Removal]] = [:]
  private(set) var revivals: Set<RecordID> = []
  /// Items made by keeping both sides of a conflict.
  private(set) var copies: Set<RecordID> = []
  private var count = 0

  /// By item, what each party said last of its completion.
  private var completions: [RecordID: [Party: Bool]] = [:]
  /// Items of which that cannot be told.
  private var obscured: Set<RecordID> = []
  /// By item, words that somebody took out of it and nobody put in again; and those that a decision took out.
  private(set) var gone: [RecordID: Set<String>] = [:]
  private(set) var decidedAgainst: [RecordID: Set<String>] = [:]
  /// What the last decision of each party about an item took out.
  private var lastDecisions: [Decided: (gone: Set<String>, against: Set<String>)] = [:]
  /// By item, words that somebody put in again, maybe before another took them out.
  private var contested: [RecordID: Set<String>] = [:]
  /// By item, words that went because a text became again what it was before they came.
  private(set) var takenBack: [RecordID: Set<String>] = [:]
  /// Items whose words somebody put in another order.
  private(set) var moved: Set<RecordID> = []

  /// Somebody who saw the words `from` left the words `to`. Words that come back to life are owed
  /// again, as far as the same party took them away. If nothing is left to send by that (`isSaid` is false), no server
  /// hears of them: they are owed as they were before, also by what the party had sent about them until then.
  func wrote(_ id: RecordID, from: Set<String>, to: Set<String>, by party: Party, isSaid: Bool = true) {
    // Words that were written into a tombstone are known only by being taken out.
    putBack(to.subtracting(from).filter { item[$0] != nil || gone[id]?.contains($0) ?? false }, in: id)
    for word in to.subtracting(from) {
      guard isSaid else {
        if let last = removals[word]?.lastIndex(where: { $0.party == party }) { removals[word]?.remove(at: last) }
        continue
      }
      item[word] = id
      removals[word]?.removeAll { $0.party == party }
    }
    remove(from.subtracting(to), by: party)
    gone[id, default: []].formUnion(from.subtracting(to).subtracting(contested[id] ?? []))
  }

  private func putBack(_ words: Set<String>, in id: RecordID) {
    guard !words.isEmpty else { return }
    gone[id]?.subtract(words)
    decidedAgainst[id]?.subtract(words)
    contested[id, default: []].formUnion(words)
  }

  /// Somebody who saw both sides of a conflict chose these words, of which some may have been on one side only.
  func decided(_ id: RecordID, mine: Set<String>?, theirs: Set<String>?, to: Set<String>, by party: Party) {
    let from = (mine ?? []).union(theirs ?? [])
    let before = (gone: gone[id] ?? [], against: decidedAgainst[id] ?? [])
    wrote(id, from: from, to: to, by: party)
    decidedAgainst[id, default: []].formUnion(from.subtracting(to).subtracting(contested[id] ?? []))
    lastDecisions[Decided(item: id, party: party)] = (
      (gone[id] ?? []).subtracting(before.gone), (decidedAgainst[id] ?? []).subtracting(before.against)
    )
    putBack(to.subtracting((mine ?? []).intersection(theirs ?? [])), in: id)
  }

  /// A party takes its last decision back, and is asked again: what that took out is nobody's decision any more. The
  /// list shows the party's own side again; words of the server that it hides by that are in question, and not taken
  /// out.
  func undecided(_ id: RecordID, hiding hidden: Set<String>, by party: Party) {
    gone[id]?.subtract(hidden)
    for word in hidden {
      if let last = removals[word]?.lastIndex(where: { $0.party == party }) { removals[word]?.remove(at: last) }
    }
    guard let taken = lastDecisions.removeValue(forKey: Decided(item: id, party: party)) else { return }
    gone[id]?.subtract(taken.gone)
    decidedAgainst[id]?.subtract(taken.against)
  }

  /// The row lives again as it was on a server, with words that others had taken out elsewhere.
  func reopen(_ id: RecordID) { putBack((gone[id] ?? []).union(decidedAgainst[id] ?? []), in: id) }

  /// An edit went with its row before a server heard of it: what it took out is in the row if another party lets that
  /// live.
  func droppedEdit(of id: RecordID, leaving words: Set<String>) {
    putBack((gone[id] ?? []).intersection(words), in: id)
  }

  /// Words that others took out, and that their writer may send again without knowing of that.
  func returned(_ words: Set<String>, to id: RecordID) { putBack(words, in: id) }

  /// A text of the item is again what it was before these words came.
  func tookBack(_ words: Set<String>, from id: RecordID) { takenBack[id, default: []].formUnion(words) }

  func moves(_ id: RecordID) { moved.insert(id) }

  /// Somebody completed an item, or opened it again.
  func completed(_ id: RecordID, _ isComplete: Bool, by party: Party) {
    completions[id, default: [:]][party] = isComplete
  }

  /// What was said of the completion of an item may have gone with the item.
  func obscureCompletion(_ id: RecordID) { obscured.insert(id) }

  /// Nothing can be told any more of whether an item is completed, nor of words that were taken out of it.
  func obscure(_ id: RecordID) {
    obscured.insert(id)
    gone[id] = nil
    decidedAgainst[id] = nil
  }

  func obscureAll() { for id in Set(item.values).union(completions.keys).union(gone.keys) { obscure(id) } }

  /// Items of which everybody who said something of their completion said the same last.
  var agreedCompletions: [(id: RecordID, isComplete: Bool)] {
    completions.filter { !obscured.contains($0.key) && Set($0.value.values).count == 1 }
      .compactMap { id, said in said.values.first.map { (id, $0) } }.sorted { $0.0 < $1.0 }
  }

  /// Every item of which a word is known, or that somebody deleted: its words may be those of another item by now.
  var items: Set<RecordID> { Set(item.values).union(deletions.keys) }

  /// Words that nobody has any more.
  func forget(_ words: Set<String>) { item = item.filter { !words.contains($0.key) } }
  func forget(except words: Set<String>) { item = item.filter { words.contains($0.key) } }

  func deleted(_ id: RecordID, seeing words: Set<String>, by party: Party) {
    remove(words, by: party)
    count += 1
    deletions[id, default: []].append(Removal(party: party, number: count))
  }

  /// True for a word that was taken out of the item once and put in again.
  func isContested(_ word: String, of id: RecordID) -> Bool { contested[id]?.contains(word) ?? false }

  /// A party adds again what it deleted.
  func undeleted(_ id: RecordID, by party: Party) {
    // One that nobody ever deleted is only made.
    guard deletions[id] != nil else { return }
    deletions[id]?.removeAll { $0.party == party }
    revivals.insert(id)
  }

  /// Words that were kept in a copy: it is there that they are owed from now on.
  func moved(_ words: Set<String>, of id: RecordID, to copy: RecordID, by party: Party) {
    copies.insert(copy)
    if moved.contains(id) { moved.insert(copy) }
    for word in words {
      item[word] = copy
      removals[word]?.removeAll { $0.party == party }
    }
  }

  /// Items came here from another list, where others had taken words away that they had seen.
  func take(from other: Ledger) {
    copies.formUnion(other.copies)
    moved.formUnion(other.moved)
    for (word, taken) in other.removals { removals[word, default: []] += taken.filter { $0.party == .other } }
  }

  func revived(_ id: RecordID) { revivals.insert(id) }

  /// A row came back as a party had it, and what another had deleted with it did not: a tombstone is no ancestor of a
  /// merge (sync-rules J5). If that other brings the row back too, it finds it so.
  func revived(without words: Set<String>, by party: Party) {
    remove(words.filter { !removals[$0, default: []].isEmpty }, by: party)
  }

  /// Changes that a party took back before any server knew of them.
  func dropped(_ waiting: Waiting, by party: Party) {
    remove(waiting.words, by: party)
    for id in waiting.deletions { undeleted(id, by: party) }
    for id in waiting.items { obscure(id) }
  }

  /// Words that were chosen away in a conflict by somebody who saw them.
  func remove(_ words: Set<String>, by party: Party) {
    count += 1
    for word in words { removals[word, default: []].append(Removal(party: party, number: count)) }
  }

  /// Words that must be somewhere: acknowledged, and not taken away by anybody who saw them.
  var owed: [(word: String, item: RecordID)] {
    item.filter { removals[$0.key, default: []].isEmpty }.map { ($0.key, $0.value) }.sorted { $0.0 < $1.0 }
  }

  /// Items that were deleted by somebody and never brought back.
  var deletedForGood: [RecordID] {
    deletions.filter { !$0.value.isEmpty && !revivals.contains($0.key) }.map(\.key).sorted()
  }
}
