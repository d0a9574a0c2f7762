/// The word that a mistyped one was meant to be.
enum Nearest {
  /// Nil if none is near: about a third of the letters may be wrong, missing, too many, or swapped with the next one.
  /// Names that other programs have for a command come first.
  static func word(to typed: String, among words: [String]) -> String? {
    if let known = otherNames.first(where: { $0.key == typed })?.value, words.contains(known) { return known }
    guard typed.count > 1 else { return nil }
    let near = words.map { (word: $0, distance: distance(typed.lowercased(), $0.lowercased())) }
      .filter { $0.distance <= min(3, (typed.count + 2) / 3) && $0.distance < typed.count }
    if let best = near.min(by: { $0.distance < $1.distance }) { return best.word }
    guard typed.drop(while: { $0 == "-" }).count > 1 else { return nil }
    return words.filter { $0.hasPrefix(typed) }.min { $0.count < $1.count }
  }

  private static let otherNames: KeyValuePairs = [
    "remove": "delete", "trash": "delete", "complete": "done", "finish": "done", "x": "done", "mod": "edit",
    "modify": "edit", "show": "list", "next": "list", "pull": "sync", "push": "sync", "refresh": "sync",
    "settings": "config", "check": "doctor", "clear": "purge", "merge": "resolve", "server": "serve",
  ]

  private static func distance(_ left: String, _ right: String) -> Int {
    let (left, right) = (Array(left), Array(right))
    var before: [Int] = []
    var row = Array(0...right.count)
    for i in left.indices {
      var next = [i + 1]
      for j in right.indices {
        var best = min(row[j + 1] + 1, next[j] + 1, row[j] + (left[i] == right[j] ? 0 : 1))
        if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] { best = min(best, before[j - 1] + 1) }
        next.append(best)
      }
      (before, row) = (row, next)
    }
    return row[right.count]
  }
}
