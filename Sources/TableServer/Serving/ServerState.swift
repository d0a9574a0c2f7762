import Logging
import Synchronization

/// What stands between the listening socket and the database: opened once the server listens, closed
/// after the last answer.
final class ServerState: Sendable {
  let order: BatchOrder
  private let configuration: ServerConfiguration
  private let log: ServerLog
  private let stage = Mutex(Stage.closed)

  private enum Stage {
    case closed
    case open(TableRoutes)
    case failed(ServerError)
  }

  init(_ configuration: ServerConfiguration) {
    self.configuration = configuration
    log = ServerLog(configuration.logger, clock: configuration.clock)
    order = BatchOrder(longestWait: configuration.longestTurn)
  }

  /// Nil unless the door is open.
  var routes: TableRoutes? {
    stage.withLock { stage in
      if case .open(let routes) = stage { routes } else { nil }
    }
  }

  /// Opens the database, and makes it when there is none. False when that fails; ``close()`` tells why.
  func open() async -> Bool {
    let opened: Stage
    do throws(ServerError) {
      opened = .open(
        TableRoutes(
          storage: try await openStorage(), clock: configuration.clock, makeID: configuration.makeID,
          newColumns: ColumnAllowance(mostInAnHour: configuration.limits.columnsInAnHour), log: log, order: order))
    } catch {
      opened = .failed(error)
    }
    stage.withLock { $0 = opened }
    return routes != nil
  }

  private func openStorage() async throws(ServerError) -> any TableStorage {
    let limits = configuration.limits
    let storage = try SQLiteStorage(
      path: configuration.databasePath,
      patience: SQLiteStorage.Patience(statement: limits.statement, busy: limits.busy),
      makeUUID: configuration.makeUUID)
    do {
      try await storage.checkAll(log)
    } catch {
      throw ServerError(database: error, path: configuration.databasePath)
    }
    return storage
  }

  /// Throws when the database could not be opened.
  func close() throws(ServerError) {
    let last = stage.withLock { stage in
      defer { stage = .closed }
      return stage
    }
    switch last {
    case .closed: break
    case .failed(let error): throw error
    case .open(let routes):
      do {
        try routes.storage.close()
      } catch {
        log.error("The database could not be closed: \(error)")
      }
    }
  }
}
