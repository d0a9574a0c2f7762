import NIOCore
import Synchronization
import TableProtocol
import TableStorage

/// One connection, as its requests see it.
final class ServerConnection: Sendable {
  /// The connection of the request that this task answers.
  @TaskLocal static var current: ServerConnection?

  let channel: any Channel
  /// Where its requests are answered.
  let executor: LoopExecutor
  private let state = Mutex(State())

  private struct State {
    var hasLeft = false
    var onLeaving: (@Sendable () -> Void)?
    var token: ConnectionToken?
  }

  init(_ channel: any Channel) {
    self.channel = channel
    executor = LoopExecutor(channel.eventLoop)
  }

  /// The client has gone, or will send nothing more.
  func leave() {
    let action = state.withLock { state in
      state.hasLeft = true
      defer { state.onLeaving = nil }
      return state.onLeaving
    }
    action?()
  }

  /// Lets a client go on that waits to be asked for the body of its request.
  func askForBody() { channel.triggerUserOutboundEvent(BodyWanted(), promise: nil) }

  /// Runs `action` once when the client leaves, or now if it has left.
  func whenLeaving(_ action: @escaping @Sendable () -> Void) {
    let hasLeft = state.withLock { state in
      if !state.hasLeft { state.onLeaving = action }
      return state.hasLeft
    }
    if hasLeft { action() }
  }

  /// Takes note of what let its latest request in; nil if none was needed. A proxy sends those of many users on one
  /// connection.
  func begin(_ token: ConnectionToken?) { state.withLock { $0.token = token } }

  var token: ConnectionToken? { state.withLock(\.token) }

  /// Runs `body`, and cancels it when the client of this task's request leaves. For work that is long and changes
  /// nothing.
  static func whileConnected<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    guard let connection = current else { return try await body() }
    let work = Task(executorPreference: connection.executor) { try await body() }
    connection.whenLeaving { work.cancel() }
    defer { connection.state.withLock { $0.onLeaving = nil } }
    return try await withTaskCancellationHandler {
      try await work.value
    } onCancel: {
      work.cancel()
    }
  }
}

/// The token of a connection's requests.
struct ConnectionToken: Hashable, Sendable {
  let digest: TokenDigest
  /// False for a token of another sign-in, which only ends by itself.
  var isRevocable = true
  let expiresAt: Timestamp?

  func isOver(at now: Timestamp) -> Bool { expiresAt.map { $0 <= now } ?? false }
}

/// The connections there are, and how many there may be.
final class ConnectionRegistry: Sendable {
  private let most: Int
  private let mostOfAnAddress: Int
  private let proxies: TrustedProxies
  private let state = Mutex(State())

  fileprivate struct State {
    var connections: [ObjectIdentifier: Entry] = [:]
    var byAddress = CountByKey<NetworkAddress>()
    /// Those that have a stream to their end.
    var streaming = 0
  }

  fileprivate struct Entry {
    let connection: ServerConnection
    let address: NetworkAddress?
    /// Since when its client owes the rest of a request; nil while it is the server's turn.
    var waitsSince: NIODeadline?
    /// The request has begun.
    var hasRequest = false
    var isStreaming = false

    /// The order in which connections give up their places: those without a request, then those whose client has begun
    /// one and does not go on, strangers first; the longest waiting of each kind.
    func precedes(_ other: Entry) -> Bool {
      func rank(_ entry: Entry) -> Int { entry.hasRequest ? entry.connection.token == nil ? 1 : 2 : 0 }
      guard let mine = waitsSince, let theirs = other.waitsSince else { return waitsSince != nil }
      return (rank(self), mine) < (rank(other), theirs)
    }
  }

  /// Those of `proxies` are not limited: the clients behind one share its address.
  init(_ limits: ServerLimits, proxies: TrustedProxies = TrustedProxies([])) {
    self.proxies = proxies
    most = limits.connections
    mostOfAnAddress = limits.connectionsOfAnAddress
  }

  var count: Int { state.withLock { $0.connections.count } }

  /// Takes the connection in until it closes. False if there are too many: the caller closes it. If all places are
  /// taken, one whose client keeps it waiting is closed for it.
  func admit(_ connection: ServerConnection, now: NIODeadline = .now()) -> Bool {
    let address = limitedAddress(of: connection.channel)
    let id = ObjectIdentifier(connection)
    let (isAdmitted, evicted) = state.withLock { state -> (Bool, ServerConnection?) in
      if state.byAddress[address] >= mostOfAnAddress { return (false, nil) }
      var evicted: Entry?
      if state.connections.count - state.streaming >= most {
        evicted = state.connections.values.filter { $0.waitsSince != nil }.min { $0.precedes($1) }
        guard let evicted else { return (false, nil) }
        state.remove(ObjectIdentifier(evicted.connection))
      }
      state.connections[id] = Entry(connection: connection, address: address, waitsSince: now)
      state.byAddress.add(to: address)
      return (true, evicted?.connection)
    }
    evicted?.channel.close(promise: nil)
    if isAdmitted {
      connection.channel.closeFuture.whenComplete { [weak self] _ in self?.state.withLock { $0.remove(id) } }
    }
    return isAdmitted
  }

  /// Tells all connections that the server stops: each answers what it has begun.
  func quiesce() {
    for connection in state.withLock({ $0.connections.values.map(\.connection) }) {
      connection.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
    }
  }

  /// The part of a request that a connection waits for.
  enum Awaited {
    case request, body, nothing
  }

  func note(_ connection: ServerConnection, awaits awaited: Awaited, now: NIODeadline) {
    state.withLock { state in
      let id = ObjectIdentifier(connection)
      state.connections[id]?.waitsSince = awaited == .nothing ? nil : now
      state.connections[id]?.hasRequest = awaited == .body
    }
  }

  /// Takes note that the connection has a stream from now on until it closes: it is none of those that wait for
  /// requests, and takes the place of none.
  func noteStream(_ connection: ServerConnection) {
    state.withLock { state in
      let id = ObjectIdentifier(connection)
      guard state.connections[id]?.isStreaming == false else { return }
      state.connections[id]?.isStreaming = true
      state.streaming += 1
    }
  }

  /// The tokens of the connections' latest requests, each once.
  var tokens: Set<ConnectionToken> {
    state.withLock { Set($0.connections.values.compactMap(\.connection.token)) }
  }

  func close(_ ended: Set<ConnectionToken>) {
    guard !ended.isEmpty else { return }
    let connections = state.withLock { $0.connections.values.map(\.connection) }
    for connection in connections where connection.token.map(ended.contains) ?? false {
      connection.channel.close(promise: nil)
    }
  }

  /// Nil for this machine.
  private func limitedAddress(of channel: any Channel) -> NetworkAddress? {
    let text = channel.remoteAddress?.ipAddress
    guard let address = text.flatMap(NetworkAddress.init), !proxies.isTrusted(text) else { return nil }
    return address.isLoopback ? nil : address.group
  }
}

extension ConnectionRegistry.State {
  fileprivate mutating func remove(_ id: ObjectIdentifier) {
    guard let entry = connections.removeValue(forKey: id) else { return }
    if entry.isStreaming { streaming -= 1 }
    byAddress.remove(from: entry.address)
  }
}
