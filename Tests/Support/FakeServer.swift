package import OfflineSync
import Synchronization
package import TableProtocol

/// A server in memory that keeps the rules of the table protocol: versions, soft deletes, a clock
/// that strictly rises. It can be told to fail, for faults a real server can't be made to have.
package final class FakeServer: RemoteTable {
  package enum Fault: Sendable {
    /// The request never leaves.
    case unreachable
    /// The server acts, and the answer is lost.
    case lostAnswer
    case answer(RemoteAnswer)
    case failure(RemoteFailure)
  }

  fileprivate struct State {
    var rows: [String: Record] = [:]
    var clock = Timestamp(milliseconds: 1_795_000_000_000)
    var versions = 0
    var faults: [Fault] = []
    var requests: [String] = []
  }

  private let state = Mutex(State())

  /// `batching` is only what it says of itself: a fake has no requests to save.
  package init(server: String = "http://fake.example", batching: BatchSupport? = nil) {
    self.server = server
    self.batching = batching
  }

  package let batching: BatchSupport?
  package let server: String
  package let protocolVersion: ProtocolVersion? = .v3
  package var traffic: Traffic {
    var traffic = Traffic()
    traffic.requests = requests.count
    return traffic
  }

  /// What has been asked, as `POST id`, `PUT id text,complete`, `DELETE id`, `UNDELETE id`, `GET id`, `LIST`.
  package var requests: [String] { state.withLock(\.requests) }
  /// Live rows by id.
  package var rows: [String: Record] { state.withLock { $0.rows.filter { !$0.value.system.deleted } } }

  /// The next requests meet these, in turn.
  package func fail(_ faults: Fault...) {
    state.withLock { $0.faults += faults }
  }

  /// A change by somebody else.
  package func put(_ id: String, _ values: [String: FieldValue]) {
    state.withLock { state in
      var row = state.rows[id] ?? Record(id: id)
      row.values.merge(values) { $1 }
      row.system.deleted = false
      _ = state.store(row)
    }
  }

  /// The row goes without a tombstone, as when somebody works on the database itself.
  package func forget(_ id: String) {
    state.withLock { $0.rows[id] = nil }
  }

  package func remove(_ id: String) {
    state.withLock { state in
      guard var row = state.rows[id] else { return }
      row.system.deleted = true
      _ = state.store(row)
    }
  }

  package func send(_ changes: [RemoteChange]) -> [Result<RemoteAnswer, RemoteFailure>] {
    var ended: RemoteFailure?
    return changes.map { change in
      if let ended { return .failure(ended.unsent) }
      let outcome = request(change.trace) { $0.apply(change) }
      if case .failure(let failure) = outcome, failure.concernsAll { ended = failure }
      return outcome
    }
  }

  package func read(_ id: String, in table: String) throws(RemoteFailure) -> Record? {
    try request("GET \(id)") { $0.rows[id] }.get()
  }

  package func page(_ query: TableQuery) throws(RemoteFailure) -> RemotePage {
    try request("LIST") { state in
      let matching = state.rows.values.filter { row in query.filter.map { $0.holds(for: row) } ?? true }
      let byTime = query.order.first?.column == SystemColumn.updatedAt
      let sorted = matching.sorted { left, right in
        let (first, second) = (left.system.updatedAt ?? .epoch, right.system.updatedAt ?? .epoch)
        return byTime && first != second ? first < second : left.id < right.id
      }
      let ordered = query.order.first?.ascending == false ? sorted.reversed() : sorted
      return RemotePage(records: Array(ordered.prefix(query.limit ?? ordered.count)), hasMore: false)
    }.get()
  }

  private func request<Answer>(
    _ trace: String, _ act: (inout State) -> Answer
  ) -> Result<Answer, RemoteFailure> {
    state.withLock { state in
      state.requests.append(trace)
      guard !state.faults.isEmpty else { return .success(act(&state)) }
      switch state.faults.removeFirst() {
      case .unreachable:
        return .failure(RemoteFailure(.unreachable("name not found"), mayHaveActed: false))
      case .lostAnswer:
        _ = act(&state)
        return .failure(RemoteFailure(.unreachable("connection cut"), mayHaveActed: true))
      case .answer(let answer):
        return (answer as? Answer).map { .success($0) } ?? .success(act(&state))
      case .failure(let failure):
        return .failure(failure)
      }
    }
  }
}

extension FakeServer.State {
  fileprivate mutating func store(_ row: Record) -> Record {
    var row = row
    versions += 1
    clock = clock.advanced(byMilliseconds: 1)
    row.system.version = RecordVersion("v\(versions)")
    row.system.updatedAt = clock
    row.system.createdAt = row.system.createdAt ?? clock
    rows[row.id] = row
    return row
  }

  fileprivate mutating func apply(_ change: RemoteChange) -> RemoteAnswer {
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
  fileprivate var trace: String {
    switch self {
    case .insert(_, let record): "POST \(record.id)"
    case .update(_, let whole, let changed, _): "PUT \(whole.id) \(changed.keys.sorted().joined(separator: ","))"
    case .delete(_, let id, _): "DELETE \(id)"
    case .undelete(_, let whole, _, _): "UNDELETE \(whole.id)"
    }
  }
}

extension Filter {
  /// The conditions a pull makes, and no others.
  fileprivate func holds(for row: Record) -> Bool {
    switch self {
    case .binary(.and, let left, let right):
      left.holds(for: row) && right.holds(for: row)
    case .binary(let relation, .member(SystemColumn.updatedAt), .literal(.timestamp(let moment))):
      relation.holds(row.system.updatedAt ?? .epoch, moment)
    case .binary(let relation, .member(SystemColumn.id), .literal(.text(let id))):
      relation.holds(row.id, id)
    default:
      false
    }
  }
}

extension FilterOperator {
  fileprivate func holds<Value: Comparable>(_ left: Value, _ right: Value) -> Bool {
    switch self {
    case .equal: left == right
    case .greater: left > right
    case .greaterOrEqual: left >= right
    case .less: left < right
    case .lessOrEqual: left <= right
    default: false
    }
  }
}
