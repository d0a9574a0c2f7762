import FoundationEssentials
import TableProtocol
import TodoCore
import Words

/// The changes that the next sync would send, from the journal alone: no request is made, and nothing is changed.
struct DryRun {
  private let context: AppContext
  private let changes: [WaitingChange]
  private let handles: Handles

  init(_ context: AppContext) throws {
    self.context = context
    changes = try context.list.outbox(limit: .max)
    handles = try context.list.handles()
  }

  func print(asJSON: Bool) throws {
    guard !asJSON else { return StandardOutput.bytes(json) }
    let catalogue = ErrorMessages.catalogue
    let layout = try OutputLayout(context.settings, hasServer: true)
    for change in changes {
      let sign = change.reason.isSent ? layout.paint("↑", .attention) : layout.paint("≠", .alarm)
      let reason = change.reason == .nextRefresh ? "" : " (" + catalogue.reason(for: change.reason) + ")"
      let handle = handles.handle(of: change.id).printable
      let line = "\(handle) \(sign) " + (catalogue.words(for: change) + reason).printable
      StandardOutput.line(line)
    }
    let count = changes.count { $0.reason.isSent }
    StandardOutput.line(catalogue.text(count == 0 ? .dryRunNothing : .dryRunCount, ["count": catalogue.number(count)]))
  }

  /// `[{handle, id, change, sent, before, after}]`; a copy is `{text, complete}` or null.
  private var json: [UInt8] {
    var writer = JSONWriter(isForTerminal: true)
    writer.raw("[")
    for (index, change) in changes.enumerated() {
      if index > 0 { writer.raw(",\n ") }
      writer.raw("{")
      writer.members([
        "handle": .text(handles.handle(of: change.id)), "id": .text(change.id.text),
        "change": .text(change.before == nil ? "insert" : change.after == nil ? "delete" : "update"),
        "sent": .bool(change.reason.isSent),
      ])
      for (name, copy) in [("before", change.before), ("after", change.after)] {
        writer.member(name)
        writer.json(
          copy.map { JSONObject(["text": .text($0.text), "complete": .bool($0.complete)]).bytes } ?? Array("null".utf8))
      }
      writer.raw("}")
    }
    writer.raw("]\n")
    return writer.bytes
  }
}

extension WaitingChange.Reason {
  /// The next sync sends it, and nobody has to decide before.
  fileprivate var isSent: Bool {
    switch self {
    case .nextRefresh, .noAnswer, .refused: true
    case .conflict, .held: false
    }
  }
}
