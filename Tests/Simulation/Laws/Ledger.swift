/// Who wrote what, and who took it away having seen it. Words are unique, so that each says which
/// edit it is of.
final class Ledger {
  private struct Removal: Hashable {
    let party: Party
    let number: Int
  }

  /// Every word that was acknowledged, with its item.
  private(set) var item: [String: String] = [:]
  /// Edits and deletes by which a word was taken away by somebody who saw it.
  private var removals: [String: [Removal]] = [:]
  private var deletions: [String: [Removal]] = [:]
  private(set) var revivals: Set<String> = []
  /// Items made by keeping both sides of a conflict.
  private(set) var copies: Set<String> = []
  private var count = 0

  /// Somebody who saw the words `from` left the words `to`. Words that come back to life are owed
  /// again, as far as the same party took them away.
  func wrote(_ id: String, from: Set<String>, to: Set<String>, by party: Party) {
    for word in to.subtracting(from) {
      item[word] = id
      removals[word]?.removeAll { $0.party == party }
    }
    remove(from.subtracting(to), by: party)
  }

  func deleted(_ id: String, seeing words: Set<String>, by party: Party) {
    remove(words, by: party)
    count += 1
    deletions[id, default: []].append(Removal(party: party, number: count))
  }

  /// A party adds again what it deleted.
  func undeleted(_ id: String, by party: Party) {
    deletions[id]?.removeAll { $0.party == party }
    revivals.insert(id)
  }

  /// Words that were kept in a copy: it is there that they are owed from now on.
  func moved(_ words: Set<String>, to copy: String, by party: Party) {
    copies.insert(copy)
    for word in words {
      item[word] = copy
      removals[word]?.removeAll { $0.party == party }
    }
  }

  /// Items came here from another list, where others had taken words away that they had seen.
  func take(from other: Ledger) {
    copies.formUnion(other.copies)
    for (word, taken) in other.removals { removals[word, default: []] += taken.filter { $0.party == .other } }
  }

  func revived(_ id: String) { revivals.insert(id) }

  /// Changes that a party took back before any server knew of them.
  func dropped(_ waiting: Waiting, by party: Party) {
    remove(waiting.words, by: party)
    for id in waiting.deletions { undeleted(id, by: party) }
  }

  /// Words that were chosen away in a conflict by somebody who saw them.
  func remove(_ words: Set<String>, by party: Party) {
    count += 1
    for word in words { removals[word, default: []].append(Removal(party: party, number: count)) }
  }

  /// Words that must be somewhere: acknowledged, and not taken away by anybody who saw them.
  var owed: [(word: String, item: String)] {
    item.filter { removals[$0.key, default: []].isEmpty }.map { ($0.key, $0.value) }.sorted { $0.0 < $1.0 }
  }

  /// Items that were deleted by somebody and never brought back.
  var deletedForGood: [String] {
    deletions.filter { !$0.value.isEmpty && !revivals.contains($0.key) }.map(\.key).sorted()
  }
}
