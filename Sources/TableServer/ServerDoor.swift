import Logging
import Synchronization

/// What stands between the listening socket and the database: opened once the server listens, closed
/// after the last answer.
final class ServerDoor: Sendable {
  let order: BatchOrder
  private let configuration: ServerConfiguration
  private let state = Mutex(State.closed)

  private enum State {
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
    state.withLock { state in
      if case .open(let routes) = state { routes } else { nil }
    }
  }

  /// Opens the database, and makes it when there is none. False when that fails; ``close()`` tells why.
  func open() -> Bool {
    let opened: State
    do throws(ServerError) {
      let store = try ServerStore(
        path: configuration.databasePath, clock: configuration.clock, makeUUID: configuration.makeUUID)
      do {
        try store.check(logger: configuration.logger)
      } catch {
        throw ServerError(database: error, path: configuration.databasePath)
      }
      opened = .open(
        TableRoutes(store: store, makeID: configuration.makeID, logger: configuration.logger, order: order))
    } catch {
      opened = .failed(error)
    }
    state.withLock { $0 = opened }
    return routes != nil
  }

  /// Throws when the database could not be opened.
  func close() throws(ServerError) {
    let last = state.withLock { state in
      defer { state = .closed }
      return state
    }
    switch last {
    case .closed: break
    case .failed(let error): throw error
    case .open(let routes):
      do {
        try routes.store.close()
      } catch {
        configuration.logger.error("The database could not be closed: \(error)")
      }
    }
  }
}
