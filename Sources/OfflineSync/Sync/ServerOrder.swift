/// Whether a server promised that rows become visible in the order of their times. With one that did, a
/// pull need not look again at what came before its token.
struct ServerOrder {
  private let server: String
  let isOrdered: Bool

  /// What was learned of the server before.
  init(of server: String, _ store: any LocalStore) throws {
    self.init(server: server, isOrdered: try store.read { try $0.fact(SyncFact.order(of: server)) } == Self.ordered)
  }

  private init(server: String, isOrdered: Bool) {
    self.server = server
    self.isOrdered = isOrdered
  }

  private static let ordered = "ordered"

  /// Remembers what its last answer said.
  func learned(_ isOrdered: Bool, _ store: any LocalStore) throws -> ServerOrder {
    try store.write { try $0.setFact(SyncFact.order(of: server), isOrdered ? Self.ordered : "unordered") }
    return ServerOrder(server: server, isOrdered: isOrdered)
  }
}
