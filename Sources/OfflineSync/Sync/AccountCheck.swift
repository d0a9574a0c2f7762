import TableProtocol

/// Checks, before anything is sent, that the configured account owns the list in the store (sync-rules Q26).
struct AccountCheck {
  let store: any LocalStore
  let remote: any RemoteTable
  let environment: Environment
  /// The tables that are synced.
  let tables: [String]
  let settings: PullSettings

  private var current: Account { Account(remote) }

  /// Left behind by a change of the account that was carried out.
  struct Change {
    /// The number of deletions that waited for the former account. They are not sent to the new one.
    var droppedDeletions = 0
  }

  /// Throws `OtherAccount` if another account owns the list and `change` does not say what to do. Returns nil if
  /// `change` was not carried out.
  func pass(_ change: AccountChange?) throws -> Change? {
    switch try state(announced: nil) {
    case .unowned:
      try passUnowned()
      return nil
    case .own where change == nil:
      return nil
    case .other(let other) where change == nil:
      return try pass(nil, askedState(of: other))
    case .own, .moved, .other:
      return try pass(change, state(announced: identity()))
    }
  }

  private func pass(_ change: AccountChange?, _ state: AccountState) throws -> Change? {
    switch state {
    case .unowned, .own:
      try becomeOwner(changing: nil)
      return nil
    case .moved:
      try becomeOwner(changing: nil)
      // A list whose server moved is the same, whoever notices it.
      return change == .sameList ? Change() : nil
    case .other(let other):
      guard let change else { throw other }
      return try becomeOwner(changing: change)
    }
  }

  /// If nothing has to be sent, the first page makes the account the owner. An address that leads nowhere never does.
  private func passUnowned() throws {
    let changes = try store.read { try $0.operationCount() }
    guard changes > 0 else {
      // The server may have another database than the one it announced last.
      if remote.knowledge.database != nil { _ = try identity() }
      return
    }
    // The first change that is marked as sent makes it the owner.
    _ = try identity(before: changes)
  }

  /// Throws `OtherAccount` if another account owns the list. Changes nothing.
  func requireOwner() throws {
    guard case .other(let other) = try state(announced: nil) else { return }
    if case .other(let other) = try askedState(of: other) { throw other }
  }

  /// Asks the server, if it may be that it has moved to another address or that another token is of the same user.
  private func askedState(of other: OtherAccount) throws -> AccountState {
    let mayBeOwn = other.owner.isSameUser(as: current) || other.owner.name != nil
    if mayBeOwn, try database(of: other.owner) != nil { return try state(announced: identity()) }
    // If the server does not know the token at all, that is the error to report.
    if other.owner.server == current.server { _ = try identity() }
    return .other(other)
  }

  /// Returns the error for a server that has another database than this list was synced with.
  func other() throws -> OtherAccount {
    try store.read { store in
      OtherAccount(owner: current, current: current, pending: try store.changedItemCount(in: nil))
    }
  }

  private func state(announced: String?) throws -> AccountState {
    try store.read { try AccountState(of: $0, for: remote, announced: announced) }
  }

  /// `changes` is the number of changes that are sent next.
  private func identity(before changes: Int = 0) throws -> String? {
    try remote.identify(tables.first ?? "", before: changes)
  }

  private func database(of owner: Account) throws -> String? {
    try store.read { try $0.fact(SyncFact.database(of: owner.server)) }
  }

  /// Makes the configured account the owner and changes the list as `change` says, in one transaction.
  @discardableResult
  private func becomeOwner(changing change: AccountChange?) throws -> Change {
    try store.write { store in
      var done = Change()
      switch change {
      case nil: try keepEpoch(in: store)
      case .sameList:
        for table in tables {
          guard let last = try lastPullElsewhere(of: table, in: store) else { continue }
          try store.meetOtherDatabase(table, lastPull: last)
        }
        try Self.forgetServer(tables, in: store)
        try store.removeFact(SyncFact.epoch(of: current.server))
        for table in tables { try store.voidVersions(of: table, environment) }
      case .takeAlong:
        try Self.forgetServer(tables, in: store)
        try store.removeFact(SyncFact.epoch(of: current.server))
        for table in tables {
          done.droppedDeletions += try store.takeAlong(table, environment)
          try store.forgetOtherDatabase(of: table)
        }
        try store.setFact(SyncFact.takenAlong, String(try Account.timesTakenAlong(store) + 1))
      }
      try Account.setFirstOwner(of: store, for: remote, now: environment.now())
      try current.becomeOwner(of: store)
      try remote.knowledge.remember(of: remote.server, in: store, now: environment.now())
      return done
    }
  }

