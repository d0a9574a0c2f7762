import Logging
import Synchronization

/// What stands between the listening socket and the database: opened once the server listens, closed
/// after the last answer.
final class ServerState: Sendable {
  let order: BatchOrder
  private let configuration: ServerConfiguration
  private let stage = Mutex(Stage.closed)

  private enum Stage {
    case closed
    case open(TableRoutes)
    case failed(ServerError)
  }

  init(_ configuration: ServerConfiguration) {
    self.configuration = configuration
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
          logger: configuration.logger, order: order))
    } catch {
      opened = .failed(error)
    }
    stage.withLock { $0 = opened }
    return routes != nil
  }

  private func openStorage() async throws(ServerError) -> any TableStorage {
    let storage = try SQLiteStorage(path: configuration.databasePath, makeUUID: configuration.makeUUID)
    do {
      try await storage.checkAll(logger: configuration.logger)
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
        configuration.logger.error("The database could not be closed: \(error)")
      }
    }
  }
}
