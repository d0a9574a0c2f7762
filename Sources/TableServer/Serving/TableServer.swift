package import FoundationEssentials
import Glibc
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle
package import TableProtocol
import TableStorage
import UnixSignals

/// A server that listens.
package struct StartedServer: Hashable, Sendable {
  package let port: Int
  /// True if those who show no token are let in to no list.
  package let needsToken: Bool
}

/// A server of the table protocol, versions 2.0.0 and 3.0.0, on one database.
package struct TableServer: Service {
  private var configuration: ServerConfiguration
  private let onStart: @Sendable (StartedServer) -> Void

  /// `onStart` is called once the server listens.
  package init(_ configuration: ServerConfiguration, onStart: @escaping @Sendable (StartedServer) -> Void = { _ in }) {
    self.configuration = configuration
    self.configuration.limits = configuration.limits.fittingOpenFiles()
    self.onStart = onStart
  }

  /// Serves until the service group shuts down gracefully: then answers what is under way and closes
  /// the database. Throws `ServerError`. The database is opened, or made, once the server listens: one that
  /// can't listen leaves no file behind.
  package func run() async throws {
    let certificate: ServerCertificate?
    do throws(CertificateProblem) {
      certificate = if let files = configuration.certificate { try ServerCertificate(files) } else { nil }
    } catch {
      throw ServerError.certificate(error)
    }
    let signIn: JWTVerifier?
    do throws(KeyFileProblem) {
      signIn = if let settings = configuration.signIn { try await JWTVerifier(settings) } else { nil }
    } catch {
      throw ServerError.signIn(error)
    }
    let state = ServerState(configuration, signIn: signIn)
    try state.checkIsMeant()
    let place = try ListeningPlace(configuration)
    defer { place.remove() }
    let watch = certificate.map {
      CertificateWatch($0, figures: state.figures, clock: configuration.clock, logger: configuration.logger)
    }
    watch?.report()
    let renewal = FileRenewal(certificate: watch, signIn: signIn, logger: configuration.logger)
    let outcome: Result<Void, any Error>
    do {
      try await withGracefulShutdownHandler {
        try await application(state, place, renewal).run()
      } onGracefulShutdown: { [notice = configuration.notice] in
        notice?.say(.stopping)
        place.pause()
        place.afterPause(state.stop)
      }
      outcome = .success(())
    } catch is CancellationError {
      outcome = .success(())
    } catch {
      outcome = .failure(ServerError(listening: error, configuration))
    }
    try await state.close()
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
  /// files again: see ``FileRenewal``.
  private var stopSignals: [UnixSignal] {
    if hasTerminal { return [.sigint, .sigterm, .sighup] }
    signal(SIGHUP, SIG_IGN)
    return [.sigint, .sigterm]
  }

  private var hasTerminal: Bool { isatty(STDIN_FILENO) == 1 }

  private func application(
    _ state: ServerState, _ place: ListeningPlace, _ renewal: FileRenewal
  ) -> Application<TableResponder> {
    Application(
      responder: TableResponder(state: state, configuration),
      server: HTTPServerBuilder { [limits = configuration.limits] in
        place.note(
          ServerChannel(
            responder: $0, limits: limits, registry: state.connections, certificate: renewal.certificate?.certificate))
      },
      configuration: ApplicationConfiguration(address: place.address(configuration), serverName: "ebb"),
      services: services(place, renewal),
      // No connection is taken before this returns.
      onServerRunning: { [onStart, configuration] channel in
        let port = channel.localAddress?.port ?? 0
        if await state.open(address: configuration.address(port: port), then: place.publish) {
          let needsToken = await state.needsToken
          onStart(StartedServer(port: port, needsToken: needsToken))
          configuration.notice?.say(.ready)
        } else {
          try? await channel.close()
        }
      },
      logger: Logger(label: "ebb.serve") { [logger = configuration.logger] _ in UntaggedLogHandler(logger) })
  }

  private func services(_ place: ListeningPlace, _ renewal: FileRenewal) -> [any Service] {
    var services: [any Service] = []
    if case .inherited(let numbers) = configuration.listening {
      services.append(InheritedListener(numbers: numbers, place: place, logger: configuration.logger))
    }
    if renewal.isNeeded, !hasTerminal { services.append(renewal) }
    if let watch = renewal.certificate { services.append(watch) }
    if let watchdog = Watchdog(configuration.notice) { services.append(watchdog) }
    return services
  }
}

extension ServerError {
  fileprivate init(listening error: any Error, _ configuration: ServerConfiguration) {
    if case .socket(let path, _) = configuration.listening {
      let reason = (error as? IOError).map { String(cString: strerror($0.errnoCode)).lowercased() }
      self = .socketFailed(path: path, reason: reason ?? "\(error)")
      return
    }
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
  /// A server may run on it meanwhile. `makeUUID` gives the random part of the epoch. `onCopy` is told where the copy
  /// of a database is that was made before it was brought up to date. Throws if there is no database.
  package static func raiseEpoch(
    ofDatabase path: String, clock: @escaping @Sendable () -> Timestamp,
    onCopy: @escaping @Sendable (String) -> Void = { _ in }, makeUUID: () -> UUID = { UUID() }
  ) throws(ServerError) -> DatabaseEpoch {
    let database = DatabaseLocation(path)
    do {
      let storage = try database.open(update: DatabaseUpdate(clock: clock, onCopy: onCopy), makeUUID: makeUUID)
      defer { try? storage.close() }
      return try storage.raiseEpoch(now: clock(), nonce: makeUUID().epochNonce)
    } catch {
      throw ServerError(error, at: database)
    }
  }
}
