import TableProtocol
import TodoCore

/// Items as `ebb list` prints them.
enum ItemLines {
  /// `a1b2 [ ] ↑ buy milk`: handle, box, state, text.
  static func text(_ items: [TodoItem], handles: [String: String]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(items.count * 64)
    for item in items {
      bytes += line(item, handle: handles[item.id] ?? item.id).utf8
      bytes.append(UInt8(ascii: "\n"))
    }
    return bytes
  }

  static func line(_ item: TodoItem, handle: String) -> String {
    "\(handle) \(item.complete ? "[x]" : "[ ]") \(badge(item.state)) \(item.text.printable)"
  }

  private static func badge(_ state: ItemState) -> String {
    switch state {
    case .synced: " "
    case .waiting: "↑"
    case .inFlight: "…"
    case .conflict: "≠"
    case .refused: "!"
    }
  }

  /// An array of `{handle, id, text, complete, createdAt, updatedAt, version, pending, conflict}`.
  static func json(_ items: [TodoItem], handles: [String: String]) -> [UInt8] {
    var writer = JSONWriter(capacity: items.count * 256)
    writer.raw("[")
    for (index, item) in items.enumerated() {
      if index > 0 { writer.raw(",\n ") }
      writer.json(object(item, handle: handles[item.id] ?? item.id).bytes)
    }
    writer.raw("]\n")
    return writer.bytes
  }

  private static func object(_ item: TodoItem, handle: String) -> JSONObject {
    JSONObject([
      "handle": .text(handle),
      "id": .text(item.id),
      "text": .text(item.text),
      "complete": .bool(item.complete),
      "createdAt": FieldValue(item.createdAt?.text),
      "updatedAt": FieldValue(item.updatedAt?.text),
      "version": FieldValue(item.version?.text),
      "pending": FieldValue(item.pending?.rawValue),
      "conflict": .bool(item.state == .conflict),
    ])
  }
}

extension String {
  /// The text without control characters: what another client put there must not steer the terminal.
  var printable: String {
    guard unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else { return self }
    return String(String.UnicodeScalarView(unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
  }
}
