import Logging
import Synchronization
import TableProtocol
import TableStorage

/// A database that is open, and what lets requests in to it.
struct OpenDatabase: Sendable {
  let routes: TableRoutes
  let gatekeeper: Gatekeeper
  let streams: ListStreams
}

/// The layer between the listening socket and the database: opened once the server listens, closed after the last
/// answer.
final class ServerState: Sendable {
  let order: BatchOrder
  let connections: ConnectionRegistry
  let figures: ServerFigures
  private let configuration: ServerConfiguration
  private let signIn: JWTVerifier?
  let log: ServerLog
  private let stage = Mutex(Stage.closed)
  private let stopping = Mutex(false)
  /// Looks after the tokens of open connections.
  private let watch = Mutex<Task<Void, Never>?>(nil)
  private let backups = Mutex<BackupTask?>(nil)
  private let tombstones = Mutex<TombstoneTask?>(nil)

  private enum Stage {
    case closed
    case open(OpenDatabase)
    case failed(ServerError)
  }

  init(_ configuration: ServerConfiguration, signIn: JWTVerifier? = nil) {
    self.signIn = signIn
    self.configuration = configuration
    figures = ServerFigures(configuration.logger, now: configuration.clock())
    log = ServerLog(configuration.logger, clock: configuration.clock, database: configuration.database.shown)
    connections = ConnectionRegistry(configuration.limits, proxies: TrustedProxies(configuration.proxies))
    order = BatchOrder(longestWait: configuration.longestTurn)
  }

  /// The server ends: what it has begun is answered, and nothing else.
  func stop() {
    stopping.withLock { $0 = true }
    order.close()
    database?.streams.close()
  }

  /// For the database to say that it can be read.
  var longestLook: Duration { configuration.limits.look }

  /// Bytes; nil for a database that is no file.
  var databaseSize: Int? { configuration.database.path.map { ServerDatabase(path: $0).size } }

  var isStopping: Bool { stopping.withLock { $0 } }

  /// Nil before it is open, and after it was closed.
  var database: OpenDatabase? {
    stage.withLock { stage in
      if case .open(let database) = stage { database } else { nil }
    }
  }

  /// Opens the database, and makes it when there is none. False when that fails; ``close()`` tells why. `address` is
  /// where clients reach the server; nil if that is not known. `publish` lets clients in.
  func open(address: String?, then publish: () throws(ServerError) -> Void) async -> Bool {
    do throws(ServerError) {
      let storage = try await openStorage()
      let opened = openDatabase(storage, try await names(in: storage))
      stage.withLock { $0 = .open(opened) }
      if let address { await opened.gatekeeper.note(address: address) }
      try publish()
    } catch {
      if let storage = database?.routes.storage { try? storage.close() }
      stage.withLock { $0 = .failed(error) }
    }
    guard let database else { return false }
    watch.withLock { $0 = watchTokens(database.gatekeeper, database.streams) }
    makeBackups(of: database.routes.storage.identity)
    let sweep = TombstoneTask(database.routes.storage, clock: configuration.clock, log: log)
    tombstones.withLock { $0 = sweep }
    sweep.start(after: configuration.limits.firstSweep, every: configuration.limits.sweeps)
    return true
  }

  /// True if those who show no token are let in to no list. False also if the database can't say it at the moment.
  var needsToken: Bool {
    get async { await database?.gatekeeper.needsToken ?? false }
  }

  private func makeBackups(of identity: DatabaseIdentity) {
    guard let plan = configuration.backups, let path = configuration.database.path else { return }
    let task = BackupTask(
      ScheduledBackups(plan, of: path, identity), clock: configuration.clock, log: log,
      figures: figures)
    backups.withLock { $0 = task }
    task.start()
  }

  private func watchTokens(_ gatekeeper: Gatekeeper, _ streams: ListStreams) -> Task<Void, Never> {
    Task { [connections, age = configuration.limits.tokenAge] in
      // Not without a pause, whatever the age.
      while (try? await Task.sleep(for: max(age, .milliseconds(50)))) != nil {
        await gatekeeper.endSessions(of: connections)
        if streams.hasStrangers, await gatekeeper.needsToken { streams.endStrangers() }
      }
    }
  }

