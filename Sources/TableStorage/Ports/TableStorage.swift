package import TableProtocol
import TableSQL

/// A database that a table server stands on: lists of rows, changed in transactions.
///
/// Everything above this port is the same over every database: preconditions, moments, versions, digests and answers
/// are decided by values of the server, in its folder `Rules`. A storage keeps rows, and keeps two promises:
///
/// - The transactions that write a list follow one another, and each sees what those before it wrote. So the rows of a
///   list become visible in the order of their `updatedAt` (wire 11.2).
/// - What ``write(_:_:)`` returned is on the disk (wire 11.11).
///
/// A list that nothing was written to is there, and empty; the database has no trace of it. Lists share only the
/// database and its epoch: a change of one is not visible in another.
///
/// `StorageContract` in the tests says the rest, and runs over every storage.
package protocol TableStorage: Sendable {
  /// Which database this is, for as long as it exists.
  var identity: DatabaseIdentity { get }

  /// The lists that were written to, and the list of to-do items of those who need not sign in.
  func lists() async throws -> [ListID]

  /// Throws if lists or their items can't be read now.
  func checkReady() async throws

  /// Those of them that are the owner's.
  func lists(of owner: UserName?) async throws -> [ListID]

  /// Runs `body` in one state of the list, in which nothing changes until it returns. `mayBeLong` is true for queries
  /// whose conditions somebody else has made: they never run on the thread that asks.
  func read<Value: Sendable>(
    _ list: ListID, mayBeLong: Bool, _ body: @escaping @Sendable (any StoredList) throws -> Value
  ) async throws -> Value

  /// Runs `body` in one transaction on these lists, alone among the writers of each. It is durable when this returns,
  /// and undone if `body` throws, in all of the lists. `body` gets them in this order; none is named twice.
  ///
  /// `body` may run more than once, since a database may refuse a commit and ask for a repetition: it changes nothing
  /// but the lists. It waits for nothing, and sends no request.
  func write<Value: Sendable>(
    _ lists: [ListID], _ body: @escaping @Sendable ([any EditableList]) throws -> Value
  ) async throws -> Value

  /// Hints that lists were written to, from now on until the storage is closed; each who asks gets a stream. None comes
  /// before what it is about can be read. One may be lost, and one may come twice: it says where to look, not what
  /// happened.
  var moves: AsyncStream<ListNotice> { get }

  /// Says that the database was replaced by an older copy: begins its next epoch, which each list goes on in from the
  /// rows that are there, and returns it as the oldest list has it. Writes from now on are later than `now`.
  /// `nonce` is a text without a comma that no epoch had before: the new one says nothing of those before it. Blocks.
  func raiseEpoch(now: Timestamp, nonce: String) throws -> DatabaseEpoch

  func close() throws
}

extension TableStorage {
  package func checkReady() async throws { _ = try await lists() }

  /// For queries that are over at once.
  package func read<Value: Sendable>(
    _ list: ListID, _ body: @escaping @Sendable (any StoredList) throws -> Value
  ) async throws -> Value {
    try await read(list, mayBeLong: false, body)
  }

  /// The same on one list.
  package func write<Value: Sendable>(
    _ list: ListID, _ body: @escaping @Sendable (any EditableList) throws -> Value
  ) async throws -> Value {
    try await write([list]) { try body($0[0]) }
  }
}

/// One list, in one state. Not to be kept longer than the closure that it is given to.
package protocol StoredList: AnyObject {
  var id: ListID { get }

  /// True until something is written to the list.
  var isNew: Bool { get }

  /// True once the database has given out a token or an invitation: with the first one, the lists that those had who
  /// need not sign in went to its user. In a transaction that begins a list, nobody gives out the first one until it
  /// ends.
  func wereTokensGiven() throws -> Bool

  /// False if the list has an owner who has neither a token nor an invitation that was not taken back. In a transaction
  /// that begins a list, that stays so until it ends.
  func isOwnerAdmitted() throws -> Bool

  /// The columns of the list. A transaction that adds some sees them at once.
  var schema: TableSchema { get }

  /// The state of the list as a whole.
  func state() throws -> ListState

  /// The row of that id, a tombstone too; nil if there is none. Throws `StorageError.damagedRow`.
  func row(_ id: RecordID) throws -> Record?

  /// Gives `body` the rows of the query, in their order, until it returns false. Throws `QueryError` for a query that
  /// can't be asked, `StorageError.damagedRow` for a row that can't be read.
  func forEachRow(of query: ListQuery, _ body: (ListedRow) throws -> Bool) throws

  /// How many rows match, whatever place and limit the query has.
  func count(of query: ListQuery) throws -> Int

  /// Looks at every row.
  func check() throws -> ListCheck
}

