import Glibc
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
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
  /// the database. Throws `ServerError`.
  package func run() async throws {
    let store = try ServerStore(
      path: configuration.databasePath, clock: configuration.clock, makeUUID: configuration.makeUUID)
    let routes = TableRoutes(
      store: store, makeID: configuration.makeID, logger: configuration.logger,
      order: BatchOrder(longestWait: configuration.longestTurn))
    let outcome: Result<Void, any Error>
    do {
      try await withGracefulShutdownHandler {
        try await application(routes).run()
      } onGracefulShutdown: {
        routes.order.close()
      }
      outcome = .success(())
    } catch is CancellationError {
      outcome = .success(())
    } catch {
      outcome = .failure(ServerError(listening: error, configuration))
    }
    do {
      try store.close()
    } catch {
      configuration.logger.error("The database could not be closed: \(error)")
    }
    try outcome.get()
  }

  /// The same until SIGINT or SIGTERM, as a program does that is nothing but a server. Requests that
  /// are still not answered 10 seconds later are cut off.
  package func runUntilSignalled() async throws(ServerError) {
    var group = ServiceGroupConfiguration(
      services: [self], gracefulShutdownSignals: [.sigint, .sigterm], logger: configuration.logger)
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

  private func application(_ routes: TableRoutes) -> Application<TableResponder> {
    Application(
      responder: TableResponder(routes: routes),
      configuration: ApplicationConfiguration(
        address: .hostname(configuration.host, port: configuration.port), serverName: "ebb"),
      onServerRunning: { [onStart] channel in onStart(channel.localAddress?.port ?? 0) },
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
