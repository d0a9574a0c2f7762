package import OfflineSync
import Synchronization
package import TableProtocol

private typealias ChangeOutcome = Result<RemoteAnswer, RemoteFailure>

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
  /// Rows at most on one page.
  private let pageCap: Int

  /// `batching` is only what it says of itself: a fake has no requests to save.
  package init(
    server: String = "http://fake.example", user: String = "", database: String? = nil, batching: BatchSupport? = nil,
    pageCap: Int = .max
  ) {
    self.pageCap = pageCap
    self.server = server
    self.user = user
    knowledge = ServerKnowledge(protocolVersion: .v3, batching: batching, database: database)
  }

  package let server: String
  package let user: String
  package let knowledge: ServerKnowledge
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

  package func send(_ changes: [RemoteChange], settle: ([SettledChange]) -> Bool) {
    var ended: RemoteFailure?
    for (index, change) in changes.enumerated() {
      let outcome =
        ended.map { ChangeOutcome.failure($0.unsent) } ?? request(change.trace) { $0.apply(change) }
      if ended == nil, case .failure(let failure) = outcome, failure.concernsAll { ended = failure }
      guard settle([SettledChange(index: index, outcome: outcome)]) else { return }
    }
  }

  package func read(_ id: String, in table: String) throws(RemoteFailure) -> Record? {
    try request("GET \(id)") { $0.rows[id] }.get()
  }

  package func identify(_ table: String) throws(RemoteFailure) -> String? {
    knowledge.database
  }

  /// A link counts the rows before it.
  package func page(_ query: TableQuery, at link: PageLink?) throws(RemoteFailure) -> RemotePage {
    try request("LIST") { state in
      let matching = state.rows.values.filter { row in
        (query.includesDeleted || !row.system.deleted) && query.filter.map { $0.holds(for: row) } ?? true
      }
      let byTime = query.order.first?.column == SystemColumn.updatedAt
      let sorted = matching.sorted { left, right in
        let (first, second) = (left.system.updatedAt ?? .epoch, right.system.updatedAt ?? .epoch)
        return byTime && first != second ? first < second : left.id < right.id
      }
      let ordered = query.order.first?.ascending == false ? sorted.reversed() : sorted
      let start = link.flatMap { Int($0.query) } ?? query.skip ?? 0
      let rest = ordered.dropFirst(start)
      let page = rest.prefix(min(query.limit ?? .max, pageCap))
      let isCut = page.count < min(query.limit ?? .max, rest.count)
      return RemotePage(
        records: page.map { $0.narrowed(to: query.select) }, hasMore: isCut,
        next: isCut ? PageLink(query: String(start + page.count)) : nil,
        totalCount: query.includesTotalCount ? matching.count : nil)
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

extension Record {
  /// Only these of the user's columns; all of them when none is named.
  fileprivate func narrowed(to names: [String]) -> Record {
    guard !names.isEmpty else { return self }
    var copy = self
    copy.values = values.filter { names.contains($0.key) }
    return copy
  }
}

extension Filter {
  /// The conditions of a pull by the server's times, and any other by the values of a row.
  fileprivate func holds(for row: Record) -> Bool {
    switch self {
    case .binary(.and, let left, let right):
      left.holds(for: row) && right.holds(for: row)
    case .binary(let relation, .member(SystemColumn.updatedAt), .literal(.timestamp(let moment))):
      relation.holds(row.system.updatedAt ?? .epoch, moment)
    case .binary(let relation, .member(SystemColumn.id), .literal(.text(let id))):
      relation.holds(row.id, id)
    default:
      (try? FilterEvaluation(of: row) { Self.kinds[$0] }.holds(self)) ?? false
    }
  }

  private static var kinds: [String: SQLColumn.Kind] {
    ["text": .text, "complete": .bool, SystemColumn.deleted: .bool]
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
