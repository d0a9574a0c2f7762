import Words

/// The word that a mistyped one was meant to be.
enum Nearest {
  /// Nil if none is near. Of three letters or more one may be wrong, missing, too many, or swapped with the next one; of
  /// six or more two, of nine or more three. Of two letters it is a word that begins with them. Names that other
  /// programs have for a command come first.
  static func word(to typed: String, among words: [String]) -> String? {
    if let known = otherNames.first(where: { $0.key == typed })?.value, words.contains(known) { return known }
    let letters = typed.drop { $0 == "-" }.count
    guard letters > 1 else { return nil }
    let most = letters < 3 ? 0 : letters < 6 ? 1 : letters < 9 ? 2 : 3
    let near = words.filter { $0.count > 1 }
      .map { (word: $0, distance: distance(typed.lowercased(), $0.lowercased())) }
      .filter { $0.distance <= (removing[$0.word] ?? most) }
    if let best = near.min(by: { $0.distance < $1.distance }) { return best.word }
    return words.filter { $0.hasPrefix(typed) && (removing[$0] == nil || letters > 2) }.min { $0.count < $1.count }
  }

  /// How many letters may be wrong in the commands that remove something: a wrong offer of one is worse than none.
  private static let removing = ["delete": 1, "del": 0, "rm": 0, "purge": 1]

  private static let otherNames: KeyValuePairs = [
    "remove": "delete", "trash": "delete", "complete": "done", "finish": "done", "x": "done", "mod": "edit",
    "modify": "edit", "show": "list", "search": "list", "find": "list", "next": "agenda", "today": "agenda",
    "stats": "status", "pull": "sync", "push": "sync", "refresh": "sync", "settings": "config", "check": "doctor",
    "merge": "resolve", "server": "serve",
  ]

  /// The sentence about a command of other programs that the list has keys for. Nil for any other word.
  static func placeInList(of typed: String) -> CommandKey? {
    switch typed {
    case "history", "log": .wrongHistory
    case "outbox": .wrongOutbox
    default: nil
    }
  }

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
