import Glibc
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import Synchronization
import TableStorage

/// A Unix socket that the server listens on, in a file of its own.
///
/// It is bound in a private folder, gets its mode there, and is then renamed to its place. So nobody connects before it
/// has its mode, and a file that an earlier server left is replaced in one step.
struct ServerSocket: Sendable {
  let path: String
  private let mode: mode_t
  private let unfinished: DraftSocket

  /// Throws `ServerError` if the file is no socket, or another server listens there.
  init(path: String, mode: mode_t) throws(ServerError) {
    self.path = path
    self.mode = mode
    guard let address = UnixAddress(path), UnixAddress(path + DraftSocket.ending) != nil else {
      throw .socketPathTooLong(path)
    }
    var status = stat()
    if lstat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFSOCK else { throw .notASocket(path) }
      guard !Self.isListening(address) else { throw .socketInUse(path) }
    }
    guard let unfinished = DraftSocket(path) else {
      throw .socketFailed(path: path, reason: String(cString: strerror(errno)).lowercased())
    }
    self.unfinished = unfinished
  }

  /// Where it is bound.
  var draft: String { unfinished.path }

  /// Gives it its mode and its name. Returns the number of its file, by which it is known when it is removed.
  func publish() throws(ServerError) -> ino_t {
    var status = stat()
    guard chmod(draft, mode) == 0, lstat(draft, &status) == 0, rename(draft, path) == 0 else {
      let reason = String(cString: strerror(errno)).lowercased()
      unfinished.remove()
      throw .socketFailed(path: path, reason: reason)
    }
    unfinished.remove()
    return status.st_ino
  }

  /// Removes its file, unless another server has put its own in the place. `number` is nil if it was not published.
  func remove(_ number: ino_t?) {
    unfinished.remove()
    var status = stat()
    if let number, lstat(path, &status) == 0, status.st_ino == number { unlink(path) }
  }

  /// False for a socket that a server left behind.
  private static func isListening(_ address: UnixAddress) -> Bool {
    let probe = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    guard probe >= 0 else { return true }
    defer { close(probe) }
    return address.with { connect(probe, $0, $1) } == 0 || errno != ECONNREFUSED
  }
}

/// The place of a socket that is not published: in a folder of its own, since the system gives a socket its mode by the
/// umask, and nobody else may connect in the moment before it gets another.
struct DraftSocket: Sendable {
  /// The signs that mkdtemp(3) replaces, and the name in the folder.
  static let ending = unique + name
  private static let unique = ".XXXXXX"
  private static let name = "/s"

  private let folder: String

  /// Makes the folder. Nil if that fails; errno says why.
  init?(_ beginning: String) {
    var path = Array((beginning + Self.unique).utf8CString)
    guard mkdtemp(&path) != nil else { return nil }
    folder = String(decoding: path.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  var path: String { folder + Self.name }

  /// Removes the folder, and the socket if it is still there.
  func remove() {
    unlink(path)
    rmdir(folder)
  }
}

/// The address of a Unix socket.
struct UnixAddress: Sendable {
  /// Bytes of a path, as the system has it.
  private static let longestPath = 107

  private let path: [UInt8]

  /// A path that begins with `@` is a name without a file. Nil for a path that is empty or too long.
  init?(_ path: String) {
    guard (1...Self.longestPath).contains(path.utf8.count) else { return nil }
    // The system has a zero byte where such a name begins.
    self.path = path.hasPrefix("@") ? [0] + path.utf8.dropFirst() : Array(path.utf8)
  }

  /// Calls the system with the address and its size.
  func with<Value>(_ call: (UnsafePointer<sockaddr>, socklen_t) -> Value) -> Value {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
    let size = socklen_t(MemoryLayout<sa_family_t>.size + path.count)
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { call($0, size) }
    }
  }
}

/// Sockets that the service manager has bound and hands over, as systemd does (sd_listen_fds(3)).
package enum InheritedSockets {
  private static let first: Int32 = 3
  private static let most = 64

  /// Their numbers; none if there are none for this process.
  package static func numbers(_ environment: [String: String], process: Int32) -> [Int32] {
    guard environment["LISTEN_PID"] == String(process), let count = environment["LISTEN_FDS"].flatMap({ Int($0) }),
      (1...most).contains(count)
    else { return [] }
    return (0..<Int32(count)).map { first + $0 }
  }

  /// The addresses of those that other machines may reach. A socket whose address is not known is named by its number.
  static func reachable(_ numbers: [Int32]) -> [String] {
    numbers.compactMap { number in
      let unknown = "fd:\(number)"
      var address = sockaddr_storage()
      var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
      let outcome = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(number, $0, &size) }
      }
      guard outcome == 0 else { return unknown }
      if Int32(address.ss_family) == AF_UNIX { return nil }
      var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
      let isNamed = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          getnameinfo($0, size, &name, socklen_t(name.count), nil, 0, NI_NUMERICHOST) == 0
        }
      }
      let text = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      guard isNamed, let parsed = NetworkAddress(text) else { return unknown }
      return parsed.isLoopback ? nil : text
    }
  }
}

