import TableProtocol

/// The names of the facts that the engine saves in a store.
package enum SyncFact {
  /// The time of the last successful push, in UTC.
  package static let lastPush = "lastPush"
  /// The time of the last successful pull of any query, in UTC. Which query it was, `PullHistory` says.
  package static let lastPull = "lastPull"
  /// The last pull before the store had a time for each query, in UTC; empty if there was none.
  static let earlierPull = "earlier pull"
  /// The last pull of each query of a table: see ``PullHistory``.
  static func pulls(of table: String) -> String { "pulls " + table }
  /// The account that owns the list in the store: see `Account`.
  package static let account = "account"
  /// The time when the store got its first owner, in UTC. "claimed" is an earlier name; stores have it.
  static let ownedSince = "claimed"
  /// How often the list was taken along to another account.
  static let takenAlong = "takenAlong"
  /// The newest `RequiredComparison`: each query must compare all rows until it has made that one. An older program
  /// compares while it is set, and removes it after that.
  package static let requiredComparison = "mustCompare"
  /// How many comparisons the store has required. "doubts" is an earlier name; stores have it.
  static let comparisonsRequired = "doubts"
  /// Set while a table is moving to another database that a person called the same list, until all rows were sent and
  /// compared. Holds the time of the last pull from the former database, in UTC.
  package static func otherDatabase(of table: String) -> String { "other database " + table }
  /// Set, to any text, while a table has columns that no pull has read. The next pull must compare all rows of it.
  package static func newColumns(of table: String) -> String { "new columns " + table }
  /// How many rows the pulls of the last day removed from a table, and of how many (``MassDeletionGuard``).
  package static func deletions(in table: String) -> String { "deletions " + table }
  /// The protocol version that a server speaks.
  package static func protocolVersion(of server: String) -> String { "protocol " + server }
  /// Whether a server accepts batches, and of which size.
  package static func batching(of server: String) -> String { "batching " + server }
  /// The identity that a server last announced for its database.
  package static func database(of server: String) -> String { "database " + server }
  /// The epoch that a server last announced for its database.
  package static func epoch(of server: String) -> String { "epoch " + server }
  /// Whether a server accepts updates that hold only the changed columns.
  package static func merging(of server: String) -> String { "merging " + server }
  /// The columns that rows of a server's tables were seen with.
  package static func columns(of server: String) -> String { "columns " + server }
  /// Whether a server's rows become visible in the order of their `updatedAt`.
  package static func order(of server: String) -> String { "order " + server }
  /// The digest that this device and the server last agreed on for a table.
  package static func agreement(on table: String) -> String { "agreement " + table }
  /// The moment that the server of a table went back to, in its time, and when this device found that out, in its own.
  static func restoration(of table: String) -> String { "restored " + table }
  /// Where the delta tokens of a table were before a push moved them, until both sides were found to be the same.
  static func tokensBeforePush(of table: String) -> String { "before push " + table }
  /// The filter that a delta token belongs to; empty for all rows.
  package static func filter(of query: PullQuery) -> String { "filter " + name(of: query) }
  /// The server's time at the last pull, beside its delta token (``TokenTime``).
  static func tokenTime(of query: PullQuery, at server: String) -> String {
    "pulled \(name(of: query)) \(server)"
  }

  /// Different for different queries, whatever they are called.
  private static func name(of query: PullQuery) -> String {
    [query.table, query.queryID ?? ""].map { word in
      let isPlain = !word.contains(" ") && !word.contains("\"")
      return isPlain ? word : "\"\(word.replacing("\"", with: "\"\""))\""
    }.joined(separator: " ")
  }
}
