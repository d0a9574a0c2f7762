import Glibc
import Support
import Synchronization

/// Stands before the PostgreSQL of the tests, on a port of this machine, and does harm to the connections when it is
/// asked to.
final class PostgreSQLProxy: Sendable {
  enum Cut: CaseIterable, Sendable {
    /// The commit arrives, and its answer does not.
    case afterCommit
    /// The commit does not arrive.
    case beforeCommit
  }

  let port: Int
  private let target: String
  private let listener: Int32
  private let state = Mutex(State())

  private struct State {
    var next: Cut?
    var hasCut = false
    /// True if nobody is let through after the next cut.
    var staysAway = false
    var isAway = false
    /// How many connections there were, and up to which of them nothing is let through in either direction.
    var count = 0
    var silentUpTo = 0
    var ignoresCancels = false
    var ignoredCancels = 0
    /// Ends of connections whose other side has gone without a word.
    var left: [Int32] = []
  }

  /// Before a new database, whose name is returned too.
  static func start() async throws -> (PostgreSQLProxy, database: String) {
    try await blocking {
      let (cluster, name) = (try PostgreSQLCluster.get(), PostgreSQLCluster.newName())
      try cluster.makeDatabase(name)
      return (try PostgreSQLProxy(to: "\(cluster.folder)/.s.PGSQL.5432"), name)
    }
  }

  private init(to target: String) throws {
    self.target = target
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) { [listener] pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(listener, pointer, size) == 0 && listen(listener, 16) == 0 && getsockname(listener, pointer, &size) == 0
      }
    }
    guard result else { throw PostgreSQLCluster.Failure(description: String(cString: strerror(errno))) }
    port = Int(UInt16(bigEndian: address.sin_port))
    Self.detach { [listener] in
      while true {
        let client = accept(listener, nil, nil)
        guard client >= 0 else { return }
        Self.detach { self.serve(client) }
      }
    }
  }

  func url(of database: String) -> String {
    "postgresql://postgres@127.0.0.1:\(port)/\(database)?connect_timeout=2"
  }

  func stop() {
    shutdown(listener, Int32(SHUT_RDWR))
    for socket in state.withLock(\.left) { close(socket) }
  }

  var hasCut: Bool { state.withLock(\.hasCut) }

  func cutNext(_ cut: Cut, staysAway: Bool = false) { state.withLock { ($0.next, $0.staysAway) = (cut, staysAway) } }

  func comeBack() { state.withLock { $0.isAway = false } }

  /// Swallows whatever comes from either side from now on, and closes nothing: nobody hears that the way is gone.
  func goSilent() { state.withLock { $0.silentUpTo = .max } }

  /// Lets new connections through. Those that there are stay as they are.
  func openNewWay() { state.withLock { $0.silentUpTo = $0.count } }

  /// Leaves requests to cancel without an answer.
  func ignoreCancels() { state.withLock { $0.ignoresCancels = true } }

  var ignoredCancels: Int { state.withLock(\.ignoredCancels) }

  private static func detach(_ body: @escaping @Sendable () -> Void) {
    Task.detached(executorPreference: WaitingThreads()) { body() }
  }

  private func connectToTarget() -> Int32? {
    let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(target.utf8)) }
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    if result == 0 { return number }
    close(number)
    return nil
  }

  private func serve(_ client: Int32) {
    let number = state.withLock { state -> Int? in
      state.count += 1
      return state.isAway ? nil : state.count
    }
    guard let number, let server = connectToTarget() else {
      close(client)
      return
    }
    forward(client, server, number)
    close(client)
    let isSilent = state.withLock { state in
      if number <= state.silentUpTo { state.left.append(server) }
      return number <= state.silentUpTo
    }
    if !isSilent { close(server) }
  }

  private func forward(_ client: Int32, _ server: Int32, _ number: Int) {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      var polls = [client, server].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      guard poll(&polls, 2, -1) > 0 else { return }
      for (index, (from, to)) in [(client, server), (server, client)].enumerated() where polls[index].revents != 0 {
        let count = read(from, &buffer, buffer.count)
        guard count > 0 else { return }
        if isSwallowed(buffer[..<count], number) { continue }
        // With the byte that ends a statement: a transaction begins with READ COMMITTED.
        let isCommit = index == 0 && String(decoding: buffer[..<count], as: UTF8.self).contains("COMMIT\0")
        let cut = isCommit ? takeCut() : nil
        if cut == .beforeCommit { return }
        _ = write(to, buffer, count)
        if cut == .afterCommit {
          // Its answer comes here, and goes no further.
          _ = read(server, &buffer, buffer.count)
          return
        }
      }
    }
  }

  private func isSwallowed(_ bytes: ArraySlice<UInt8>, _ number: Int) -> Bool {
    // The length and the number of a CancelRequest.
    let isCancel = bytes.starts(with: [0, 0, 0, 16, 4, 210, 22, 46])
    return state.withLock { state in
      if isCancel, state.ignoresCancels {
        state.ignoredCancels += 1
        return true
      }
      return number <= state.silentUpTo
    }
  }

  private func takeCut() -> Cut? {
    state.withLock { state in
      defer { state.next = nil }
      if state.next != nil { (state.hasCut, state.isAway) = (true, state.staysAway) }
      return state.next
    }
  }
}
