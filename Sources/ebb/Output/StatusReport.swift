import FoundationEssentials
import TableProtocol
import TodoCore
import Words

/// The state of the list and of its syncs, as `ebb status` prints it.
struct StatusReport {
  private let status: SyncStatus

  init(_ status: SyncStatus) {
    self.status = status
  }

  /// `{pending, toSend, conflicts, refused, lastPush, lastPull, server, protocol}`; times in UTC. `pending` counts all
  /// changes that are on this device alone; the next three say what becomes of them.
  var json: [UInt8] {
    JSONObject([
      "pending": FieldValue(status.pending),
      "toSend": FieldValue(status.toSend),
      "conflicts": FieldValue(status.conflicts),
      "refused": FieldValue(status.refused),
      "lastPush": FieldValue(status.lastPush.map(Self.text)),
      "lastPull": FieldValue(status.lastPull.map(Self.text)),
      "server": FieldValue(status.server),
      "protocol": FieldValue(status.protocolVersion),
    ]).bytes + [UInt8(ascii: "\n")]
  }

  /// For people: times in the time zone of the process. Without a server nothing waits, and there is nothing to say but that.
  var text: [UInt8] {
    let catalogue = ErrorMessages.catalogue
    let never = catalogue.text(.reportNever)
    guard let server = status.server else {
      return Array((catalogue.text(.reportServer, ["server": catalogue.text(.reportNoServer)]) + "\n").utf8)
    }
    let lines = [
      catalogue.text(.reportPending, ["count": String(status.toSend)]),
      catalogue.text(.reportConflicts, ["count": String(status.conflicts)]),
      catalogue.text(.reportRefused, ["count": String(status.refused)]),
      catalogue.text(.reportLastPush, ["time": status.lastPush.map(Self.local) ?? never]),
      catalogue.text(.reportLastPull, ["time": status.lastPull.map(Self.local) ?? never]),
      catalogue.text(.reportServer, ["server": server.printable]),
      catalogue.text(.reportProtocol, ["version": status.protocolVersion ?? catalogue.text(.reportUnknown)]),
    ]
    return Array((lines.joined(separator: "\n") + "\n").utf8)
  }

  private static func local(_ date: Date) -> String { LocalMoment(date).text(today: LocalMoment(Date())) }

  private static func text(_ date: Date) -> String {
    Timestamp(milliseconds: Int64((date.timeIntervalSince1970 * 1_000).rounded())).text
  }
}
