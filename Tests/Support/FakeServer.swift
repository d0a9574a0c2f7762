package import OfflineSync
import Synchronization
package import TableProtocol

private typealias ChangeOutcome = Result<RemoteAnswer, RemoteFailure>

/// A server in memory that keeps the rules of the table protocol: versions, soft deletes, a clock
/// that strictly rises. It can be told to fail, for faults a real server can't be made to have.
package final class FakeServer: RemoteTable {
  package enum Fault: Sendable {
    /// None: this request is answered.
    case pass
    /// The request never leaves.
    case unreachable
    /// The server acts, and the answer is lost.
    case lostAnswer
    case answer(RemoteAnswer)
    case failure(RemoteFailure)
  }

  struct State {
    var rows: [RecordID: Record] = [:]
    var clock = Timestamp(milliseconds: 1_795_000_000_000)
    var versions = 0
    var faults: [Fault] = []
    var requests: [String] = []
    var queries: [TableQuery] = []
    var observer: (@Sendable (String) -> Void)?
    var asked: (@Sendable () -> Void)?
    var hasNewerSignIn = false
    /// Somebody else signed in on the device, and no sync knows it yet.
    var signInOfOther: String?
    /// Whoever signed in last; nil if nobody did since it was made.
    var user: String?
    /// Pages given.
    var pages = 0
    /// Its newest row when it gave the last one.
    var listed = Timestamp.epoch
    /// Pages that were asked for with figures counted again.
    var verifications = 0
    /// Rows that it says are damaged if it is asked to look.
    var reportsDamaged: Int?
    /// The state it goes on from, and what lists said of that.
    var epoch = DatabaseEpoch(number: 1)
    /// How often an epoch was raised.
    var raised = 0
    var heardEpoch: DatabaseEpoch?
    /// Which tombstones it says it has.
    var tombstones: TombstoneRetention?
    /// What the changes of a client expect it to have written.
    var expected: Timestamp?
    /// Who hears of writes, and what they heard last.
    var listeners: [Int: @Sendable (NoticeEvent) -> Void] = [:]
    var lastListener = 0
    var announced: ListLevel?
  }

  /// How it behaves where servers differ.
  package struct Manners: Sendable {
    package enum Promise: Sendable { case never, always, everyOtherPage }

    package var version = ProtocolVersion.v3
    /// It does not say that it cut a page short.
    package var cutsSilently = false
    /// Each page says what its clock says, in whole seconds.
    package var saysTime = false
    /// Whether it says that rows become visible in the order of their times.
    package var promisesOrder = Promise.never
    /// It orders and compares ids by a collation that takes capital letters for small ones.
    package var ignoresCase = false
    /// It orders ids by that collation, and compares them without.
    package var confusesCase = false
    /// It answers 400 to `or`.
    package var knowsNoOr = false
    /// It does not count the rows that match.
    package var countsNothing = false
    /// It says which epoch its database has, and what its newest row is.
    package var announcesState = false
    /// It says with each write what that did to its table.
    package var saysMoves = false
    /// And says that nobody else wrote since the last list that it gave.
    package var liesAboutMoves = false

    package init(_ change: (inout Manners) -> Void = { _ in }) { change(&self) }
  }

  private let state = Mutex(State())
  /// Rows at most on one page.
  private let pageCap: Int
  /// It says with a last page what its whole table comes to.
  private let tellsDigest: Bool
  private let manners: Manners

  /// `batching` is only what it says of itself: a fake has no requests to save.
  package init(
    server: String = "http://fake.example", user: String = "", database: String? = nil, userName: String? = nil,
    batching: BatchSupport? = nil, pageCap: Int = .max, tellsDigest: Bool = false, manners: Manners = Manners()
  ) {
    self.manners = manners
    self.tellsDigest = tellsDigest
    self.pageCap = pageCap
    self.server = server
    firstUser = user
    known = ServerKnowledge(
      protocolVersion: manners.version, batching: batching, database: database, userName: userName)
  }

  package let server: String
  package var user: String { state.withLock(\.user) ?? firstUser }
  private let firstUser: String
  package var knowledge: ServerKnowledge {
    var knowledge = known
    knowledge.epoch = state.withLock(\.heardEpoch)
    return knowledge
  }
  private let known: ServerKnowledge
  package var traffic: Traffic {
    var traffic = Traffic()
    traffic.requests = requests.count
    return traffic
  }

  /// What has been asked, as `POST id`, `PUT id text,complete`, `DELETE id`, `UNDELETE id`, `GET id`, `LIST`.
  package var requests: [String] { state.withLock(\.requests) }
  /// Live rows by id.
  package var rows: [RecordID: Record] { state.withLock { $0.rows.filter { !$0.value.system.deleted } } }

  /// The queries of the lists that were asked for.
  package var queries: [TableQuery] { state.withLock(\.queries) }

  /// Calls this each time the server is asked who it is, which is none of ``requests``, on the thread that asks.
  package func onIdentify(_ asked: @escaping @Sendable () -> Void) { state.withLock { $0.asked = asked } }

  /// Calls this with each request before it is acted on, on the thread that makes it.
  package func onRequest(_ observer: (@Sendable (String) -> Void)?) {
    state.withLock { $0.observer = observer }
  }

  /// The next requests meet these, in turn.
  package func fail(_ faults: Fault...) {
    state.withLock { $0.faults += faults }
  }

  /// A change by somebody else. `time` is what it is stamped with; without one the clock moves on and stamps it.
  package func put(_ id: RecordID, _ values: [String: FieldValue], at time: Timestamp? = nil) {
    state.withLock { state in
      var row = state.rows[id] ?? Record(id: id)
      row.values.merge(values) { $1 }
      row.system.deleted = false
      row = state.store(row)
      if let time { row.system.updatedAt = time }
      state.rows[id] = row
    }
    announce()
  }

  /// The row holds something else now, under the same version and time.
  package func damage(_ id: RecordID, _ values: [String: FieldValue]) {
    state.withLock { $0.rows[id]?.values.merge(values) { $1 } }
  }

  /// If it is asked to look at its rows, it says that so many are damaged.
  package func report(damaged count: Int) {
    state.withLock { $0.reportsDamaged = count }
  }

  /// What its clock says.
  package var clock: Timestamp { state.withLock(\.clock) }

  /// Moves its clock, back too.
  package func advance(milliseconds: Int64) {
    state.withLock { $0.clock = $0.clock.advanced(byMilliseconds: milliseconds) }
  }

  /// Pages that were asked for with figures counted again.
  package var verifications: Int { state.withLock(\.verifications) }

  /// The row goes without a tombstone, as when somebody works on the database itself.
  package func forget(_ id: RecordID) {
    state.withLock { $0.rows[id] = nil }
  }

  package func remove(_ id: RecordID) {
    state.withLock { state in
      guard var row = state.rows[id] else { return }
      row.system.deleted = true
      _ = state.store(row)
    }
    announce()
  }

  package func send(_ changes: [RemoteChange], starting: ([Int]) -> [Int], settle: ([SettledChange]) -> Bool) {
    var ended: RemoteFailure?
    for (index, change) in changes.enumerated() {
      if ended == nil, starting([index]).isEmpty { continue }
      var move: ListMove?
      let outcome =
        ended.map { ChangeOutcome.failure($0.unsent) } ?? refusal(of: change)
        ?? request(change.trace) { state in
          let (answer, moved) = state.moving { $0.apply(change) }
          if manners.saysMoves { move = moved }
          if manners.liesAboutMoves { move = moved.map { ListMove(from: state.listed, to: $0.to, rows: $0.rows) } }
          return answer
        }
      if ended == nil, case .failure(let failure) = outcome, failure.concernsAll { ended = failure }
      announce()
      guard settle([SettledChange(index: index, outcome: outcome, move: move)]) else { return }
    }
  }

  package func expect(_ reached: Timestamp?) { state.withLock { $0.expected = reached } }

  /// A change is meant for the epoch that lists announced last, and for a server that has got so far.
  private func refusal(of change: RemoteChange) -> ChangeOutcome? {
    state.withLock { state in
      let isBehind = state.expected.map { $0 > state.newest ?? .epoch } ?? false
      guard manners.announcesState, let heard = state.heardEpoch, heard != state.epoch || isBehind else { return nil }
      state.requests.append(change.trace)
      return .failure(RemoteFailure(.otherEpoch, mayHaveActed: false))
    }
  }

  package func read(_ id: RecordID, in table: String) throws(RemoteFailure) -> Record? {
    try request("GET \(id)") { $0.rows[id] }.get()
  }

  /// There is a newer sign-in than the one in use.
  package var hasNewerSignIn: Bool {
    get { state.withLock(\.hasNewerSignIn) }
    set { state.withLock { $0.hasNewerSignIn = newValue } }
  }

  package func renewSignIn(of user: SignInUser) -> Bool {
    state.withLock { state in
      defer { state.hasNewerSignIn = false }
      guard user == .anybody, let other = state.signInOfOther else { return state.hasNewerSignIn }
      (state.user, state.signInOfOther) = (other, nil)
      return true
    }
  }

  /// Somebody else signs in on the device: this is their name.
  package func signIn(_ user: String) { state.withLock { $0.signInOfOther = user } }

  package func identify(_ table: String, before changes: Int) throws(RemoteFailure) -> String? {
    state.withLock(\.asked)?()
    return knowledge.database
  }

  package func page(_ query: TableQuery, at link: PageLink?, verifying: Bool) throws(RemoteFailure) -> RemotePage {
    if verifying { state.withLock { $0.verifications += 1 } }
    var page = try list(query, at: link)
    if verifying, !page.hasMore { page.damaged = state.withLock(\.reportsDamaged) }
    return page
  }

  /// A link counts the rows before it.
  private func list(_ query: TableQuery, at link: PageLink?) throws(RemoteFailure) -> RemotePage {
    state.withLock { $0.queries.append(query) }
    let start = link.flatMap { Int($0.query) } ?? query.skip ?? 0
    return try request("LIST") { state in
      state.pages += 1
      state.listed = state.newest ?? .epoch
      if manners.announcesState { state.heardEpoch = state.epoch }
      let page = state.page(query, from: start, cap: pageCap, manners)
      return page.map { page in tellsDigest && !page.hasMore ? page.telling(state.digest) : page }
    }.get().get()
  }

  func withState<Value>(_ body: (inout State) -> Value) -> Value { state.withLock { body(&$0) } }

  private func request<Answer>(
    _ trace: String, _ act: (inout State) -> Answer
  ) -> Result<Answer, RemoteFailure> {
    state.withLock(\.observer)?(trace)
    return state.withLock { state in
      state.requests.append(trace)
      guard !state.faults.isEmpty else { return .success(act(&state)) }
      switch state.faults.removeFirst() {
      case .pass:
        return .success(act(&state))
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
