import FoundationEssentials
import TableProtocol
import TodoCore
import Words

/// What waits for a decision, as `ebb conflicts` prints it.
struct ConflictReport {
  private let entries: [(handle: String, conflict: TodoConflict)]
  private let now: Date

  init(_ entries: [(handle: String, conflict: TodoConflict)], now: Date = Date()) {
    self.entries = entries
    self.now = now
  }

  /// `[{handle, id, kind, status, reason, base, mine, theirs}]`; a copy is `{text, complete}` or null.
  var json: [UInt8] {
    var writer = JSONWriter(isForTerminal: true)
    writer.raw("[")
    for (index, entry) in entries.enumerated() {
      if index > 0 { writer.raw(",\n ") }
      writer.json(Self.object(entry.handle, entry.conflict))
    }
    writer.raw("]\n")
    return writer.bytes
  }

  var text: [UInt8] {
    let catalogue = ErrorMessages.catalogue
    guard !entries.isEmpty else { return Array((catalogue.text(.conflictNone) + "\n").utf8) }
    let lines = entries.flatMap { handle, conflict in
      let reasons = conflict.kind == .conflict ? [] : [catalogue.reason(of: conflict)]
      let differences = conflict.fields.flatMap { catalogue.differences(in: $0, of: conflict, now: now) }
      let howTo: StringKey = conflict.isRefused ? .conflictHowToRefused : .conflictHowTo
      let remarks = reasons + differences + [catalogue.text(howTo, ["handle": handle])]
      return ["\(handle) \(conflict.isRefused ? "!" : "≠") \(conflict.text)"] + remarks.map { "  " + $0 }
    }
    return Array((lines.map(\.printable).joined(separator: "\n") + "\n").utf8)
  }

  private static func object(_ handle: String, _ conflict: TodoConflict) -> [UInt8] {
    var writer = JSONWriter(isForTerminal: true)
    writer.raw("{")
    writer.member("handle", isFirst: true)
    writer.string(handle)
    for (name, value) in [
      ("id", FieldValue.text(conflict.id.text)), ("kind", .text(conflict.isRefused ? "refused" : "conflict")),
      ("status", FieldValue(conflict.status)), ("reason", FieldValue(conflict.refusal)),
    ] {
      writer.member(name)
      writer.value(value)
    }
    for (name, copy) in [("base", conflict.base), ("mine", conflict.mine), ("theirs", conflict.theirs)] {
      writer.member(name)
      if let copy {
        writer.json(JSONObject(["text": .text(copy.text), "complete": .bool(copy.complete)]).bytes)
      } else {
        writer.raw("null")
      }
    }
    writer.raw("}")
    return writer.bytes
  }
}

extension TodoConflict {
  /// The server's reason for a refusal; nil for a conflict.
  fileprivate var refusal: String? {
    if case .refused(let reason) = kind { reason } else { nil }
  }
}