/// The same list, to be changed.
package protocol EditableList: StoredList {
  /// How many other lists the owner of this one has that were written to, in this transaction too.
  func otherListsOfOwner() throws -> Int

  /// The time of the clock that all writers to the database share; nil if there is none but the machine's.
  var now: Timestamp? { get }

  /// Says which rows this transaction will ask for, so that a storage for which each question is a way of its own may
  /// bring them together. Any other need not ask for the ids.
  func prepare(_ ids: () -> [RecordID]) throws

  /// Adds columns, after those that are there.
  func add(_ columns: [TableColumn]) throws

  /// Adds a row whose id is not there yet.
  func insert(_ row: Record) throws

  /// Puts the row in the place of the one with its id.
  func update(_ row: Record) throws

  /// Keeps the last moment that was given to a row, and the digest of the rows that are not deleted.
  func save(lastMoment: Timestamp, digest: TableDigest) throws

  /// The answer that was kept under the id; nil if there is none.
  func answer(_ id: String) throws -> KeptAnswer?

  /// Keeps an answer under its id, which has none.
  func keep(_ answer: KeptAnswer) throws

  /// Drops the answers to requests that were first sent at `moment` or before, and the oldest of those that are more
  /// than `most`, or whose bodies are more than so many bytes together with the younger ones.
  func dropAnswers(upTo moment: Timestamp, most: Int, bytes: Int?) throws

  /// The latest moment at which a request was first sent whose answer was dropped; nil if none was.
  func answersKeptAfter() throws -> Timestamp?

  /// The tombstones among the first `most` rows that are later than `start` and not later than `end`, by `updatedAt`.
  /// One whose id can't be read is left out.
  func tombstones(after start: Timestamp, upTo end: Timestamp, among most: Int) throws -> TombstonePart

  /// Removes these rows, and keeps up to which moment tombstones are gone (``ListState/tombstonesAfter``).
  func removeTombstones(_ part: TombstonePart) throws

  /// Runs `body`, and undoes what it wrote if it throws or says that this is not to be kept.
  func part<Value>(_ body: () throws -> (Value, isKept: Bool)) throws -> Value

  /// Looks at every row, and corrects what is kept of them.
  func repair() throws -> ListCheck
}

extension EditableList {
  package var now: Timestamp? { nil }

  package func prepare(_ ids: () -> [RecordID]) throws {}
}

/// All that a server keeps: lists, tokens, and under which names clients know the columns of to-do items.
package protocol ServerStorage: TableStorage, AccessStorage, KeeperStorage {
  /// The other names of columns that the database is served with. Blocks, as the next does.
  func aliases() throws -> ColumnNames

  func keep(_ aliases: ColumnNames) throws

  /// True if the check of all rows at the start reads a snapshot, so that the clients of other servers need not wait
  /// for it.
  var checksSnapshot: Bool { get }

  /// Prepares the database for a server. Called once, before the first client is let in. Throws if something that an
  /// earlier server wrote is missing. May check indexes, which no other check at the start reads.
  func beginServing() async throws
}

/// A writer that waits for a transaction, which it may share with others. `List` is a list as its storage has it.
struct WriteJob<List: EditableList & SendableMetatype>: Sendable {
  let lists: [ListID]
  /// Does its work, and returns what says so to the writer, once that is committed. May be called again.
  let run: @Sendable ([List]) throws -> @Sendable () -> Void
  /// Says to the writer why it failed. Either this or what ``run`` returned is called, and once.
  let fail: @Sendable (any Error) -> Void

  /// Hands a job to `queue`, and returns what `body` returned when it is committed.
  static func wait<Value: Sendable>(
    for lists: [ListID], _ body: @escaping @Sendable ([any EditableList]) throws -> Value,
    queue: (WriteJob) -> Void
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      let job = WriteJob(lists: lists) { lists in
        let value = try body(lists)
        return { continuation.resume(returning: value) }
      } fail: {
        continuation.resume(throwing: $0)
      }
      queue(job)
    }
  }
}

/// Why a storage could not do what it was asked for. It holds no text of a row and no SQL, so that it may be logged.
package enum StorageError: Error, Hashable, Sendable {
  /// The stored row has a value in this column that does not fit it. `id` is nil if that can't be read either.
  case damagedRow(id: RecordID?, column: String)
  /// Other programs use the database; it may be free again in a moment.
  case busy
  /// It waited for its turn for too long: those before it are slow, or the database stands still.
  case waitedTooLong
  /// There is no room left on the disk.
  case full
  /// Reading took longer than a request may.
  case tooSlow
  /// A condition makes a value that is larger than any may be.
  case valueTooLarge
  /// The task was cancelled.
  case interrupted
  /// The file of the database was removed, or another one is in its place: what is written would be lost.
  case fileGone
  /// The server of the database can't be reached, or was stopped under way: nothing was written. It may be back in a
  /// moment. The text names the cause, for the log.
  case unreachable(String)
  /// The database did not answer a commit, and nobody knows whether it was done.
  case outcomeUnknown
  /// The database refused this one request, as over a damaged page. The text names the cause, for the log.
  case refused(String)
  /// The database does not let the server's user do what was asked for.
  case notAllowed
  /// The database can't be read or written. The text names the cause, for the log.
  case failed(String)

  /// True for a failure that is about one request, and leaves a transaction unchanged. The others would meet every
  /// request.
  package var isAboutOneRequest: Bool {
    switch self {
    case .damagedRow, .tooSlow, .valueTooLarge, .refused: true
    case .busy, .waitedTooLong, .full, .interrupted, .fileGone, .unreachable, .outcomeUnknown, .notAllowed,
      .failed:
      false
    }
  }

  /// The cause in a few words, for the log and within a sentence. Has no value of a row.
  var reason: String {
    switch self {
    case .damagedRow(let id?, let column): "the row \(id.text) is damaged in \(column)"
    case .damagedRow(nil, _): "the id of a row is damaged"
    case .busy: "another program uses it"
    case .waitedTooLong: "others kept it busy for too long"
    case .full: "no room is left on the disk"
    case .tooSlow: "it took too long to answer"
    case .valueTooLarge: "a value is too large"
    case .interrupted: "the task was cancelled"
    case .fileGone: "its file was removed or replaced"
    case .outcomeUnknown: "it is not known whether the commit was done"
    case .notAllowed: "the user may not do that"
    case .unreachable(let words), .refused(let words), .failed(let words): words
    }
  }
}