  /// Forgets a move to another database whose comparison has been due for too long. A row that is missing there may
  /// have been deleted by now, and its tombstone be gone.
  func forgetOldMove() throws {
    let old = try store.read { store in
      try tables.filter { table in
        guard let last = try store.fact(SyncFact.otherDatabase(of: table)) else { return false }
        return Timestamp(last).map { settings.mayMissTombstones(since: $0, now: environment.now()) } ?? true
      }
    }
    if !old.isEmpty { try store.write { store in for table in old { try store.forgetOtherDatabase(of: table) } } }
  }

  /// Returns the time of a table's last pull if the server has another database than the one that it was synced with.
  /// Rows that this one lacks were not deleted there, so they wait to be sent. Returns nil after a time that is longer
  /// than tombstones are kept: the list may have been copied when deletions were already forgotten.
  private func lastPullElsewhere(of table: String, in store: any StoreReader) throws -> Timestamp? {
    guard let last = try lastPull(of: table, in: store),
      !settings.mayMissTombstones(since: last, now: environment.now())
    else { return nil }
    guard let announced = remote.knowledge.database, let owner = try Account.owner(of: store) else { return nil }
    return try store.fact(SyncFact.database(of: owner.server)) == announced ? nil : last
  }

  /// The time of a table's last pull, by this program or an older one; nil if the store was never synced.
  ///
  /// An older program that uses the store too saves one time for all tables, and moves none of those by query. So a
  /// time of the store that is later than those of all tables is of such a program, and holds for each of them.
  private func lastPull(of table: String, in store: any StoreReader) throws -> Timestamp? {
    let known = try tables.compactMap { try PullHistory(of: $0, in: store).newestPull }.max()
    if let last = try store.fact(SyncFact.lastPull).flatMap({ Timestamp($0) }), known.map({ last > $0 }) ?? true {
      return last
    }
    return try PullHistory(of: table, in: store).newestPull
  }

  /// Copies the known epoch to the new address of a server that moved: its database is the same.
  private func keepEpoch(in store: any StoreWriter) throws {
    guard let owner = try Account.owner(of: store), owner.server != current.server else { return }
    if let epoch = try store.fact(SyncFact.epoch(of: owner.server)) {
      try store.setFact(SyncFact.epoch(of: current.server), epoch)
    }
  }

  private static func forgetServer(_ tables: [String], in store: any StoreWriter) throws {
    for table in tables {
      try store.clear(.deltaTokens, of: table)
      try store.removeFact(SyncFact.agreement(on: table))
      try store.removeFact(SyncFact.restoration(of: table))
      try store.removeFact(SyncFact.pulls(of: table))
    }
    for fact in [SyncFact.lastPush, SyncFact.lastPull, SyncFact.earlierPull, SyncFact.requiredComparison] {
      try store.removeFact(fact)
    }
  }
}

extension StoreWriter {
  /// Voids all versions of a table, so that the next sync compares its rows with the server's, column by column: see
  /// ``TrackedRow/voidVersions()``.
  func voidVersions(of table: String, _ environment: Environment) throws {
    let changed = try operations(in: table).map(\.itemID)
    let ids = Set(try ids(beginning: "", in: table) + changed)
    let updates = try trackedRows(ids.sorted(), in: table).map { row in
      var voided = row
      voided.voidVersions()
      return RowUpdate(row, voided)
    }
    try RowStorage(table, in: self, environment).save(updates, .sync(environment.now()))
    try removeFact(SyncFact.agreement(on: table))
    try requireComparison(now: environment.now())
  }

