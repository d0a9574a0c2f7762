/// Whether a server promises that rows become visible in the order of their `updatedAt`. If so, a pull starts at its
/// token, without an overlap.
struct ServerOrder {
  private let server: String
  let isOrdered: Bool

  /// Loads the saved promise of a server.
  init(of server: String, _ store: any LocalStore) throws {
    self.init(server: server, isOrdered: try store.read { try $0.fact(SyncFact.order(of: server)) } == Self.ordered)
  }

  private init(server: String, isOrdered: Bool) {
    self.server = server
    self.isOrdered = isOrdered
  }

  private static let ordered = "ordered"

  /// Saves what the server's last answer said.
  func learned(_ isOrdered: Bool, _ store: any LocalStore) throws -> ServerOrder {
    try store.write { try $0.setFact(SyncFact.order(of: server), isOrdered ? Self.ordered : "unordered") }
    return ServerOrder(server: server, isOrdered: isOrdered)
  }
}
