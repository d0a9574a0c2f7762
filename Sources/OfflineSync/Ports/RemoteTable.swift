package import TableProtocol

/// The server's tables: sends changes, reads one record, reads a list page by page.
///
/// Calls block until there is an answer or a failure, within the time limits of the implementation. They are made on
/// the sync queue, never on the main thread.
package protocol RemoteTable: Sendable {
  /// The server's address: the key under which this device saves facts about the server.
  var server: String { get }
  /// An identifier of the signed-in user: equal for the same user, different for another. Empty without a sign-in.
  var user: String { get }
  /// The facts known about the server so far. They are saved for the next start.
  var knowledge: ServerKnowledge { get }
  /// Requests made and bytes moved since the object was made.
  var traffic: Traffic { get }

  /// Sends changes of different records. Calls both closures on the caller's thread, one call at a time.
  ///
  /// - starting: Called before the first byte of a request, with the indices of its changes; each index comes once.
  ///   Returns those that may be sent. The others have changed meanwhile: they are neither sent nor settled.
  /// - settle: Called with outcomes as they arrive, while other requests are under way; each index comes at most once.
  ///   Returns false to stop. Then nothing more is sent, and what was not sent is not settled.
  ///
  /// Requests start in the order of `changes`. Changes of one batch are executed in order; of several requests a later
  /// one may be executed first. After a failure with ``RemoteFailure/concernsAll`` the unsent changes get the same
  /// failure with `mayHaveActed` false.
  func send(_ changes: [RemoteChange], starting: ([Int]) -> [Int], settle: ([SettledChange]) -> Bool)
  /// Reads the record, also if it is deleted; nil if the server has none.
  func read(_ id: RecordID, in table: String) throws(RemoteFailure) -> Record?
  /// Reads one page of a list: the first one, or the one at a link from an earlier page. If `verifying`, the
  /// server counts its rows again instead of using the figures that it keeps; a server may ignore that.
  func page(_ query: TableQuery, at link: PageLink?, verifying: Bool) throws(RemoteFailure) -> RemotePage
  /// Asks the server for its database and accepts the answer, even if another one was known; nil if it does not say.
  /// `changes` is the number of changes that are sent next: connections for them may open meanwhile.
  func identify(_ table: String, before changes: Int) throws(RemoteFailure) -> String?
  /// Sets the newest `updatedAt` that this device has read from the server; nil for none. A server with epochs then
  /// refuses changes with `otherEpoch` if it never reached that moment. Other servers ignore it.
  func expect(_ reached: Timestamp?)
  /// Looks for a newer sign-in, and uses it from then on. Returns true if there is one. If it may be of anybody,
  /// ``user`` may be another afterwards: only before a sync, which then finds out whose list it is. Throws
  /// ``RemoteFailure/Reason/noSignIn`` if there is none without which the server must not be asked.
  func renewSignIn(of user: SignInUser) throws(RemoteFailure) -> Bool
  /// Ends the requests under way with a failure. Can be called from any thread.
  func interrupt()
  /// Opens a connection by which the server says how far a table has come; nil if it is known to offer none. Returns at
  /// once. `receive` is called on a thread of the connection, or before this returns. Can be called from any thread.
  func listen(to table: String, _ receive: @escaping @Sendable (NoticeEvent) -> Void) -> (any NoticeConnection)?
}

/// Whose sign-in may be taken in place of the one in use.
package enum SignInUser: Sendable, Hashable {
  case sameUser
  case anybody
}

/// The outcome of one of several changes. `index` is its place among them.
package struct SettledChange: Sendable, Hashable {
  package var index: Int
  package var outcome: Result<RemoteAnswer, RemoteFailure>
  /// The effect of the whole request on the table; nil if the server did not say. The same for each of its changes.
  package var move: ListMove?

  package init(index: Int, outcome: Result<RemoteAnswer, RemoteFailure>, move: ListMove? = nil) {
    self.index = index
    self.outcome = outcome
    self.move = move
  }

  /// The same outcome at another place.
  package func at(_ index: Int) -> SettledChange { SettledChange(index: index, outcome: outcome, move: move) }
}

extension RemoteTable {
  package var user: String { "" }
  package var protocolVersion: ProtocolVersion? { knowledge.protocolVersion }

  package func identify(_ table: String, before changes: Int) throws(RemoteFailure) -> String? { nil }
  package func identify(_ table: String) throws(RemoteFailure) -> String? { try identify(table, before: 0) }
  package func interrupt() {}
  package func listen(
    to table: String, _ receive: @escaping @Sendable (NoticeEvent) -> Void
  ) -> (any NoticeConnection)? { nil }
  package func expect(_ reached: Timestamp?) {}
  package func renewSignIn(of user: SignInUser) throws(RemoteFailure) -> Bool { false }

  /// Sends changes of different records and returns their outcomes in the same order.
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

/// A remote table that forwards to another one each call that it does not implement.
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
  package func identify(_ table: String, before changes: Int) throws(RemoteFailure) -> String? {
    try base.identify(table, before: changes)
  }
  package func renewSignIn(of user: SignInUser) throws(RemoteFailure) -> Bool { try base.renewSignIn(of: user) }
  package func interrupt() { base.interrupt() }
  package func listen(
    to table: String, _ receive: @escaping @Sendable (NoticeEvent) -> Void
  ) -> (any NoticeConnection)? { base.listen(to: table, receive) }
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

/// A change of one record on the server.
///
/// It is indirect, as its answer is: a push hands thousands of them on, and a copy shares the record.
package indirect enum RemoteChange: Sendable, Hashable {
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
package indirect enum RemoteAnswer: Sendable, Hashable {
  /// The server made the change. Holds the stored record; nil after a delete if the answer has no record.
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