  /// The other names of columns: those that are given, beside those that the database was served with before.
  private func names(in storage: any ServerStorage) async throws(ServerError) -> ColumnNames {
    do {
      let given = configuration.tables.aliases
      let names = try await ServedAliases(storage, path: configuration.database.shown).adopt(given)
      if names != given { configuration.onKeptAliases(names.words) }
      return names
    } catch {
      try? storage.close()
      throw ServerError(error, at: configuration.database)
    }
  }

  private func openDatabase(_ storage: any ServerStorage, _ names: ColumnNames) -> OpenDatabase {
    var policy = configuration.tables
    policy.aliases = names
    return OpenDatabase(
      routes: TableRoutes(
        storage: storage, clock: configuration.clock, makeID: configuration.makeID,
        policy: policy, isOpen: configuration.isOpen, ownersHaveTokens: signIn == nil,
        newColumns: ColumnAllowances(mostInAnHour: configuration.limits.columnsInAnHour), log: log, order: order),
      gatekeeper: Gatekeeper(
        storage, signIn: signIn, isOpen: configuration.isOpen, limits: configuration.limits, clock: configuration.clock,
        sleep: configuration.sleep, log: log, figures: figures),
      streams: ListStreams(storage, configuration.limits, log: log))
  }

  private func openStorage() async throws(ServerError) -> any ServerStorage {
    let service = DatabaseService(
      reading: configuration.limits.statement, busy: configuration.limits.busy,
      goesByDatabaseClock: configuration.goesByDatabaseClock, isPooled: configuration.isPooled,
      update: DatabaseUpdate(clock: configuration.clock, onCopy: configuration.onCopy),
      makeUUID: configuration.makeUUID)
    let storage: any ServerStorage
    do {
      storage = try service.open(configuration.database)
    } catch {
      throw .database(error)
    }
    do {
      try await checkIsMeant(storage)
      try await storage.beginServing()
      try await checkRows(of: storage)
    } catch {
      try? storage.close()
      throw ServerError(error, at: configuration.database)
    }
    return storage
  }

  private func checkRows(of storage: any ServerStorage) async throws {
    guard storage.checksSnapshot else { return try await storage.checkAll(log, now: configuration.clock()) }
    for list in try await storage.lists() {
      await storage.settle(try await storage.read(list, mayBeLong: true) { try $0.check() }, log)
    }
  }

  /// Why the server does not start if nobody needs a token: other machines could reach it, and nobody meant that. A
  /// proxy is there to let them in. Nil if it starts without one.
  private var refusalWithoutToken: ServerError? {
    let host = configuration.reachableHost
    guard host != nil || !configuration.proxies.isEmpty, !configuration.isOpen, signIn == nil else { return nil }
    let database = configuration.database.shown
    return host.map { ServerError.noTokenGiven(host: $0, database: database) }
      ?? .noTokenGivenBehindProxy(database: database)
  }

  /// Throws if it is clear before the server listens, and before a database is made, that it would be refused.
  func checkIsMeant() throws(ServerError) {
    if let refusal = refusalWithoutToken, configuration.database.wereTokensGiven == false { throw refusal }
  }

  private func checkIsMeant(_ storage: any AccessStorage) async throws {
    if let refusal = refusalWithoutToken, try await !storage.allGrants().wereTokensGiven { throw refusal }
  }

  /// Throws when the database could not be opened.
  func close() async throws(ServerError) {
    watch.withLock { $0?.cancel() }
    await backups.withLock { $0 }?.stop()
    await tombstones.withLock { $0 }?.stop()
    await database?.gatekeeper.finishNotes()
    let last = stage.withLock { stage in
      defer { stage = .closed }
      return stage
    }
    switch last {
    case .closed: break
    case .failed(let error): throw error
    case .open(let database):
      do {
        try database.routes.storage.close()
      } catch {
        log.error("The database could not be closed: \(error.loggedReason).")
      }
    }
  }
}
