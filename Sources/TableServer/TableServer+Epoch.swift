package import FoundationEssentials
package import TableProtocol

extension TableServer {
  /// Says that the database at `path` was replaced by an older copy: begins its next epoch, by which devices notice.
  /// A server may run on it meanwhile. `makeUUID` gives the random part of the epoch. Throws if there is no database.
  package static func raiseEpoch(
    ofDatabase path: String, clock: @escaping @Sendable () -> Timestamp, makeUUID: () -> UUID = { UUID() }
  ) throws(ServerError) -> DatabaseEpoch {
    do {
      guard try DatabaseHeader.check(path: path) else { throw ServerError.noDatabase(path: path) }
      let store = try ServerStore(path: path, clock: clock, makeUUID: makeUUID)
      defer { try? store.close() }
      return try store.raiseEpoch(nonce: makeUUID().uuidString.prefix(8).lowercased())
    } catch {
      throw ServerError(database: error, path: path)
    }
  }
}
