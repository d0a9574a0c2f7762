import FoundationEssentials
import Glibc
import NIOPosix
import Synchronization
import TableProtocol

/// Tells the processes that serve one database of each other's writes.
///
/// Each says what moved after its commit, at most four times a second: within the transaction it would take a lock of
/// the whole database. A lost notice does no harm, since every now and then all that moved is asked for. Nor does a
/// false one: whoever may connect to the database may send them, so that the list is asked how far it has come.
final class PostgreSQLNotices: Sendable {
  private static let channel = "ebb_moves"
  private static let shortestPause = Duration.milliseconds(250)
  /// A transaction is committed this much after it took its moments at most, the difference of two clocks included.
  private static let overlap: Int64 = 600_000

  private let connections: PostgreSQLConnections
  private let listeners: ListNotices
  private let isPooled: Bool
  /// By which a process knows its own notices.
  private let nonce = UUID().uuidString
  private let thread = NIOThreadPool(numberOfThreads: 1)
  private let wake: (read: Int32, write: Int32)?
  private let state = Mutex(State())

  private struct State {
    var pending: [ListID: Timestamp] = [:]
    var isStarted = false
    var isStopped = false
  }

  init(_ connections: PostgreSQLConnections, _ listeners: ListNotices, isPooled: Bool) {
    self.connections = connections
    self.listeners = listeners
    self.isPooled = isPooled
    var ends: [Int32] = [-1, -1]
    let isMade = pipe(&ends) == 0
    for end in ends where isMade {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    wake = isMade ? (ends[0], ends[1]) : nil
  }

  deinit {
    if let wake {
      close(wake.read)
      close(wake.write)
    }
  }

  /// Posts this process's own notice, after the commit.
  func post(_ notice: ListNotice) {
    listeners.post(notice)
    start()
    state.withLock { $0.pending[notice.list] = max($0.pending[notice.list] ?? .epoch, notice.lastMoment) }
    wakeUp()
  }

  /// Begins to listen, if that was not done yet: a command that looks into the database has no use for it.
  func start() {
    let isFirst = state.withLock { state in
      defer { state.isStarted = true }
      return !state.isStarted && !state.isStopped
    }
    guard isFirst else { return }
    connections.whenShort { [weak self] in self?.wakeUp() }
    thread.start()
    thread.submit { [self] _ in listen() }
  }

  func stop() {
    state.withLock { $0.isStopped = true }
    wakeUp()
    thread.shutdownGracefully { _ in }
  }

  private var isStopped: Bool { state.withLock(\.isStopped) }

  private func wakeUp() {
    guard let wake else { return }
    _ = write(wake.write, [UInt8(1)], 1)
  }

  /// Until ``stop()``. A connection that is lost is replaced, and what was missed meanwhile is asked for.
  private func listen() {
    var session = Session()
    var pause = Self.shortestPause
    while !isStopped {
      do {
        let connection = try connections.connectUnshared()
        if !isPooled { session.listens = (try? connection.run("LISTEN \(Self.channel)")) != nil }
        session.nextLook = .now
        pause = Self.shortestPause
        while !isStopped {
          guard !connections.isShort else { throw PostgreSQLFailure.unreachable("requests need the session") }
          try step(connection, &session)
        }
      } catch {
        doubt(session)
        // Own notices do not end it: each would cost an attempt.
        let end = ContinuousClock.now + pause
        while !isStopped, end > .now { wait(on: nil, for: end - .now) }
        pause = min(pause * 2, .seconds(5))
      }
    }
  }

  private struct Session {
    /// The last moment of each list that was said here.
    var known: [ListID: Timestamp] = [:]
    /// The database's time when all lists were looked at last; nil before that.
    var lookedAt: Timestamp?
    var nextLook = ContinuousClock.now
    var nextSending = ContinuousClock.now
    var listens = false

    var pauseBetweenLooks: Duration { listens ? .seconds(30) : .seconds(2) }
  }

  /// There is no connection, and perhaps no database: who says how far the lists are has to look. Not once, for other
  /// connections may be cut a moment later. Lists whose own writes the others have not heard of yet are among them: the
  /// connection may be lost before its first look, or never come to be.
  private func doubt(_ session: Session) {
    let lists = session.known.merging(state.withLock(\.pending), uniquingKeysWith: max)
    for (list, moment) in lists { listeners.post(ListNotice(list: list, lastMoment: moment)) }
  }

  private func step(_ connection: PostgreSQLConnection, _ session: inout Session) throws {
    let hasMore = state.withLock { !$0.pending.isEmpty }
    let next = hasMore ? min(session.nextLook, session.nextSending) : session.nextLook
    wait(on: connection, for: max(.zero, next - .now))
    let (texts, isAlive) = connection.notices()
    guard isAlive else { throw PostgreSQLFailure.unreachable("the connection was cut") }
    try receive(texts, connection, &session)
    if session.nextSending <= .now { try send(connection, &session) }
    if session.nextLook <= .now { try look(connection, &session) }
  }

  private func wait(on connection: PostgreSQLConnection?, for time: Duration) {
    var polls = [wake?.read, connection?.socket].compactMap(\.self).map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    _ = poll(&polls, nfds_t(polls.count), Int32(clamping: time.milliseconds + 1))
    guard let wake else { return }
    var bytes = [UInt8](repeating: 0, count: 256)
    while read(wake.read, &bytes, bytes.count) == bytes.count {}
  }

  private func send(_ connection: PostgreSQLConnection, _ session: inout Session) throws {
    let pending = state.withLock { state in
      defer { state.pending = [:] }
      return state.pending
    }
    guard !pending.isEmpty else { return }
    session.nextSending = .now + Self.shortestPause
    session.known.merge(pending) { max($0, $1) }
    let texts = pending.map { "\(nonce) \($1.milliseconds) \($0.table.name) \($0.owner?.text ?? "")" }
    do {
      try connection.run("SELECT pg_notify('\(Self.channel)', text) FROM unnest($1::text[]) AS text", [.array(texts)])
    } catch {
      guard case .refused = error else { throw error }
      // A relative of PostgreSQL without it: the others look for themselves.
      session.listens = false
    }
  }

  private func receive(_ texts: [String], _ connection: PostgreSQLConnection, _ session: inout Session) throws {
    let new = texts.compactMap(notice).filter { notice in
      session.known[notice.list].map { $0 < notice.lastMoment } ?? true
    }
    let lists = Set(new.map(\.list))
    guard !lists.isEmpty else { return }
    let rows = try connection.run(
      """
      SELECT owner, name, last_updated_at FROM ebb_list
      WHERE (owner, name) IN (SELECT * FROM unnest($1::text[], $2::text[]))
      """, [.array(lists.map { $0.owner?.text ?? "" }), .array(lists.map(\.table.name))])
    for row in 0..<rows.count {
      guard let list = PostgreSQLHeader.list(rows, row, owner: 0, name: 1), let moment = rows.moment(row, 2) else {
        continue
      }
      post(list, moment, &session)
    }
  }

  /// Another process's notice; nil for any other text, and for this process's own.
  private func notice(_ text: String) -> ListNotice? {
    let parts = text.split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0] != nonce, let moment = Int64(parts[1]),
      let table = ServedTable(named: String(parts[2])), let list = Self.list(table, owner: parts[3])
    else { return nil }
    return ListNotice(list: list, lastMoment: Timestamp(milliseconds: moment))
  }

