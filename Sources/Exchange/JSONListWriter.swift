package import TableProtocol
import TodoCore

/// Writes items as Ebb's own JSON: an object with `version` and `items`. All that belongs to an item is in it, so that
/// what is read of it is the same to the letter.
///
/// `priority`, `due`, `projects`, `contexts` and `note` are what the text says, for other programs. They are not read.
struct JSONListWriter {
  /// The version of the form. A reader refuses a newer one, and ignores members that it does not know.
  static let version = 1

  private var isFirst = true

  var start: String { "{\"version\":\(Self.version),\"items\":[" }
  var end: String { isFirst ? "]}\n" : "\n]}\n" }

  /// The items as elements of the array, with the commas between them.
  mutating func next(_ items: [PortableItem]) -> [UInt8] {
    var writer = JSONWriter(capacity: items.count * 300, isForTerminal: true)
    for item in items {
      writer.raw(isFirst ? "\n" : ",\n")
      isFirst = false
      Self.write(item, to: &writer)
    }
    return writer.bytes
  }

  private static func write(_ item: PortableItem, to writer: inout JSONWriter) {
    writer.raw("{")
    writer.member("id", isFirst: true)
    writer.value(item.id.map { .text($0.text) } ?? .null)
    writer.member("text")
    writer.string(item.text)
    writer.member("complete")
    writer.value(.bool(item.complete))
    writer.member("createdAt")
    write(item.created, to: &writer)
    writer.member("completedAt")
    write(item.completed, to: &writer)
    writer.members(meaningOf: item.text)
    writer.raw("}")
  }

  private static func write(_ time: PortableTime?, to writer: inout JSONWriter) {
    switch time {
    case .moment(let moment), .second(let moment): writer.timestamp(moment)
    case .day(let day): writer.string(day.text)
    case nil: writer.raw("null")
    }
  }
}

extension JSONWriter {
  /// Writes more members of an object, which say what the text of an item means: `priority`, `due`, `projects`,
  /// `contexts` and `note`. Projects and contexts have their signs.
  package mutating func members(meaningOf text: String) {
    let notation = TodoNotation(text)
    member("priority")
    value(notation.priority.map { .text(String($0)) } ?? .null)
    member("due")
    value(notation.due.map { .text($0.text) } ?? .null)
    for (name, words) in [("projects", notation.projects), ("contexts", notation.contexts)] {
      member(name)
      raw("[")
      for (index, word) in words.enumerated() {
        if index > 0 { raw(",") }
        string(word)
      }
      raw("]")
    }
    let parts = ItemText(text)
    member("note")
    value(parts.hasNote ? .text(parts.note) : .null)
  }
}
