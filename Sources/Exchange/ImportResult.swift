package import TodoCore

/// The items of a file, and the parts that are none.
package struct ImportResult: Sendable, Hashable {
  /// In the order of the file.
  package var items: [FileItem] = []
  /// In the order of the file.
  package var leftOut: [LeftOut] = []
  /// The names of what items had that an item here has no place for, and how many items had it.
  package var dropped: [String: Int] = [:]
  /// The numbers of a table's columns without a name, from 1, and how many rows had a value there.
  package var unnamedColumns: [Int: Int] = [:]
  /// The names of a table's columns that mean the same as one before them, and how many rows had another value there.
  package var repeatedColumns: [String: Int] = [:]
  /// Values of fields that an item here has a place for, but that mean nothing here. In the order of the file.
  package var notUnderstood: [StrangeValue] = []
  /// Due dates with a time of day, of which the day is kept.
  package var timesOfDay = 0
  /// The lines of items of JSON whose texts had half of a character, which became U+FFFD.
  package var halfCharacters: [Int] = []
  /// The lines of a todo.txt with a form of another program that an export writes otherwise, with the same meaning.
  package var rewritten: Set<Int> = []
  /// The file is one line: the numbers of lines are those of its items.
  package var countsItems = false
  /// The texts are Ebb's own, and stay to the letter.
  package var isExact = false

  package init() {}

  mutating func add(_ item: PortableItem, line: Int) { items.append(FileItem(item: item, line: line)) }

  mutating func leaveOut(_ reason: LeftOut.Reason, line: Int) {
    leftOut.append(LeftOut(line: line, reason: reason))
  }

  mutating func drop(_ names: some Sequence<String>) {
    for name in Set(names) { dropped[name, default: 0] += 1 }
  }

  /// With what was read of another file, whose lines say nothing here.
  package mutating func append(_ other: ImportResult, file: String) {
    items += other.items.map { FileItem(item: $0.item, line: $0.line, file: file) }
    leftOut += other.leftOut.map { LeftOut(line: $0.line, reason: $0.reason, file: file) }
    dropped.merge(other.dropped, uniquingKeysWith: +)
    notUnderstood += other.notUnderstood.map {
      StrangeValue($0.field, $0.value, line: $0.line, file: file, couldBe: $0.couldBe)
    }
    timesOfDay += other.timesOfDay
  }
}

/// A value of an item that means nothing here, such as a day that no calendar has.
package struct StrangeValue: Sendable, Hashable {
  package let field: String
  package let value: String
  /// Of the item's first line, from 1.
  package let line: Int
  /// The file of a folder.
  package let file: String?
  /// The days that it could mean, two or none: `12/01/2026`.
  package let couldBe: [CalendarDay]

  package init(_ field: String, _ value: String, line: Int, file: String? = nil, couldBe: [CalendarDay] = []) {
    self.field = field
    self.value = value
    self.line = line
    self.file = file
    self.couldBe = couldBe
  }
}

/// An item and its place in the file.
package struct FileItem: Sendable, Hashable {
  package var item: PortableItem
  /// Of its first line, from 1.
  package let line: Int
  /// The file of a folder.
  package var file: String?

  package init(item: PortableItem, line: Int, file: String? = nil) {
    self.item = item
    self.line = line
    self.file = file
  }
}

/// A part of a file that does not become an item.
package struct LeftOut: Sendable, Hashable {
  package enum Reason: Sendable, Hashable {
    /// It has no text.
    case noText
    /// It has a character that can't be kept (U+0000).
    case nullCharacter
    /// It was deleted in the other program.
    case deleted
    /// The pattern of items that repeat. Its items are there themselves.
    case repeating
    /// An event, a journal entry or the like, by its name in the file.
    case component(String)
    /// A line that is no item of a check list.
    case notInCheckList
    /// A part that is not as the format wants it.
    case malformed
    /// A link in a folder that leads out of it.
    case outside
  }

  /// From 1.
  package let line: Int
  package let reason: Reason
  /// The file of a folder.
  package var file: String?

  package init(line: Int, reason: Reason, file: String? = nil) {
    self.line = line
    self.reason = reason
    self.file = file
  }
}

/// Why nothing was read of a file.
package enum ImportProblem: Error, Sendable, Hashable {
  /// It has bytes that no text has.
  case notText
  /// It is text, but not in UTF-8.
  case notUTF8
  case isUTF16
  case empty
  /// It has not the form of the format; the line from 1 if that is known.
  case notOfFormat(ExchangeFormat, line: Int?)
  /// It is JSON, and wrong in this line, from 1.
  case damagedJSON(line: Int)
  /// It is JSON that lacks its end. The last line, from 1.
  case jsonEndsEarly(line: Int)
  /// The header of a table, in this line, names no column of texts.
  case noTextColumn(line: Int)
  /// It is Ebb's, of a version that this program does not know.
  case newerVersion(Int)
}

extension ImportResult {
  /// Gives each item a project, unless its text has it.
  package mutating func addProject(_ name: String) {
    for index in items.indices {
      var parts = ItemParts()
      parts.line = items[index].item.text
      parts.projects = [name]
      items[index].item.text = parts.text ?? items[index].item.text
    }
  }
}
