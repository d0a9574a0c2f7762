/// Whether a server promises that rows become visible in the order of their `updatedAt`. If so, a pull starts at its
/// token, without an overlap.
struct ServerOrder {
  private let server: String
  let isOrdered: Bool
  private let isKnown: Bool
  var isUnordered: Bool { isKnown && !isOrdered }

  /// Loads the saved promise of a server.
  init(of server: String, _ store: any LocalStore) throws {
    let saved = try store.read { try $0.fact(SyncFact.order(of: server)) }
    self.init(server: server, isOrdered: saved == Self.ordered, isKnown: saved != nil)
  }

  private init(server: String, isOrdered: Bool, isKnown: Bool) {
    self.server = server
    self.isOrdered = isOrdered
    self.isKnown = isKnown
  }

  private static let ordered = "ordered"

  /// Saves what the server's last answer said, if that is news.
  func learned(_ isOrdered: Bool, _ store: any LocalStore) throws -> ServerOrder {
    guard isNews(isOrdered) else { return self }
    return try store.write { try learned(isOrdered, in: $0) }
  }

  /// The same within a transaction.
  func learned(_ isOrdered: Bool, in store: any StoreWriter) throws -> ServerOrder {
    guard isNews(isOrdered) else { return self }
    try store.setFact(SyncFact.order(of: server), isOrdered ? Self.ordered : "unordered")
    return ServerOrder(server: server, isOrdered: isOrdered, isKnown: true)
  }

  private func isNews(_ isOrdered: Bool) -> Bool { !isKnown || isOrdered != self.isOrdered }
}
