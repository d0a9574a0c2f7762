package import FoundationEssentials
package import Logging
package import TableProtocol

/// What a table server needs from its surroundings.
package struct ServerConfiguration: Sendable {
  /// A name or an address; a loopback one unless the user says otherwise.
  package var host: String
  /// 0 lets the system choose a free one.
  package var port: Int
  /// The file is created, readable by its owner alone, when it does not exist, and its folder too.
  package var databasePath: String
  package var clock: @Sendable () -> Timestamp
  /// Makes the id of an item that came without one; a random UUID unless another way is given.
  package var makeID: @Sendable () -> String
  /// Makes the identity of a new database; at random unless another way is given.
  package var makeUUID: @Sendable () -> UUID
  /// How long a batch waits at most for the one before it in its push (``ZumoHeader/sequence``).
  package var longestTurn: Duration
  package var logger: Logger

  package init(
    host: String = "127.0.0.1", port: Int = 8080, databasePath: String,
    clock: @escaping @Sendable () -> Timestamp,
    makeID: (@Sendable () -> String)? = nil,
    makeUUID: @escaping @Sendable () -> UUID = { UUID() },
    longestTurn: Duration = .seconds(5),
    logger: Logger
  ) {
    self.host = host
    self.port = port
    self.databasePath = databasePath
    self.clock = clock
    self.makeID = makeID ?? { UUID().uuidString.lowercased() }
    self.makeUUID = makeUUID
    self.longestTurn = longestTurn
    self.logger = logger
  }
}
