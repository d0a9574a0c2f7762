package import TableProtocol

/// The server's tables: changes of records, one that reads a record, and a page of a list.
///
/// Calls block until there is an answer or a failure, within the time limits the implementation was
/// given. They are made from the sync queue, never from the main thread.
package protocol RemoteTable: Sendable {
  /// The server's address: the key of what is remembered about it.
  var server: String { get }
  /// Whom the server takes us for: the same for the same user, another for another. Empty for nobody.
  var user: String { get }
  /// What is known of the server so far, to be remembered for the next start.
  var knowledge: ServerKnowledge { get }
  /// Requests made and bytes moved since the object was made.
  var traffic: Traffic { get }

  /// Sends changes of different records. Both closures are called on the caller's thread, never one inside the other.
  ///
  /// `starting` is called before the first byte of a request, with the indices of the changes that it carries and no
  /// request carried before. It gives those that may go. The others are not what they were any more: they are neither
  /// sent nor settled, and not asked for again.
  ///
  /// `settle` is called with outcomes as they come, while others are under way; each change is settled exactly once, as
  /// if it had been sent alone. One that `starting` was not asked for has a failure with `mayHaveActed` false.
  ///
  /// They are begun in the order given. Those that travel in one batch are acted on in that order; of
  /// several requests under way at once a later one may be acted on first. Once one fails in a way that
  /// the next one would share (see ``RemoteFailure/concernsAll``), those not sent yet get the same
  /// failure with `mayHaveActed` false. When `settle` gives false nothing more is sent; what was never sent
  /// is then not settled.
  func send(_ changes: [RemoteChange], starting: ([Int]) -> [Int], settle: ([SettledChange]) -> Bool)
  /// The record in whatever state, a tombstone included; nil when the server has none.
  func read(_ id: RecordID, in table: String) throws(RemoteFailure) -> Record?
  /// Reads one page of a list: the first, or the one that a link of the page before leads to. If `verifying`, the server
  /// counts its rows again instead of using the figures that it keeps; a server may ignore that.
  func page(_ query: TableQuery, at link: PageLink?, verifying: Bool) throws(RemoteFailure) -> RemotePage
  /// Asks which database the server has, whatever was known of it before, and goes on with that one. Nil
  /// where a server does not say.
  func identify(_ table: String) throws(RemoteFailure) -> String?
  /// Changes are meant from now on for a server that has written rows up to this moment; nil for any. One that keeps
  /// epochs refuses them with `otherEpoch` if it never got so far. A server need not know of that.
  func expect(_ reached: Timestamp?)
  /// Looks for a newer sign-in of the same user. True when there is one, which is used from now on.
  func renewSignIn() -> Bool
  /// Ends the requests under way with a failure. May be called from any thread.
  func interrupt()
}

/// The outcome of one of several changes, by its place among them.
package struct SettledChange: Sendable, Hashable {
  package var index: Int
  package var outcome: Result<RemoteAnswer, RemoteFailure>

  package init(index: Int, outcome: Result<RemoteAnswer, RemoteFailure>) {
    self.index = index
    self.outcome = outcome
  }
}

extension RemoteTable {
  package var user: String { "" }
  package var protocolVersion: ProtocolVersion? { knowledge.protocolVersion }

  package func identify(_ table: String) throws(RemoteFailure) -> String? { nil }
  package func interrupt() {}
  package func expect(_ reached: Timestamp?) {}
  package func renewSignIn() -> Bool { false }

  /// Sends changes of different records and gives their outcomes in the same order.
  package func send(_ changes: [RemoteChange]) -> [Result<RemoteAnswer, RemoteFailure>] {
    let missing = RemoteFailure(.badAnswer("no answer to a change"), mayHaveActed: true)
    var outcomes = [Result<RemoteAnswer, RemoteFailure>](repeating: .failure(missing), count: changes.count)
    send(changes, starting: \.self) { settled in
      for change in settled { outcomes[change.index] = change.outcome }
      return true
    }
    return outcomes
  }

  /// Sends one change. A failure that is thrown says whether the server may have acted on it.
  package func send(_ change: RemoteChange) throws(RemoteFailure) -> RemoteAnswer {
    guard let outcome = send([change]).first else {
      throw RemoteFailure(.badAnswer("no answer to a change"), mayHaveActed: true)
    }
    return try outcome.get()
  }

  package func page(_ query: TableQuery, at link: PageLink? = nil) throws(RemoteFailure) -> RemotePage {
    try page(query, at: link, verifying: false)
  }
}

/// A remote table that hands to another one what it does not do itself.
package protocol ForwardingTable: RemoteTable {
  var base: any RemoteTable { get }
}

