import CLibpq
import Glibc
import Synchronization

/// libpq's result of one statement. Freed with the object.
final class PostgreSQLResult {
  private let result: OpaquePointer?

  init(_ result: OpaquePointer?) { self.result = result }

  deinit { if let result { pq_clear(result) } }

  var status: Int32 { result.map { pq_status($0) } ?? Int32(PQ_EMPTY_QUERY) }
  var count: Int { result.map { Int(pq_rows($0)) } ?? 0 }

  /// Nil for null. To be used while the object is there.
  func bytes(_ row: Int, _ column: Int) -> UnsafeBufferPointer<UInt8>? {
    guard let result, row < count, pq_is_null(result, Int32(row), Int32(column)) == 0,
      let start = pq_value(result, Int32(row), Int32(column))
    else { return nil }
    let count = Int(pq_length(result, Int32(row), Int32(column)))
    return UnsafeRawBufferPointer(start: start, count: count).bindMemory(to: UInt8.self)
  }

  var failure: PostgreSQLFailure? {
    guard let result, status == Int32(PQ_FATAL_ERROR) else { return nil }
    guard let state = pq_state(result).map({ String(cString: $0) }) else {
      return .unreachable("the connection was cut")
    }
    return PostgreSQLFailure(state: state, constraint: pq_constraint(result).map { String(cString: $0) })
  }
}

/// A session of PostgreSQL. Blocks its caller; one thread uses it at a time, and any may call ``cancel()``.
final class PostgreSQLConnection: Sendable {
  private let handle: Mutex<OpaquePointer>
  /// The place of libpq's key for stopping this session, which has its own lock.
  private let canceller: Mutex<Int>
  private let broken = Mutex<String?>(nil)
  private let isDiscarded = Atomic(false)
  private let trips = Atomic(0)
  /// How long one call of ``run(_:)`` may take at all: beyond every limit that the database was given, so that it is
  /// over only for a connection that nobody answers on.
  private let longest: Mutex<Duration>
  /// The `search_path` of each transaction; nil for the role's own.
  private let path = Mutex<String?>(nil)

  /// Connects. Blocks for at most twelve seconds for each address, and for ten more if the server turns it away: then
  /// it is asked again for its SQLSTATE.
  init(_ address: PostgreSQLAddress, longest: Duration) throws(PostgreSQLFailure) {
    self.longest = Mutex(longest)
    if let problem = pq_load() { throw .noLibrary(String(cString: problem)) }
    let options = address.options
    let connection = withCStrings(options.map(\.name) + [nil]) { names in
      withCStrings(options.map(\.value) + [nil]) { values in pq_connect(names, values) }
    }
    guard let connection else { throw .unreachable("its answer does not end, or there is no memory") }
    if let failure = Self.failure(of: connection, address) {
      pq_finish(connection)
      throw failure
    }
    canceller = Mutex(Int(bitPattern: pq_make_cancel(connection)))
    handle = Mutex(connection)
  }

  /// Why it could not begin; nil if it did. libpq gives the words of a server that turns it away, which may be in any
  /// language, or its SQLSTATE: for that it has to ask again, which may succeed.
  private static func failure(of connection: OpaquePointer, _ address: PostgreSQLAddress) -> PostgreSQLFailure? {
    if pq_is_good(connection) == 1, pq_begin_pipeline(connection) == 1 { return nil }
    let reason = address.withoutPassword(String(cString: pq_error(connection)))
    if pq_lacks_password(connection) == 1 { return .turnedAway(state: "28P01", reason) }
    // Nothing is open if nobody answered.
    guard pq_socket(connection) >= 0 else { return .unreachable(reason) }
    pq_connect_again(connection)
    if pq_is_good(connection) == 1, pq_begin_pipeline(connection) == 1 { return nil }
    let state = PostgreSQLFailure.state(endingMessage: String(cString: pq_error(connection)))
    return .turnedAway(state: state, reason)
  }

  deinit {
    canceller.withLock { if let cancel = OpaquePointer(bitPattern: $0) { pq_free_cancel(cancel) } }
    handle.withLock { pq_finish($0) }
  }

