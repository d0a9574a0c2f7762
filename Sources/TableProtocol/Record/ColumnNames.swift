/// Two names for a column: the own one, and the one that the other side has for it.
///
/// A server has it for clients that know the columns of to-do items under other names, and a client for servers that
/// do.
package struct ColumnNames: Hashable, Sendable {
  package static let none = ColumnNames()

  /// The names of other programs for the columns of to-do items.
  package static let usual: KeyValuePairs = [
    "text": ["title", "name"], "complete": ["isComplete", "completed", "isCompleted", "done", "isDone"],
  ]

  /// The own name of each, by the other one in lower case: servers of 3.0.0 see names without regard to case.
  private var ownNames: [String: String] = [:]
  private var otherNames: [String: String] = [:]

  private init() {}

  /// `pairs` is the other name of each column by its own. Nil if a name can't be one, if it is the server's (wire 1) or
  /// that of a column of to-do items (wire 1.1), or if one would be in doubt.
  package init?(_ pairs: [String: String]) {
    for (own, other) in pairs {
      guard Self.isUsable(own), Self.isUsable(other), !Self.isTaken(other),
        ownNames.updateValue(own, forKey: other.lowercased()) == nil
      else { return nil }
      otherNames[own] = other
    }
    guard pairs.keys.allSatisfy({ ownNames[$0.lowercased()] == nil }) else { return nil }
    guard Set(pairs.keys.map { $0.lowercased() }).count == pairs.count else { return nil }
  }

  /// Reads words such as `text=title`. Nil for a word that is none, and for what ``init(_:)`` refuses.
  package init?(words: [String]) {
    var pairs: [String: String] = [:]
    for word in words {
      let parts = word.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2, pairs.updateValue(parts[1], forKey: parts[0]) == nil else { return nil }
    }
    self.init(pairs)
  }

  /// The same as words, which ``init(words:)`` reads.
  package var words: [String] { otherNames.map { "\($0.key)=\($0.value)" }.sorted() }

  /// These names and more. Nil if that leaves a name in doubt: a column has one other name, and gives it to no other.
  package func adding(_ more: ColumnNames) -> ColumnNames? {
    let fits = more.otherNames.allSatisfy { otherNames[$0.key] == nil || otherNames[$0.key] == $0.value }
    guard fits else { return nil }
    return ColumnNames(otherNames.merging(more.otherNames) { $1 })
  }

  package var isEmpty: Bool { otherNames.isEmpty }

  /// The name that the other side has for the column.
  package func other(_ own: String) -> String { otherNames[own] ?? own }

  /// The own name of the column that the other side names so, or that has this name here.
  package func own(_ name: String) -> String { isEmpty ? name : ownNames[name.lowercased()] ?? name }

  /// The own name of the column that the other side calls so; nil for a column of the other side alone that has an own
  /// name of another.
  package func received(_ name: String) -> String? {
    guard !isEmpty else { return name }
    return ownNames[name.lowercased()] ?? (otherNames[name] == nil ? name : nil)
  }

  /// True for a name that a column can't be seen under, because it is another column's on the other side.
  package func hides(_ own: String) -> Bool { !isEmpty && ownNames[own.lowercased()] != nil }

  /// The values by the names that the other side has.
  package func others<Value>(_ values: [String: Value]) -> [String: Value] {
    guard !isEmpty else { return values }
    var named: [String: Value] = [:]
    for (own, value) in values where !hides(own) { named[other(own)] = value }
    return named
  }

  /// True for a column of to-do items: an alias of this name would hide it.
  private static func isTaken(_ name: String) -> Bool { usual.contains { $0.key == name.lowercased() } }

  private static func isUsable(_ name: String) -> Bool {
    name.isColumnName && !["id", "createdat", "updatedat", "version", "deleted"].contains(name.lowercased())
  }
}

extension String {
  /// True for a camelCase identifier: a letter or `_`, then letters, digits and `_`, at most 128 (wire 1).
  package var isColumnName: Bool {
    guard let first = utf8.first, utf8.count <= 128, first.isLetterOrUnderscore else { return false }
    return utf8.allSatisfy { $0.isLetterOrUnderscore || (0x30...0x39).contains($0) }
  }
}

extension UInt8 {
  fileprivate var isLetterOrUnderscore: Bool {
    self == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
  }
}
