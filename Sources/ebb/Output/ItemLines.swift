import TableProtocol
import TodoCore

/// Items as `ebb list` prints them, a run at a time.
struct ItemLines {
  private let handles: Handles
  private let asJSON: Bool
  private var isFirst = true

  init(handles: Handles, asJSON: Bool) {
    self.handles = handles
    self.asJSON = asJSON
  }

  /// The next items. In JSON, `{handle, id, text, complete, createdAt, updatedAt, version, pending, conflict}`.
  mutating func next(_ items: [TodoItem]) -> [UInt8] {
    var writer = JSONWriter(capacity: items.count * (asJSON ? 280 : 80))
    for item in items {
      let handle = handles.handle(of: item.id)
      if asJSON {
        writer.raw(isFirst ? "[" : ",\n ")
        writer.json(Self.object(item, handle: handle).bytes)
        isFirst = false
      } else {
        writer.json(Self.line(item, handle: handle).utf8)
        writer.raw("\n")
      }
    }
    return writer.bytes
  }

  /// What comes after the last item.
  var end: [UInt8] {
    asJSON ? Array((isFirst ? "[]\n" : "]\n").utf8) : []
  }

  /// `a1b2 [ ] ↑ buy milk ≡`: handle, box, state, the first line of the text, a sign for a note.
  static func line(_ item: TodoItem, handle: String) -> String {
    "\(handle) \(item.complete ? "[x]" : "[ ]") \(badge(item.state)) \(item.line.printable)"
      + (item.hasNote ? " ≡" : "")
  }

  private static func badge(_ state: ItemState) -> String {
    switch state {
    case .synced: " "
    // No sync runs in this program: what was sent without an answer waits like the rest.
    case .waiting, .inFlight: "↑"
    case .conflict: "≠"
    case .refused: "!"
    }
  }

  private static func object(_ item: TodoItem, handle: String) -> JSONObject {
    JSONObject([
      "handle": .text(handle),
      "id": .text(item.id.text),
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
    guard hasControls else { return self }
    return String(String.UnicodeScalarView(unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
  }

  /// Looks at bytes, since nearly every text has none: controls are U+0000–001F, U+007F, and U+0080–009F,
  /// which is C2 and a byte below A0.
  private var hasControls: Bool {
    var previous: UInt8 = 0
    for byte in utf8 {
      if byte < 0x20 || byte == 0x7F || (previous == 0xC2 && byte < 0xA0) { return true }
      previous = byte
    }
    return false
  }
}
