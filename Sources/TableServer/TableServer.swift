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
  /// the database. Throws `ServerError`. The database is opened, or made, once the server listens: one that
  /// can't listen leaves no file behind.
  package func run() async throws {
    let door = ServerDoor(configuration)
    let outcome: Result<Void, any Error>
    do {
      try await withGracefulShutdownHandler {
        try await application(door).run()
      } onGracefulShutdown: {
        door.order.close()
      }
      outcome = .success(())
    } catch is CancellationError {
      outcome = .success(())
    } catch {
      outcome = .failure(ServerError(listening: error, configuration))
    }
    try door.close()
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

  private func application(_ door: ServerDoor) -> Application<TableResponder> {
    Application(
      responder: TableResponder(door: door),
      configuration: ApplicationConfiguration(
        address: .hostname(configuration.host, port: configuration.port), serverName: "ebb"),
      // No connection is taken before this returns.
      onServerRunning: { [onStart] channel in
        if door.open() {
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