/// Takes the connections that come in at inherited sockets. Hummingbird's own server listens at addresses only.
struct InheritedListener: Service {
  let numbers: [Int32]
  let place: ListeningPlace
  let logger: Logger

  func run() async throws {
    for await _ in place.isReady.cancelOnGracefulShutdown() { break }
    guard let channel = place.channel else { return }
    var listening: [NIOAsyncChannel<ServerChannel.Value, Never>] = []
    for number in numbers {
      _ = fcntl(number, F_SETFD, FD_CLOEXEC)
      listening.append(
        try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
          .childChannelOption(.allowRemoteHalfClosure, value: true)
          .bind(number) { [logger] in channel.setup(channel: $0, logger: logger) })
    }
    let sockets = listening
    place.note(inherited: sockets.map(\.channel))
    try await withGracefulShutdownHandler {
      try await withThrowingDiscardingTaskGroup { tasks in
        for socket in sockets { tasks.addTask { try await take(from: socket, channel) } }
      }
    } onGracefulShutdown: {
      // After the requests of the connections that `pause` has left.
      place.afterPause { [registry = channel.registry] in
        for socket in sockets { socket.channel.close(promise: nil) }
        registry.quiesce()
      }
    }
  }

  private func take(from socket: NIOAsyncChannel<ServerChannel.Value, Never>, _ channel: ServerChannel) async throws {
    try await withThrowingDiscardingTaskGroup { connections in
      try await socket.executeThenClose { inbound in
        for try await value in inbound {
          connections.addTask { await channel.handle(value: value, logger: logger) }
        }
      }
    }
  }
}

/// Where a server listens, from its start to its end.
final class ListeningPlace: Sendable {
  /// In which a connection that was just accepted sends its first request.
  private static let pause = TimeAmount.milliseconds(300)

  private let listening: ServerListening
  private let socket: ServerSocket?
  /// Hummingbird's server has to listen somewhere, also if all sockets are inherited. It is removed at once.
  private let unused: DraftSocket?
  private let state = Mutex(State())
  /// Has an element once the database is open.
  let isReady: AsyncStream<Void>
  private let ready: AsyncStream<Void>.Continuation

  private struct State {
    var file: ino_t?
    var channel: ServerChannel?
    var inherited: [any Channel] = []
  }

  init(_ configuration: ServerConfiguration) throws(ServerError) {
    listening = configuration.listening
    socket =
      switch listening {
      case .port, .inherited: nil
      case .socket(let path, let mode): try ServerSocket(path: path, mode: mode)
      }
    unused =
      switch listening {
      case .port, .socket: nil
      case .inherited: try Self.unusedPlace(beside: configuration.databasePath)
      }
    (isReady, ready) = AsyncStream.makeStream()
  }

  private static func unusedPlace(beside database: String) throws(ServerError) -> DraftSocket {
    let own = database.lastIndex(of: "/").map { String(database[...$0]) } ?? ""
    let folder = access("/tmp", W_OK) == 0 ? "/tmp/" : own
    guard let place = DraftSocket(folder + "ebb") else {
      throw .cannotListen(reason: String(cString: strerror(errno)).lowercased())
    }
    return place
  }

  /// Hummingbird's address to listen on.
  func address(_ configuration: ServerConfiguration) -> BindAddress {
    switch listening {
    case .port: .hostname(configuration.host, port: configuration.port)
    case .socket: .unixDomainSocket(path: socket?.draft ?? "")
    case .inherited: .unixDomainSocket(path: unused?.path ?? "")
    }
  }

  /// The listening channel.
  var channel: ServerChannel? { state.withLock(\.channel) }

  func note(_ channel: ServerChannel) -> ServerChannel {
    state.withLock { $0.channel = channel }
    return channel
  }

  func note(inherited: [any Channel]) { state.withLock { $0.inherited = inherited } }

  /// Accepts nothing more at inherited sockets: who connects from now on waits there for the next server.
  func pause() {
    for socket in state.withLock(\.inherited) { socket.setOption(.autoRead, value: false).whenFailure { _ in } }
  }

  /// Runs `action` when the connections that were accepted before ``pause()`` have had the time for a request; at once
  /// if no socket is inherited.
  func afterPause(_ action: @escaping @Sendable () -> Void) {
    guard let loop = state.withLock(\.inherited).first?.eventLoop else { return action() }
    loop.scheduleTask(in: Self.pause, action)
  }

  /// Lets clients in: the database is open.
  func publish() throws(ServerError) {
    let file = try socket?.publish()
    state.withLock { $0.file = file }
    unused?.remove()
    ready.yield()
  }

  func remove() {
    socket?.remove(state.withLock(\.file))
    unused?.remove()
  }
}
