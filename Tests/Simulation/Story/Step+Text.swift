extension Step: CustomStringConvertible {
  package var description: String {
    switch self {
    case .add(let device, let item, let serial): "device \(device) adds item \(item) (words w\(serial))"
    case .editWord(let device, let item, let column, let word, let serial):
      "device \(device) changes word \(word) of the \(column) of item \(item) to w\(serial)"
    case .rewrite(let device, let item, let column, let serial):
      "device \(device) rewrites the \(column) of item \(item) (words w\(serial))"
    case .toggle(let device, let item): "device \(device) completes or reopens item \(item)"
    case .revert(let device, let item): "device \(device) puts item \(item) back to what its change started from"
    case .delete(let device, let item): "device \(device) deletes item \(item)"
    case .undelete(let device, let item): "device \(device) adds item \(item) again as it was"
    case .resolve(let device, let item, let choice): "device \(device) decides on item \(item): \(choice)"
    case .undo(let device): "device \(device) undoes its last change"
    case .redo(let device): "device \(device) does again what it undid"
    case .sync(let device, let parts): "device \(device) \(parts)"
    case .otherAccount(let device, let parts, let takesAlong):
      "device \(device), with another account\(takesAlong ? " to which it takes its list" : ""), \(parts)"
    case .purge(let device, let extent): "device \(device) is purged of \(extent)"
    case .cancel(let device): "the sync of device \(device) is cancelled"
    case .restart(let device): "device \(device) starts again"
    case .weather(let device, let after, let weather):
      "device \(device): request \(after + 1) from now meets \(weather)"
    case .crash(let device, let after, let crash): "device \(device) dies \(crash) of transaction \(after + 1) from now"
    case .meanwhile(let device, let after, let moment, let steps):
      "device \(device), request \(after + 1) from now, \(moment): \(steps.map(\.description).joined(separator: "; "))"
    case .contend(let device, let item, let requests, let serial):
      "another client rewrites item \(item) before each of the next \(requests) requests of device \(device) (from w\(serial))"
    case .foreign(let change): "another client: \(change)"
    case .commitLate: "late changes of other clients are committed"
    case .deliverDelayed: "delayed requests arrive"
    case .restartServer: "the server starts again"
    case .serverMoves: "the server gets another address"
    case .serverRefuses(let item, let refuses): "the server \(refuses ? "refuses" : "takes") changes of item \(item)"
    case .time(let milliseconds): "\(milliseconds) ms pass"
    case .setClock(let device, let milliseconds): "the clock of device \(device) is moved by \(milliseconds) ms"
    case .setServerClock(let milliseconds): "the clock of the server is moved by \(milliseconds) ms"
    case .edge(let step): step.description
    }
  }
}

extension SyncParts: CustomStringConvertible {
  package var description: String {
    "\([pushes ? "pushes" : nil, pulls ? "pulls" : nil].compactMap(\.self).joined(separator: " and "))"
      + (isFull ? " and compares all" : "") + (allowsMassRemoval ? " and may remove most" : "")
      + (sendsRemovalsBack ? " and sends back what would go" : "")
      + (afterRestore.map { " (\($0))" } ?? "")
      + (knowsAddress ? "" : " at the address it knows") + " (pages of \(pageSize))"
  }
}
