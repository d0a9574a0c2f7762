package import FoundationEssentials
import Glibc
import Hummingbird
import HummingbirdCore
package import Logging
import NIOCore
import ServiceLifecycle
package import TableProtocol
import UnixSignals

/// A server of the table protocol, versions 2.0.0 and 3.0.0, on one SQLite database.
package struct TableServer: Service {
  private let configuration: ServerConfiguration
  private let onStart: @Sendable (Int) -> Void

  /// `onStart` is told the port once the server listens on it.
  package init(_ configuration: ServerConfiguration, onStart: @escaping @Sendable (Int) -> Void = { _ in }) {
    self.configuration = configuration
    self.onStart = onStart
  }

  /// Serves until the service group shuts down gracefully: then answers what is under way and closes
  /// the database. Throws `ServerError`. The database is opened, or made, once the server listens: one that
  /// can't listen leaves no file behind.
  package func run() async throws {
    let state = ServerState(configuration)
    let outcome: Result<Void, any Error>
    do {
      try await withGracefulShutdownHandler {
        try await application(state).run()
      } onGracefulShutdown: {
        state.order.close()
      }
      outcome = .success(())
    } catch is CancellationError {
      outcome = .success(())
    } catch {
      outcome = .failure(ServerError(listening: error, configuration))
    }
    try state.close()
    try outcome.get()
  }

  /// The same until SIGINT or SIGTERM, as a program does that is nothing but a server. Requests that
  /// are still not answered 10 seconds later are cut off.
  package func runUntilSignalled() async throws(ServerError) {
    var group = ServiceGroupConfiguration(
      services: [self], gracefulShutdownSignals: stopSignals, logger: configuration.logger)
    group.maximumGracefulShutdownDuration = .seconds(10)
    do {
      try await ServiceGroup(configuration: group).run()
    } catch let error as ServerError {
      throw error
    } catch is CancellationError {
      return
    } catch {
      throw .cannotListen(reason: "\(error)")
    }
  }

  /// A terminal that is closed ends the server that was started in it. Elsewhere the signal asks a service to read its
  /// files again; there are none.
  private var stopSignals: [UnixSignal] {
    if isatty(STDIN_FILENO) == 1 { return [.sigint, .sigterm, .sighup] }
    signal(SIGHUP, SIG_IGN)
    return [.sigint, .sigterm]
  }

  private func application(_ state: ServerState) -> Application<TableResponder> {
    let limits = configuration.limits.fittingOpenFiles()
    let registry = ConnectionRegistry(limits)
    return Application(
      responder: TableResponder(state: state, configuration),
      server: HTTPServerBuilder { ServerChannel(responder: $0, limits: limits, registry: registry) },
      configuration: ApplicationConfiguration(
        address: .hostname(configuration.host, port: configuration.port), serverName: "ebb"),
      // No connection is taken before this returns.
      onServerRunning: { [onStart] channel in
        if await state.open() {
          onStart(channel.localAddress?.port ?? 0)
        } else {
          try? await channel.close()
        }
      },
      logger: configuration.logger)
  }
}

extension ServerError {
  fileprivate init(listening error: any Error, _ configuration: ServerConfiguration) {
    switch (error as? IOError)?.errnoCode {
    case EADDRINUSE: self = .portInUse(configuration.port)
    case EACCES, EPERM: self = .portNotAllowed(configuration.port)
    case EADDRNOTAVAIL: self = .hostNotUsable(configuration.host)
    case _ where error is SocketAddressError || error is SocketAddressError.UnknownHost:
      self = .hostNotUsable(configuration.host)
    default: self = .cannotListen(reason: "\(error)")
    }
  }
}

extension TableServer {
  /// Says that the database at `path` was replaced by an older copy: begins its next epoch, by which devices notice.
  /// A server may run on it meanwhile. `makeUUID` gives the random part of the epoch. Throws if there is no database.
  package static func raiseEpoch(
    ofDatabase path: String, clock: @escaping @Sendable () -> Timestamp, makeUUID: () -> UUID = { UUID() }
  ) throws(ServerError) -> DatabaseEpoch {
    do {
      guard try DatabaseHeader.check(path: path) else { throw ServerError.noDatabase(path: path) }
      let storage = try SQLiteStorage(path: path, makeUUID: makeUUID)
      defer { try? storage.close() }
      return try storage.raiseEpoch(now: clock(), nonce: makeUUID().uuidString.prefix(8).lowercased())
    } catch {
      throw ServerError(database: error, path: path)
    }
  }
}

/// What a table server needs from its surroundings.
package struct ServerConfiguration: Sendable {
  /// A name or an address; a loopback one unless the user says otherwise.
  package var host: String
  /// 0 lets the system choose a free one.
  package var port: Int
  /// Further names under which clients ask for this server, as one that a proxy before it has.
  package var names: [String]
  /// The file is created, readable by its owner alone, when it does not exist, and its folder too.
  package var databasePath: String
  /// Lets in everybody who shows no token, also beyond this machine.
  package var isOpen: Bool
  package var tables: TablePolicy
  package var clock: @Sendable () -> Timestamp
  /// Waits before a wrong token is answered.
  package var sleep: @Sendable (Duration) async -> Void
  /// Makes the id of an item that came without one; a random UUID unless another way is given.
  package var makeID: @Sendable () -> String
  /// Makes the identity of a new database; at random unless another way is given.
  package var makeUUID: @Sendable () -> UUID
  /// How long a batch waits at most for the one before it in its push (``ZumoHeader/sequence``).
  package var longestTurn: Duration
  package var limits: ServerLimits
  package var logger: Logger

  package init(
    host: String = "127.0.0.1", port: Int = 8080, names: [String] = [], databasePath: String, isOpen: Bool = false,
    tables: TablePolicy = TablePolicy(), clock: @escaping @Sendable () -> Timestamp,
    sleep: @escaping @Sendable (Duration) async -> Void = { try? await Task.sleep(for: $0) },
    makeID: (@Sendable () -> String)? = nil,
    makeUUID: @escaping @Sendable () -> UUID = { UUID() },
    longestTurn: Duration = .seconds(5),
    limits: ServerLimits = ServerLimits(),
    logger: Logger
  ) {
    self.host = host
    self.port = port
    self.names = names
    self.databasePath = databasePath
    self.isOpen = isOpen
    self.tables = tables
    self.clock = clock
    self.sleep = sleep
    self.makeID = makeID ?? { UUID().uuidString.lowercased() }
    self.makeUUID = makeUUID
    self.longestTurn = longestTurn
    self.limits = limits
    self.logger = logger
  }
}
