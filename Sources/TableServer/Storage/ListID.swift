/// A list of the server: a table of the wire, of one owner. Owners see nothing of one another, not even a number.
struct ListID: Hashable, Sendable {
  let table: ServedTable
  /// Nil for the list of those who need not sign in.
  let owner: UserName?

  init(_ table: ServedTable, owner: UserName? = nil) {
    self.table = table
    self.owner = owner
  }
}

extension ListID: CustomStringConvertible {
  /// For the log.
  var description: String { owner.map { "\(table.name) of \($0.text)" } ?? table.name }
}

/// A table that clients may use.
struct ServedTable: Hashable, Sendable {
  static let todoItem = ServedTable("TodoItem")
  static let all = [todoItem]

  let name: String

  private init(_ name: String) { self.name = name }

  /// Names match without regard to case, since clients derive them from class names in either case
  /// (wire 2).
  init?(named name: String) {
    let known = Self.all.first { $0.name == name } ?? Self.all.first { $0.name.lowercased() == name.lowercased() }
    guard let known else { return nil }
    self = known
  }
}

/// The name of somebody who has lists on the server.
///
/// Compared exactly, letter by letter. It stands in lines of a log and in answers, so that it has no space and no
/// control character.
package struct UserName: Hashable, Sendable {
  package static let longest = 255

  package let text: String

  /// Nil for a text that can't be one: 1 to 255 visible ASCII characters.
  package init?(_ text: String) {
    guard (1...Self.longest).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      return nil
    }
    self.text = text
  }
}
