import TableProtocol

/// A list of the server: a table of the wire, of one owner. Owners see nothing of one another, not even a number.
package struct ListID: Hashable, Sendable {
  package let table: ServedTable
  /// Nil for the list of those who need not sign in.
  package let owner: UserName?

  package init(_ table: ServedTable, owner: UserName? = nil) {
    self.table = table
    self.owner = owner
  }
}

extension ListID: CustomStringConvertible {
  /// For the log.
  package var description: String { owner.map { "\(table.name) of \($0.text)" } ?? table.name }
}

/// A table of the wire.
package struct ServedTable: Hashable, Sendable {
  /// The table that every server has.
  package static let todoItem = ServedTable("TodoItem")
  package static let longestName = 64

  package let name: String

  private init(_ name: String) { self.name = name }

  /// Nil for a name that no table can have: one has a letter, then letters, digits and `_`. So none begins with `_` or
  /// `$`, which are kept for what is no table.
  ///
  /// Names match without regard to case, since clients derive them from class names in either case (wire 2).
  package init?(named name: String) {
    guard let first = name.utf8.first, first.isLetter, name.utf8.count <= Self.longestName,
      name.utf8.allSatisfy({ $0.isLetter || $0 == UInt8(ascii: "_") || (0x30...0x39).contains($0) })
    else { return nil }
    let lower = name.lowercased()
    self.name = lower == Self.todoItem.name.lowercased() ? Self.todoItem.name : lower
  }

  /// The columns that the table has before its first item.
  package var firstColumns: [TableColumn] {
    self == .todoItem ? [TableColumn(name: "text", kind: .text), TableColumn(name: "complete", kind: .bool)] : []
  }
}

extension UInt8 {
  fileprivate var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
}

/// The name of somebody who has lists on the server.
///
/// Compared exactly, letter by letter. It stands in lines of a log and in answers, so that it has no space and no
/// control character.
package struct UserName: Hashable, Sendable {
  package let text: String

  /// Nil for a text that can't be one: 1 to 255 visible ASCII characters.
  package init?(_ text: String) {
    guard text.isHeaderWord(atMost: ZumoHeader.longestUserName) else { return nil }
    self.text = text
  }
}