  private static func list(_ table: ServedTable, owner: Substring) -> ListID? {
    owner.isEmpty ? ListID(table) : UserName(String(owner)).map { ListID(table, owner: $0) }
  }

  private func post(_ list: ListID, _ moment: Timestamp, _ session: inout Session) {
    guard session.known[list].map({ $0 < moment }) ?? true else { return }
    session.known[list] = moment
    listeners.post(ListNotice(list: list, lastMoment: moment))
  }

  /// Asks for all that moved since the last look. The first finds out where everything stands.
  private func look(_ connection: PostgreSQLConnection, _ session: inout Session) throws {
    session.nextLook = .now + session.pauseBetweenLooks
    let rows = try connection.run(
      """
      SELECT owner, name, last_updated_at, (extract(epoch FROM clock_timestamp()) * 1000)::bigint FROM ebb_list
      WHERE last_updated_at > $1 OR made_at = 0
      """, [.integer((session.lookedAt?.milliseconds ?? Int64(Self.overlap)) - Self.overlap)])
    let isFirst = session.lookedAt == nil
    for row in 0..<rows.count {
      session.lookedAt = rows.moment(row, 3) ?? session.lookedAt
      guard let list = PostgreSQLHeader.list(rows, row, owner: 0, name: 1), let moment = rows.moment(row, 2) else {
        continue
      }
      if isFirst {
        session.known[list] = max(session.known[list] ?? .epoch, moment)
      } else {
        post(list, moment, &session)
      }
    }
  }
}
