package import TableProtocol

/// The facts that this device has learned about a server from its answers.
package struct ServerKnowledge: Sendable, Hashable {
  package var protocolVersion: ProtocolVersion?
  /// Whether the server accepts batches, and of which size.
  package var batching: BatchSupport?
  /// The identity of the server's database; nil if it announces none (an extension of Ebb).
  package var database: String?
  /// The epoch of that database, as last announced (an extension of Ebb).
  package var epoch: DatabaseEpoch?
  /// The name that the server has for the user of the token; nil if it did not say since the remote table was made (an
  /// extension of Ebb). It is saved with the owner of the list: see ``Account``.
  package var userName: String?
  /// Whether a server of 3.0.0 accepts updates that hold only the changed columns; nil if this was not tried yet.
  package var mergesUpdates: Bool?
  /// The columns that its rows were seen with, by table.
  package var columns: [String: ServerColumns]

  package init(
    protocolVersion: ProtocolVersion? = nil, batching: BatchSupport? = nil, database: String? = nil,
    epoch: DatabaseEpoch? = nil, userName: String? = nil, mergesUpdates: Bool? = nil,
    columns: [String: ServerColumns] = [:]
  ) {
    self.protocolVersion = protocolVersion
    self.batching = batching
    self.database = database
    self.epoch = epoch
    self.userName = userName
    self.mergesUpdates = mergesUpdates
    self.columns = columns
  }
}

/// Kept in the store as a few facts for each server's address.
extension ServerKnowledge {
  /// Milliseconds, a day. After that a server that refused batches is asked again (wire 18.4).
  private static let longestRefusal: Int64 = 86_400_000

  /// `now` is UTC.
  package init(of server: String, in store: any StoreReader, now: Timestamp) throws {
    protocolVersion = try store.fact(SyncFact.protocolVersion(of: server)).flatMap(ProtocolVersion.init(rawValue:))
    batching = try store.fact(SyncFact.batching(of: server)).flatMap { Self.batching($0, now) }
    database = try store.fact(SyncFact.database(of: server))
    epoch = try store.fact(SyncFact.epoch(of: server)).flatMap { DatabaseEpoch($0) }
    mergesUpdates = try store.fact(SyncFact.merging(of: server)).flatMap(Bool.init)
    columns = try store.fact(SyncFact.columns(of: server)).map(ServerColumns.byTable) ?? [:]
  }

  /// Saves what has changed, except the epoch: the rows must be compared before a new epoch is saved.
  func remember(of server: String, in store: any StoreWriter, now: Timestamp) throws {
    let known = try ServerKnowledge(of: server, in: store, now: now)
    if let protocolVersion, protocolVersion != known.protocolVersion {
      try store.setFact(SyncFact.protocolVersion(of: server), protocolVersion.rawValue)
    }
    if let batching, batching != known.batching {
      let day = batching == .unsupported ? " " + now.text : ""
      try store.setFact(SyncFact.batching(of: server), batching.text + day)
    }
    if let database, database != known.database { try store.setFact(SyncFact.database(of: server), database) }
    if let mergesUpdates, mergesUpdates != known.mergesUpdates {
      try store.setFact(SyncFact.merging(of: server), String(mergesUpdates))
    }
    if !columns.isEmpty, columns != known.columns {
      try store.setFact(SyncFact.columns(of: server), ServerColumns.text(of: columns))
    }
  }

  private static func batching(_ text: String, _ now: Timestamp) -> BatchSupport? {
    let parts = text.split(separator: " ", maxSplits: 1)
    guard let first = parts.first, BatchSupport(first) == .unsupported else { return BatchSupport(text) }
    guard let since = parts.last.flatMap({ Timestamp(String($0)) }) else { return nil }
    let isFresh = (0...longestRefusal).contains(now.milliseconds - since.milliseconds)
    return isFresh ? .unsupported : nil
  }
}

/// The columns that the rows of one table of a server were seen with.
///
/// A server that replaces the whole row resets the columns that a request does not name (sync-rules Q17). This device
/// has seen each row that it edits in full, on a page or in an answer. If no row had a column that is unknown here,
/// such a request resets nothing.
package struct ServerColumns: Sendable, Hashable {
  /// Columns that this device keeps and that rows of the server have.
  package var known: Set<String> = []
  /// True if some row has a column that this device does not keep.
  package var hasOthers = false
  /// True if some row lacks a column that another row has. Such a server leaves out nulls, so one row does not show
  /// all columns of the table.
  package var varies = false
  /// True if a page of the table had rows.
  package var wasListed = false

  package init(known: Set<String> = [], hasOthers: Bool = false, varies: Bool = false, wasListed: Bool = false) {
    self.known = known
    self.hasOthers = hasOthers
    self.varies = varies
    self.wasListed = wasListed
  }

  /// True if a row can be replaced by the columns of this device and loses nothing.
  package var areAllKnown: Bool { wasListed && !hasOthers && !varies }
}

/// Kept in the store as one line for each table: its name, the columns with commas between, and the flags.
extension ServerColumns {
  static func text(of tables: [String: ServerColumns]) -> String {
    tables.filter { isPlain($0.key) }.sorted { $0.key < $1.key }.map { name, columns in
      let flags = [
        columns.wasListed ? "listed" : nil, columns.hasOthers ? "others" : nil, columns.varies ? "varies" : nil,
      ]
      return ([name, columns.known.filter(isPlain).sorted().joined(separator: ",")] + flags.compactMap(\.self)).joined(
        separator: " ")
    }.joined(separator: "\n")
  }

  static func byTable(_ text: String) -> [String: ServerColumns] {
    var tables: [String: ServerColumns] = [:]
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: " ", omittingEmptySubsequences: false)
      guard parts.count >= 2 else { continue }
      let flags = parts.dropFirst(2)
      tables[String(parts[0])] = ServerColumns(
        known: Set(parts[1].split(separator: ",").map(String.init)), hasOthers: flags.contains("others"),
        varies: flags.contains("varies"), wasListed: flags.contains("listed"))
    }
    return tables
  }

  /// False for a name with a space or a comma: such a name is not saved.
  private static func isPlain(_ name: String) -> Bool {
    name.utf8.allSatisfy { $0 > 0x20 && $0 != UInt8(ascii: ",") }
  }
}