  /// True once it was cut or given up: then it is of no use any more.
  var isBroken: Bool { wasCut || isDiscarded.load(ordering: .relaxed) }
  var wasCut: Bool { broken.withLock { $0 != nil } }

  /// How often something was sent and its answer waited for.
  var roundTrips: Int { trips.load(ordering: .relaxed) }
  var serverVersion: Int32 { handle.withLock { pq_server_version($0) } }
  var socket: Int32 { handle.withLock { pq_socket($0) } }

  /// Gives it up: what runs goes on, and nothing can be run after it.
  func discard() { isDiscarded.store(true, ordering: .relaxed) }

  /// The schemas in which names without one are looked up, as SQL has them; nil for the role's own setting.
  ///
  /// It is set for each transaction, since a pooler may give the session to another client after it.
  var searchPath: String? {
    get { path.withLock(\.self) }
    set { path.withLock { $0 = newValue } }
  }

  /// Lets each call of ``run(_:)`` take this long from now on.
  func allow(_ longest: Duration) { self.longest.withLock { $0 = longest } }

  /// Asks the database to stop what this session does. Blocks, as it needs a connection of its own; for ever if nobody
  /// answers on that, since libpq has no limit here.
  func cancel() { canceller.withLock { if let cancel = OpaquePointer(bitPattern: $0) { pq_send_cancel(cancel) } } }

  /// Sends the statements together, and returns what each gave. Throws for the first that fails; those after it are not
  /// run.
  @discardableResult
  func run(_ statements: [PostgreSQLStatement]) throws(PostgreSQLFailure) -> [PostgreSQLRows] {
    if let reason = broken.withLock(\.self) { throw .unreachable(reason) }
    if isDiscarded.load(ordering: .relaxed) { throw .unreachable("the connection was given up") }
    let end = ContinuousClock.now + longest.withLock(\.self)
    trips.add(1, ordering: .relaxed)
    let searchPath = searchPath
    var place: Int?
    let outcome = handle.withLock { handle in
      var statements = statements
      if let searchPath, pq_is_outside(handle) == 1 {
        // Without a BEGIN, statements that are sent together are one transaction too.
        let index = statements.first?.isBegin == true ? 1 : 0
        statements.insert(.set(searchPath: searchPath), at: index)
        place = index
      }
      return Result { [statements] () throws(PostgreSQLFailure) in try Exchange(handle, end: end).run(statements) }
    }
    let failure: PostgreSQLFailure
    switch outcome {
    case .success(let results):
      guard let first = results.lazy.compactMap(\.failure).first else {
        return results.enumerated().filter { $0.offset != place }.map { PostgreSQLRows($0.element) }
      }
      failure = first
    case .failure(let cut): failure = cut
    }
    if case .unreachable(let reason) = failure { broken.withLock { $0 = $0 ?? reason } }
    throw failure
  }

  @discardableResult
  func run(_ sql: String, _ arguments: [PostgreSQLValue] = []) throws(PostgreSQLFailure) -> PostgreSQLRows {
    try run([PostgreSQLStatement(sql, arguments)]).first ?? .none
  }

  /// Takes in what came without being asked for. False if the connection is gone.
  func notices() -> (texts: [String], isAlive: Bool) {
    handle.withLock { handle in
      let isAlive = pq_consume(handle) == 1
      var texts: [String] = []
      while let notice = pq_next_notice(handle) {
        texts.append(String(cString: notice.pointee.text))
        pq_free(notice)
      }
      return (texts, isAlive)
    }
  }
}

/// One exchange of statements and results on a connection that never waits by itself.
private struct Exchange {
  private let connection: OpaquePointer
  private let end: ContinuousClock.Instant

  init(_ connection: OpaquePointer, end: ContinuousClock.Instant) {
    self.connection = connection
    self.end = end
  }

