import OfflineSync
import TableProtocol

extension FakeServer.State {
  mutating func store(_ row: Record) -> Record {
    var row = row
    versions += 1
    clock = clock.advanced(byMilliseconds: 1)
    row.system.version = RecordVersion("v\(versions)")
    row.system.updatedAt = clock
    row.system.createdAt = row.system.createdAt ?? clock
    rows[row.id] = row
    return row
  }

  /// What `act` did to the table, beside what it came to.
  mutating func moving<Answer>(_ act: (inout Self) -> Answer) -> (Answer, ListMove?) {
    let (from, writes) = (newest ?? .epoch, versions)
    let answer = act(&self)
    guard let to = newest, versions > writes else { return (answer, nil) }
    return (answer, ListMove(from: from, to: to, rows: versions - writes, digest: digest))
  }

  mutating func apply(_ change: RemoteChange) -> RemoteAnswer {
    switch change {
    case .insert(_, let record):
      if let row = rows[record.id] { return .conflict(status: 409, row) }
      return .accepted(store(Record(id: record.id, values: record.values)))
    case .update(_, let whole, _, let base):
      guard var row = rows[whole.id] else { return .gone(status: 404) }
      if row.system.deleted { return .gone(status: 410) }
      if let base, base != row.system.version { return .conflict(status: 412, row) }
      row.values = whole.values
      return .accepted(store(row))
    case .delete(_, let id, let base):
      guard var row = rows[id] else { return .gone(status: 404) }
      if row.system.deleted { return .gone(status: 410) }
      if let base, base != row.system.version { return .conflict(status: 412, row) }
      row.system.deleted = true
      _ = store(row)
      return .accepted(nil)
    case .undelete(_, let whole, _, let base):
      guard var row = rows[whole.id] else { return .gone(status: 404) }
      if let base, base != row.system.version { return .conflict(status: 412, row) }
      row.values = whole.values
      row.system.deleted = false
      return .accepted(store(row))
    }
  }
}

extension RemoteChange {
  var trace: String {
    switch self {
    case .insert(_, let record): "POST \(record.id)"
    case .update(_, let whole, let changed, _): "PUT \(whole.id) \(changed.keys.sorted().joined(separator: ","))"
    case .delete(_, let id, _): "DELETE \(id)"
    case .undelete(_, let whole, _, _): "UNDELETE \(whole.id)"
    }
  }
}
