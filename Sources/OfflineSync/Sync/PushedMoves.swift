import TableProtocol

/// The effect of the requests of a push on a table, as far as their rows are stored here (sync-rules 8.6).
///
/// A server that promises order says of each write between which moments its rows lie. If this device has read up to
/// the first and has stored all of the rows, it has read up to the second. Answers may arrive in any order, so a move
/// waits until the moves before it are complete.
///
/// A header is believed if the rows say the same: as many as it counts, each within the two moments, and the
/// last at the second of them. A write of which a row was answered in another way, or not at all, stays incomplete.
/// Then the pull reads the rows, as it does without all this.
struct PushedMoves {
  /// The rows of a write that are stored here.
  private struct Stored {
    let move: ListMove
    var rows = 0
    var last = Timestamp.epoch

    var isComplete: Bool { rows == move.rows && last == move.to }
  }

  /// By the moment that the write starts from.
  private var stored: [Timestamp: Stored] = [:]

  /// Takes note of a row that is stored as the server answered it.
  mutating func note(_ move: ListMove, row updatedAt: Timestamp?) {
    var stored = stored[move.from] ?? Stored(move: move)
    // Two writes can't start from one moment. Neither is believed, and neither is a row from outside.
    guard stored.move == move, let updatedAt, move.from < updatedAt, updatedAt <= move.to else {
      self.stored[move.from] = Stored(move: move, rows: move.rows + 1)
      return
    }
    stored.rows += 1
    stored.last = max(stored.last, updatedAt)
    self.stored[move.from] = stored
  }

  /// How far the device has read that has read up to `token`.
  func reached(from token: Timestamp) -> Timestamp {
    var reached = token
    // Each step is later than the one before, so this ends.
    while let next = stored[reached], next.isComplete { reached = next.move.to }
    return reached
  }

  /// The server's digest of the whole table after the last of the writes, for a device that has read up to `token`. Nil
  /// if a write lies beyond that, is incomplete, or came without a digest.
  func digest(for token: Timestamp) -> TableDigest? {
    guard let last = stored.values.max(by: { $0.move.to < $1.move.to }), last.isComplete, last.move.to == token else {
      return nil
    }
    return last.move.digest
  }
}

/// The delta tokens that a push moves while it stores its own rows.
struct PushedTokens {
  private let pulls: [PullQuery]
  private var order: ServerOrder
  private var moves: [String: PushedMoves] = [:]

  /// A server that was seen to promise no order says nothing of what others write at the same time.
  init(_ pulls: [PullQuery], at server: String, _ store: any LocalStore) throws {
    order = try ServerOrder(of: server, store)
    self.pulls = order.isUnordered ? [] : pulls
  }

  /// Moves the tokens past what is stored, in the transaction that stores it. The result is valid if that ends well.
  func moved(by settlement: Settlement, in store: any StoreWriter) throws -> PushedTokens {
    guard !pulls.isEmpty, !settlement.moved.isEmpty else { return self }
    var after = self
    for (table, rows) in settlement.moved {
      for row in rows { after.moves[table, default: PushedMoves()].note(row.move, row: row.updatedAt) }
    }
    for query in pulls where settlement.moved[query.table] != nil { try after.moveToken(of: query, in: store) }
    return after
  }

  /// The server's digest of the query's table after the writes of the push; nil if the token is not there, and for a
  /// query with a filter: the digest is one of all rows.
  func digest(of query: PullQuery, in store: any StoreReader) throws -> TableDigest? {
    guard query.scope.isEmpty, let queryID = query.queryID, let moves = moves[query.table],
      let token = try store.deltaToken(table: query.table, queryID: queryID)
    else { return nil }
    return moves.digest(for: token.timestamp)
  }

  private mutating func moveToken(of query: PullQuery, in store: any StoreWriter) throws {
    // The token of another filter says nothing about this one (P12).
    guard let queryID = query.queryID, let moves = moves[query.table],
      try store.fact(SyncFact.filter(of: query)) ?? "" == query.scope
    else { return }
    // Without a token nothing was read: enough for a table that never had a row.
    let token = try store.deltaToken(table: query.table, queryID: queryID)?.timestamp ?? .epoch
    let reached = moves.reached(from: token)
    guard reached > token else { return }
    try TokensBeforePush.keep(DeltaToken(token), of: query.table, queryID: queryID, in: store)
    try store.setDeltaToken(DeltaToken(reached), table: query.table, queryID: queryID)
    // Only a server that promises order says what a write did. If a page says otherwise, the pull looks back after all.
    order = try order.learned(true, in: store)
  }
}

/// The way back for a device that believed a header which was not true: a proxy gave that of another answer, perhaps.
/// The digests of both sides tell; then the next pull reads again from where the tokens were.
enum TokensBeforePush {
  /// A line for each query: the moment, and the name of the query.
  private static func read(_ table: String, _ store: any StoreReader) throws -> [(token: Timestamp, queryID: String)] {
    let text = try store.fact(SyncFact.tokensBeforePush(of: table)) ?? ""
    return text.split(separator: "\n").compactMap { line in
      let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, let token = Timestamp(parts[0]) else { return nil }
      return (token, String(parts[1]))
    }
  }

  /// Keeps the first of several tokens of a query.
  static func keep(_ token: DeltaToken, of table: String, queryID: String, in store: any StoreWriter) throws {
    let kept = try read(table, store)
    guard !kept.contains(where: { $0.queryID == queryID }) else { return }
    let lines = (kept + [(token.timestamp, queryID)]).map { "\($0.token.text) \($0.queryID)" }
    try store.setFact(SyncFact.tokensBeforePush(of: table), lines.joined(separator: "\n"))
  }

  static func areKept(of table: String, in store: any StoreReader) throws -> Bool {
    try store.fact(SyncFact.tokensBeforePush(of: table)) != nil
  }

  /// Call it when the digests were compared: if they are not the same, the tokens go back, and what was read before is
  /// read again. Nothing is kept afterwards.
  static func restore(of table: String, unless isSame: Bool, in store: any StoreWriter) throws {
    for (token, queryID) in isSame ? [] : try read(table, store) {
      guard let now = try store.deltaToken(table: table, queryID: queryID), now.timestamp > token else { continue }
      try store.setDeltaToken(DeltaToken(token), table: table, queryID: queryID)
    }
    try store.removeFact(SyncFact.tokensBeforePush(of: table))
  }
}