  func run(_ statements: [PostgreSQLStatement]) throws(PostgreSQLFailure) -> [PostgreSQLResult] {
    for statement in statements { try send(statement) }
    try check(pq_sync(connection) == 1)
    var results: [PostgreSQLResult] = []
    while true {
      // A null ends the results of one statement.
      guard let result = try next() else { continue }
      if result.status == Int32(PQ_PIPELINE_SYNC) {
        try follow(results.count == statements.count)
        return results
      }
      // Of a transfer of data libpq would give results for ever.
      try follow(results.count < statements.count && Self.statuses.contains(result.status))
      results.append(result)
      if case .unreachable? = result.failure { throw result.failure ?? lost }
    }
  }

  /// The results that statements of ours have.
  private static let statuses = [
    PQ_EMPTY_QUERY, PQ_COMMAND_OK, PQ_TUPLES_OK, PQ_FATAL_ERROR, PQ_PIPELINE_ABORTED,
  ].map { Int32($0) }

  private func follow(_ isAsPromised: Bool) throws(PostgreSQLFailure) {
    if !isAsPromised { throw .unreachable("what answers there is no PostgreSQL") }
  }

  private func send(_ statement: PostgreSQLStatement) throws(PostgreSQLFailure) {
    let isSent = statement.withArguments { values, lengths, formats in
      pq_send(connection, statement.sql, Int32(statement.arguments.count), values, lengths, formats) == 1
    }
    try check(isSent)
  }

  private func next() throws(PostgreSQLFailure) -> PostgreSQLResult? {
    while true {
      let unsent = pq_flush(connection)
      try check(unsent >= 0)
      guard pq_is_busy(connection) == 1 else { break }
      try wait(toWrite: unsent == 1)
      try check(pq_consume(connection) == 1)
    }
    let result = pq_next(connection)
    if result == nil { try check(pq_is_good(connection) == 1) }
    return result.map(PostgreSQLResult.init)
  }

  private func wait(toWrite: Bool) throws(PostgreSQLFailure) {
    var poll = pollfd(fd: pq_socket(connection), events: Int16(POLLIN | (toWrite ? POLLOUT : 0)), revents: 0)
    let left = end - .now
    guard left > .zero else { throw .unreachable("PostgreSQL does not answer") }
    let milliseconds = Int32(clamping: left.components.seconds * 1_000 + 1_000)
    if Glibc.poll(&poll, 1, milliseconds) < 0, errno != EINTR { throw lost }
  }

  private func check(_ isDone: Bool) throws(PostgreSQLFailure) { if !isDone { throw lost } }

  private var lost: PostgreSQLFailure { .unreachable("the connection was cut") }
}

extension PostgreSQLStatement {
  fileprivate var isBegin: Bool { sql.hasPrefix("BEGIN") }

  fileprivate static func set(searchPath: String) -> PostgreSQLStatement {
    PostgreSQLStatement("SELECT pg_catalog.set_config('search_path', $1, true)", [.text(searchPath)])
  }

  /// The arguments as libpq takes them.
  fileprivate func withArguments<Value>(
    _ body: (UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?) -> Value
  ) -> Value {
    var bytes: [CChar] = []
    var places: [Int?] = []
    var lengths: [Int32] = []
    var formats: [Int32] = []
    for argument in arguments {
      places.append(bytes.count)
      switch argument {
      case .null: places[places.count - 1] = nil
      case .text(let text): bytes += text.utf8.lazy.map { CChar(bitPattern: $0) }
      case .bytes(let data): bytes += data.lazy.map { CChar(bitPattern: $0) }
      }
      lengths.append(Int32(bytes.count - (places.last.flatMap(\.self) ?? bytes.count)))
      if case .bytes = argument { formats.append(1) } else { formats.append(0) }
      bytes.append(0)
    }
    return bytes.withUnsafeBufferPointer { buffer in
      let values = places.map { place in place.flatMap { buffer.baseAddress?.advanced(by: $0) } }
      return body(values, lengths, formats)
    }
  }
}

/// The texts as C has them; a nil ends the list where C wants that.
private func withCStrings<Value>(_ texts: [String?], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Value) -> Value
{
  let copies = texts.map { text in text.map { strdup($0) } ?? nil }
  defer { for copy in copies { free(copy) } }
  return body(copies.map { UnsafePointer($0) })
}
