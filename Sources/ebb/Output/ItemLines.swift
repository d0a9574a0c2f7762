import Exchange
import OfflineSync
import TableProtocol
import TodoCore

/// Items as `ebb list` prints them, a line each: `a1b2 [ ] ↑ buy milk ≡`, which is handle, box, state, the first line
/// of the text, and a sign for a note.
struct ItemLines {
  private(set) var bytes: [UInt8] = []
  /// There is a server that changes wait for.
  private let hasServer: Bool

  init(hasServer: Bool) {
    self.hasServer = hasServer
  }

  static func line(_ item: TodoItem, handle: String, hasServer: Bool) -> String {
    var lines = ItemLines(hasServer: hasServer)
    lines.bytes += handle.printable.utf8
    lines.append(item.text, complete: item.complete, item.state)
    return String(decoding: lines.bytes, as: UTF8.self)
  }

  mutating func append(_ line: TodoLine, _ handles: Handles) {
    let start = bytes.count
    handles.appendHandle(of: line.id, to: &bytes)
    // Of a server's making: a handle could steer the terminal as a text could.
    if bytes[start...].contains(where: { !(0x20...0x7E).contains($0) }) {
      let handle = String(decoding: bytes[start...], as: UTF8.self).printable
      bytes.replaceSubrange(start..., with: handle.utf8)
    }
    append(line.text, complete: line.complete, line.state)
    bytes.append(UInt8(ascii: "\n"))
  }

  /// The lines so far, which are not kept.
  mutating func take() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }

  private mutating func append(_ text: String, complete: Bool, _ state: ItemState) {
    append(complete ? " [x] " : " [ ] ")
    append(badge(state))
    let text = ItemText(text)
    var line = text.line.printable
    line.withUTF8 { bytes.append(contentsOf: $0) }
    if text.hasNote { append(" ≡") }
  }

  private mutating func append(_ text: StaticString) {
    bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// With the space after it.
  private func badge(_ state: ItemState) -> StaticString {
    switch state {
    case .synced: "  "
    // No sync runs in this program: what was sent without an answer waits like the rest.
    case .waiting, .inFlight: hasServer ? "↑ " : "  "
    case .conflict: "≠ "
    case .refused: "! "
    }
  }
}

/// Items as `ebb list --json` prints them, a run at a time.
struct ItemObjects {
  private let handles: Handles
  private var isFirst = true

  init(handles: Handles) {
    self.handles = handles
  }

  /// Returns the next items: `{handle, id, text, complete, priority, due, projects, contexts, note, created, done,
  /// createdAt, updatedAt, version, pending, conflict}`. `created` and `done` are the days here on which it was made
  /// and completed, if they are known. In an agenda `group` comes first.
  mutating func next(_ items: [TodoItem], group: String? = nil) -> [UInt8] {
    var writer = JSONWriter(capacity: items.count * 280, isForTerminal: true)
    for item in items {
      writer.raw(isFirst ? "[" : ",\n ")
      Self.write(item, handle: handles.handle(of: item.id), group, to: &writer)
      isFirst = false
    }
    return writer.bytes
  }

  /// The end, after the last item.
  var end: [UInt8] {
    Array((isFirst ? "[]\n" : "]\n").utf8)
  }

  /// The meaning of the text comes with it, so that a script need not read it again.
  private static func write(_ item: TodoItem, handle: String, _ group: String?, to writer: inout JSONWriter) {
    writer.raw("{")
    if let group {
      writer.members(["group": .text(group)])
      writer.raw(",")
    }
    writer.members([
      "handle": .text(handle), "id": .text(item.id.text), "text": .text(item.text), "complete": .bool(item.complete),
    ])
    writer.members(meaningOf: item.text)
    writer.raw(",")
    writer.members([
      "created": FieldValue(item.knownCreation.map { CalendarDay($0.date).text }),
      "done": FieldValue(item.completedAt.map { CalendarDay($0.date).text }),
      "createdAt": FieldValue(item.createdAt?.text), "updatedAt": FieldValue(item.updatedAt?.text),
      "version": FieldValue(item.version?.text), "pending": FieldValue(item.pending.map(Self.word(for:))),
      "conflict": .bool(item.state == .conflict),
    ])
    writer.raw("}")
  }
}

extension ItemObjects {
  /// A deleted item that was added again is printed as a new one.
  private static func word(for change: ChangeKind) -> String {
    switch change {
    case .insert, .revival: "insert"
    case .update: "update"
    case .delete: "delete"
    }
  }
}

extension String {
  /// The text with a space for each control character, line separator and mark that turns the direction of writing
  /// round: what another client put there must not steer the terminal.
  var printable: String {
    guard hasControls else { return self }
    return String(String.UnicodeScalarView(unicodeScalars.map { $0.steersTerminal ? " " : $0 }))
  }

  private var hasControls: Bool {
    var text = self
    return text.withUTF8 { bytes in
      // Nearly every text has nothing but letters: that is seen in one pass without a branch.
      let isPlain = bytes.reduce(0 as UInt8) { $0 | ($1 < 0x20 ? 1 : 0) | ($1 > 0x7E ? 1 : 0) } == 0
      return !isPlain && bytes.indices.contains { bytes[$0] < 0x20 || TerminalControl(in: bytes, at: $0) != nil }
    }
  }
}
