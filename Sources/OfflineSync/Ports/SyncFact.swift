/// The names under which the engine remembers things in a store.
package enum SyncFact {
  /// UTC timestamps of the last push and pull that ended well.
  package static let lastPush = "lastPush"
  package static let lastPull = "lastPull"
  /// Whose list the store holds: see `Account`.
  package static let account = "account"
  /// When the store got its first owner: UTC.
  static let claimed = "claimed"
  /// There while everything is to be compared, since what was known of the server became void.
  package static let mustCompare = "mustCompare"
  /// How many rows the pulls of the last day removed from a table, and of how many (``MassDeletionGuard``).
  package static func deletions(in table: String) -> String { "deletions " + table }
  /// The protocol version a server was found to speak.
  package static func protocolVersion(of server: String) -> String { "protocol " + server }
  /// Whether a server takes batches, and how large.
  package static func batching(of server: String) -> String { "batching " + server }
  /// The identity a server's database was announced with.
  package static func database(of server: String) -> String { "database " + server }
  /// The state a server's database was last announced to go on from.
  package static func epoch(of server: String) -> String { "epoch " + server }
  /// Whether a server takes updates that name only what changes.
  package static func merging(of server: String) -> String { "merging " + server }
  /// What the rows of a server's tables were seen to hold.
  package static func columns(of server: String) -> String { "columns " + server }
  /// Whether a server's rows become visible in the order of their times.
  package static func order(of server: String) -> String { "order " + server }
  /// The digest that a table and its server's were last found to share.
  package static func agreement(on table: String) -> String { "agreement " + table }
  /// Which rows a delta token speaks of, where they are not all.
  package static func filter(of query: PullQuery) -> String { "filter \(query.table) \(query.queryID ?? "")" }
  /// What the last pull saw of a server, beside its delta token (``PullMemory``).
  static func memory(of query: PullQuery, at server: String) -> String {
    "pulled \(query.table) \(query.queryID ?? "") \(server)"
  }
}
