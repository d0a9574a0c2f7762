import FoundationEssentials
package import TableProtocol

extension TableServer {
  /// Says that the database at `path` was replaced by an older copy: begins its next epoch, by which devices notice.
  /// A server may run on it meanwhile. Throws if there is no database.
  package static func raiseEpoch(
    ofDatabase path: String, clock: @escaping @Sendable () -> Timestamp
  ) throws(ServerError) -> DatabaseEpoch {
    do {
      guard try DatabaseHeader.check(path: path) else { throw ServerError.noDatabase(path: path) }
      let store = try ServerStore(path: path, clock: clock, makeUUID: { UUID() })
      defer { try? store.close() }
      return try store.raiseEpoch()
    } catch {
      throw ServerError(database: error, path: path)
    }
  }
}