  /// Takes a table along to another account: see ``TrackedRow/takeAlong()``. Its rows are sent in the order in which
  /// they were made. Returns how many deletions waited. They are dropped.
  func takeAlong(_ table: String, _ environment: Environment) throws -> Int {
    let now = environment.now()
    let changed = Set(try operations(in: table).map(\.itemID))
    let here = try idsInOrderOfCreation(of: table)
    let deleted = changed.subtracting(here).sorted()
    // The rows of one part are let go before the next is loaded.
    for part in (here + deleted).chunked(by: PullStoring.part) {
      let ids = Array(part)
      let rows = try removeVersions(of: ids, in: table)
      let operations = try operations(ofItems: ids.filter(changed.contains), in: table)
      let updates = try trackedRows(ids, rows: rows, operations: operations, in: table).map { row in
        var taken = row
        taken.takeAlong()
        return RowUpdate(row, taken)
      }
      try RowStorage(table, in: self, environment).save(updates, .person(now))
    }
    return deleted.count
  }

  /// Reads the ids alone: the rows of a long list need much memory.
  private func idsInOrderOfCreation(of table: String) throws -> [RecordID] {
    let order = [RowKey(.column(SystemColumn.createdAt)), RowKey(.column(SystemColumn.id))]
    var ids: [RecordID] = []
    try forEach(RowQuery(table: table, order: order), columns: []) { id, _ in ids.append(id) }
    return ids
  }

  /// Removes what the server maintains of these rows, but when they were made. Returns the rows. To merge them into the
  /// stored ones would keep the versions.
  private func removeVersions(of ids: [RecordID], in table: String) throws -> [RecordID: Record] {
    let rows = try records(ids, in: table).map { row in
      Record(id: row.id, values: row.values, system: SystemProperties(createdAt: row.system.createdAt))
    }
    try remove(rows.map(\.id), from: table)
    try upsert(rows, in: table)
    return Dictionary(rows.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
  }

  /// Removes all operations of a table and their errors. The rows stay unchanged.
  func removeOperations(of table: String) throws {
    for operation in try operations(in: table) {
      try removeOperation(operation.id)
      try removeError(of: operation.id)
    }
  }
}

/// Whether the configured server and user own the list in a store. Finding out changes nothing.
package enum AccountState: Sendable, Hashable {
  /// The store was never synced, or was emptied since.
  case unowned
  case own
  /// The server has another address than before. The next sync continues with it.
  case moved(from: String)
  /// Another account owns the list. A sync would send nothing, and ask.
  case other(OtherAccount)

  /// `announced` is the database that the server announced just now; nil if it announced none, or was not asked.
  /// Throws `StoreError`.
  package init(of store: any StoreReader, for remote: any RemoteTable, announced: String?) throws {
    let owner = try Account.owner(of: store)
    let known = try owner.flatMap { try store.fact(SyncFact.database(of: $0.server)) }
    self = try AccountState(
      owner: owner, current: Account(remote), known: known, announced: announced,
      pending: store.changedItemCount(in: nil))
  }

  /// Decides whose list it is (sync-rules Q26). `known` is the database that the owner's server had, `announced` that
  /// of the configured server; nil if it is unknown. If both are known they decide, and otherwise the addresses do. The
  /// name of a user counts within one database.
  init(
    owner: Account?, current: Account, known: String?, announced: String?, pending: @autoclosure () throws -> Int
  ) rethrows {
    guard let owner else {
      self = .unowned
      return
    }
    let isSameAddress = owner.server == current.server
    let isSamePlace = known == nil || announced == nil ? isSameAddress : known == announced
    let isSameName = known != nil && known == announced && owner.hasSameName(as: current)
    if isSamePlace, isSameName || owner.isSameUser(as: current) {
      self = isSameAddress ? .own : .moved(from: owner.server)
    } else {
      self = .other(OtherAccount(owner: owner, current: current, pending: try pending()))
    }
  }
}
