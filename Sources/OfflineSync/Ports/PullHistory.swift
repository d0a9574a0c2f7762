import FoundationEssentials
import TableProtocol

/// The complete pulls of a table by query, and whether each query has made the comparison that the store requires
/// (sync-rules 8.3).
///
/// Pulls of one query say nothing about the rows of another one. It is saved as one fact for each table, so that a
/// purge of the table removes all of it.
package struct PullHistory: Sendable, Hashable {
  private struct Entry: Sendable, Hashable, Codable {
    /// Nil for a query without a name.
    let queryID: String?
    /// The filter and parameters: with others, the name stands for another query (P12). Of a query without a name, also
    /// order and limits: it is all that tells the query from others.
    let scope: String
    /// When the last complete pull ended, in UTC.
    var pulled: String
    /// The last required comparison that the query has made; nil if it has made none. Stores have this name for it.
    var answered: String?

    func isOf(_ query: PullQuery) -> Bool { queryID == query.queryID && scope == query.identity }
  }

  /// The largest number of queries without a name that are remembered: an app may pull new ones all the time.
  /// A forgotten one counts as one that was never pulled.
  static let mostUnnamed = 20

  /// The last pulled one is the last.
  private var entries: [Entry]
  /// The last pull of a query without an entry, as far as that is known.
  private let earlier: Timestamp?
  private let required: RequiredComparison?

  /// `text` is the saved history; nil for a table that was not pulled since each query has its own.
  init(_ text: String?, earlier: Timestamp?, required: RequiredComparison?) {
    entries = text.flatMap { try? JSONDecoder().decode([Entry].self, from: Data($0.utf8)) } ?? []
    self.earlier = earlier
    self.required = required
  }

  /// Throws `StoreError`.
  ///
  /// Earlier versions saved one time for the whole store. It holds for queries that were not pulled since, and no pull
  /// of another query moves it: see ``StoreWriter/save(_:now:)``. A store without it has rows since it got its owner:
  /// those that it has sent.
  package init(of table: String, in store: any StoreReader) throws {
    let ofAll = try store.fact(SyncFact.earlierPull) ?? store.fact(SyncFact.lastPull)
    let owned = try store.fact(SyncFact.ownedSince).flatMap { Timestamp($0) }
    self.init(
      try store.fact(SyncFact.pulls(of: table)), earlier: ofAll.flatMap { Timestamp($0) } ?? owned,
      required: try store.requiredComparison())
  }

  /// The text of the fact.
  func text() throws -> String { String(decoding: try JSONEncoder().encode(entries), as: UTF8.self) }

  private func entry(of query: PullQuery) -> Entry? { entries.first { $0.isOf(query) } }

  /// The moment up to which all deletions in the rows of a query are known, in UTC; nil if the store was never synced.
  func lastPull(of query: PullQuery) -> Timestamp? {
    entry(of: query).flatMap { Timestamp($0.pulled) } ?? earlier
  }

  /// The last pull of any query of the table, in UTC; nil if the store was never synced.
  var newestPull: Timestamp? { entries.compactMap { Timestamp($0.pulled) }.max() ?? earlier }

  /// True if the next pull of the query must compare all rows, whatever the time. A query that was never pulled has
  /// made no comparison.
  package func requiresComparison(of query: PullQuery) -> Bool {
    guard let required else { return false }
    return required.isFormer || entry(of: query)?.answered != required.text
  }

  /// Notes that a pull ended well. `now` is UTC. A name that stood for another query stands for this one from now on.
  mutating func note(_ pull: CompletedPull, now: Timestamp) {
    let query = pull.query
    let answered = pull.made?.text ?? entry(of: query)?.answered
    entries.removeAll { query.queryID == nil ? $0.isOf(query) : $0.queryID == query.queryID }
    entries.append(Entry(queryID: query.queryID, scope: query.identity, pulled: now.text, answered: answered))
    let unnamed = entries.indices.filter { entries[$0].queryID == nil }
    if unnamed.count > Self.mostUnnamed { entries.remove(at: unnamed[0]) }
  }
}

extension PullQuery {
  /// Of the queries of a table and a name, only the same query has the same.
  fileprivate var identity: String { queryID == nil ? QueryWriter(.v3).queryString(for: query) : scope }
}

/// A pull that ended well.
struct CompletedPull: Sendable, Hashable {
  let query: PullQuery
  /// The required comparison that it has made; nil if it compared not all rows, or if none was required.
  var made: RequiredComparison?
}

/// A comparison of all rows of a store, which is required once: its server may be another one, or what is known of it
/// is void. Each query of each table must make it. It stays required when all known ones have: others may come later.
struct RequiredComparison: Sendable, Hashable {
  /// The text of each of them in earlier versions, which removed it after a pull of any query.
  private static let former = "1"

  let text: String

  init(_ text: String) {
    self.text = text
  }

  /// The one of this number in the store. `now` is UTC.
  init(number: Int, now: Timestamp) {
    text = "\(now.text) \(number)"
  }

  /// True for one of an older program. Its text says nothing about which one it is, so no query has made it.
  var isFormer: Bool { text == Self.former }
}

extension StoreReader {
  /// The newest comparison that the store requires; nil if there was none.
  func requiredComparison() throws -> RequiredComparison? {
    try fact(SyncFact.requiredComparison).map { RequiredComparison($0) }
  }
}

extension StoreWriter {
  /// Requires a comparison: each query of each table compares all rows at its next pull. `now` is UTC.
  ///
  /// Its text is another than those before it, also if the clock stands still, and if an older program has removed the
  /// last one: the store counts them.
  func requireComparison(now: Timestamp) throws {
    let number = (try fact(SyncFact.comparisonsRequired).flatMap { Int($0) } ?? 0) &+ 1
    try setFact(SyncFact.comparisonsRequired, String(number))
    try setFact(SyncFact.requiredComparison, RequiredComparison(number: number, now: now).text)
  }

  /// Notes that a query must still compare all rows. `now` is UTC.
  func keepRequiringComparison(of query: PullQuery, now: Timestamp) throws {
    if try !PullHistory(of: query.table, in: self).requiresComparison(of: query) { try requireComparison(now: now) }
  }

  /// Saves pulls that ended well, and the time of the store's last one. `now` is UTC.
  ///
  /// The first time, it keeps the store's time of an earlier version for the queries that were not pulled since; an
  /// empty text if there is none.
  func save(_ pulls: [CompletedPull], now: Timestamp) throws {
    guard !pulls.isEmpty else { return }
    if try fact(SyncFact.earlierPull) == nil { try setFact(SyncFact.earlierPull, fact(SyncFact.lastPull) ?? "") }
    for (table, own) in Dictionary(grouping: pulls, by: \.query.table).sorted(by: { $0.key < $1.key }) {
      var history = try PullHistory(of: table, in: self)
      for pull in own { history.note(pull, now: now) }
      try setFact(SyncFact.pulls(of: table), history.text())
    }
    try setFact(SyncFact.lastPull, now.text)
  }
}