extension ForwardingTable {
  package var server: String { base.server }
  package var user: String { base.user }
  package var knowledge: ServerKnowledge { base.knowledge }
  package var traffic: Traffic { base.traffic }

  package func send(_ changes: [RemoteChange], starting: ([Int]) -> [Int], settle: ([SettledChange]) -> Bool) {
    base.send(changes, starting: starting, settle: settle)
  }
  package func read(_ id: RecordID, in table: String) throws(RemoteFailure) -> Record? { try base.read(id, in: table) }
  package func page(_ query: TableQuery, at link: PageLink?, verifying: Bool) throws(RemoteFailure) -> RemotePage {
    try base.page(query, at: link, verifying: verifying)
  }
  package func identify(_ table: String) throws(RemoteFailure) -> String? { try base.identify(table) }
  package func renewSignIn() -> Bool { base.renewSignIn() }
  package func interrupt() { base.interrupt() }
  package func expect(_ reached: Timestamp?) { base.expect(reached) }
}

/// A server of the table protocol: its address, and how to sign in. The module `TableClient` makes it.
///
///     let server = RemoteServer("https://list.example", token: token)
///
/// Nothing is sent before the first sync.
public struct RemoteServer: Sendable {
  /// Makes the remote table for a store. Throws `StoreError`.
  package let connect:
    @Sendable (
      _ tables: [SyncTableDefinition], _ store: any LocalStore, _ environment: Environment, _ log: SyncLog
    ) throws -> any RemoteTable

  package init(
    connect: @escaping @Sendable ([SyncTableDefinition], any LocalStore, Environment, SyncLog) throws -> any RemoteTable
  ) {
    self.connect = connect
  }
}

/// A change as it is sent to the server.
package enum RemoteChange: Sendable, Hashable {
  case insert(table: String, Record)
  /// `changed` holds the columns that differ from the base, `whole` the full record. A server that merges gets the
  /// first, a server that replaces gets the second.
  case update(table: String, whole: Record, changed: [String: FieldValue], base: RecordVersion?)
  case delete(table: String, id: RecordID, base: RecordVersion?)
  /// Makes a tombstone live again, with these values. `base` is the version of the tombstone.
  case undelete(table: String, whole: Record, changed: [String: FieldValue], base: RecordVersion?)
}

extension RemoteChange {
  package var table: String {
    switch self {
    case .insert(let table, _), .update(let table, _, _, _), .delete(let table, _, _), .undelete(let table, _, _, _):
      table
    }
  }

  /// The id of the record that changes.
  package var id: RecordID {
    switch self {
    case .insert(_, let record): record.id
    case .update(_, let whole, _, _), .undelete(_, let whole, _, _): whole.id
    case .delete(_, let id, _): id
    }
  }
}

/// The server's answer to a change that it understood.
package enum RemoteAnswer: Sendable, Hashable {
  /// Done. The record as it is stored now; nil after a delete whose answer holds no record.
  case accepted(Record?)
  /// 409 or 412: the server has another copy. Nil if the answer holds no copy that can be trusted.
  case conflict(status: Int, Record?)
  /// 404 or 410: there is no such record, or it was deleted. Never for an insert answered 404: that is about the table,
  /// and a failure.
  case gone(status: Int)
  /// Another 4xx: the server refuses this change, and may accept others.
  case refused(status: Int, message: String)
}

/// The remote table of a program without a server: every request fails at once with `.noServer`.
package struct UnconfiguredRemoteTable: RemoteTable {
  package let server = ""
  package let knowledge = ServerKnowledge()
  package let traffic = Traffic()

  package init() {}

  package func send(_ changes: [RemoteChange], starting: ([Int]) -> [Int], settle: ([SettledChange]) -> Bool) {
    _ = settle(changes.indices.map { SettledChange(index: $0, outcome: .failure(failure)) })
  }

  package func read(_ id: RecordID, in table: String) throws(RemoteFailure) -> Record? { throw failure }
  package func page(_ query: TableQuery, at link: PageLink?, verifying: Bool) throws(RemoteFailure) -> RemotePage {
    throw failure
  }

  private var failure: RemoteFailure { RemoteFailure(.noServer, mayHaveActed: false) }
}

/// Counts of what went over the wire. Bytes are those of request and response bodies.
public struct Traffic: Sendable, Hashable {
  public var requests = 0
  public var bytesSent = 0
  public var bytesReceived = 0

  package init() {}

  package static func - (later: Traffic, earlier: Traffic) -> Traffic {
    var difference = later
    difference.requests -= earlier.requests
    difference.bytesSent -= earlier.bytesSent
    difference.bytesReceived -= earlier.bytesReceived
    return difference
  }
}
