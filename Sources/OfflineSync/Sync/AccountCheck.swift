import TableProtocol

/// Checks, before anything is sent, that the configured account owns the list in the store (sync-rules Q26).
struct AccountCheck {
  let store: any LocalStore
  let remote: any RemoteTable
  let environment: Environment
  /// The tables that are synced.
  let tables: [String]

  private var current: Account { Account(remote) }

  /// Throws `OtherAccount` if another account owns the list and `change` does not say what to do. Returns true if
  /// `change` was carried out.
  func pass(_ change: AccountChange?) throws -> Bool {
    guard let owner = try store.read(Account.owner) else {
      // With nothing to send, the first page makes the account the owner. An address that leads nowhere never does.
      guard try store.read({ try $0.operationCount() }) > 0 else {
        // The server may have another database than the one it announced last.
        if remote.knowledge.database != nil { _ = try identity() }
        return false
      }
      _ = try identity()
      try becomeOwner(changing: nil)
      return false
    }
    if let change { return try pass(change, from: owner) }
    if owner.isSameUser(as: current) {
      if owner.server == current.server { return false }
      // A server that announces its database may move to another address.
      if let known = try database(of: owner), try identity() == known {
        try becomeOwner(changing: nil)
        return false
      }
    }
    throw try other(than: owner)
  }

  /// Throws `OtherAccount` if another account owns the list. Makes no request and changes nothing.
  func requireOwner() throws {
    guard let owner = try store.read(Account.owner) else { return }
    if owner.server != current.server || !owner.isSameUser(as: current) { throw try other(than: owner) }
  }

  /// Returns the error for a server that has another database than this list was synced with.
  func other(than owner: Account? = nil) throws -> OtherAccount {
    try store.read { store in
      OtherAccount(owner: owner ?? current, current: current, pending: try store.operationCount())
    }
  }

  private func pass(_ change: AccountChange, from owner: Account) throws -> Bool {
    let known = try database(of: owner)
    let announced = try identity()
    let isSamePlace = announced == nil || known == nil ? owner.server == current.server : announced == known
    let isOwn = owner.isSameUser(as: current) && isSamePlace
    try becomeOwner(changing: isOwn ? nil : change)
    // A list whose server moved is the same, whoever notices it.
    return !isOwn || (change == .sameList && owner.server != current.server)
  }

  private func identity() throws -> String? { try remote.identify(tables.first ?? "") }

  private func database(of owner: Account) throws -> String? {
    try store.read { try $0.fact(SyncFact.database(of: owner.server)) }
  }

  /// Makes the configured account the owner and changes the list as `change` says, in one transaction.
  private func becomeOwner(changing change: AccountChange?) throws {
    try store.write { store in
      switch change {
      case nil: try keepEpoch(in: store)
      case .sameList:
        try Self.forgetServer(tables, in: store)
        try store.removeFact(SyncFact.epoch(of: current.server))
        for table in tables { try store.doubtVersions(of: table, environment) }
      case .takeAlong:
        try Self.forgetServer(tables, in: store)
        try store.removeFact(SyncFact.epoch(of: current.server))
        for table in tables { try Self.makeNew(table, in: store) }
        try store.setFact(SyncFact.takenAlong, String(try Account.timesTakenAlong(store) + 1))
      }
      try Account.setFirstOwner(of: store, for: remote, now: environment.now())
      try current.becomeOwner(of: store)
      try remote.knowledge.remember(of: remote.server, in: store, now: environment.now())
    }
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
    }
    try store.removeFact(SyncFact.lastPush)
    try store.removeFact(SyncFact.lastPull)
    try store.removeFact(SyncFact.mustCompare)
  }

  /// Removes the system properties of the server from the rows of a table. Returns the rows in the order of creation.
  private static func strip(_ table: String, in store: any StoreWriter) throws -> [Record] {
    let order = [SortKey(SystemColumn.createdAt)]
    let rows = try store.records(TableQuery(table: table, order: order)).records.map { row in
      Record(id: row.id, values: row.values, system: SystemProperties(createdAt: row.system.createdAt))
    }
    try store.remove(rows.map(\.id), from: table)
    try store.upsert(rows, in: table)
    return rows
  }

  /// Makes every row one that no server has yet, with the columns it has here. Pending changes and conflicts are
  /// dropped: they were about rows of the old server.
  private static func makeNew(_ table: String, in store: any StoreWriter) throws {
    try store.removeOperations(of: table)
    for row in try strip(table, in: store) {
      // Another device may send the same list: then the new server has the id already.
      var tracked = TrackedRow(id: row.id, local: row.values, createdAt: row.system.createdAt)
      tracked.takeAlong()
      for operation in StoredRow.operations(of: tracked, in: table) { try store.append(operation) }
    }
  }
}

extension StoreWriter {
  /// Voids all versions of a table, so that the next sync compares its rows with the server's, column by column: see
  /// ``TrackedRow/doubtVersions()``.
  func doubtVersions(of table: String, _ environment: Environment) throws {
    let changed = try operations(in: table).map(\.itemID)
    let ids = Set(try ids(beginning: "", in: table) + changed)
    let updates = try trackedRows(ids.sorted(), in: table).map { row in
      var doubted = row
      doubted.doubtVersions()
      return RowUpdate(row, doubted)
    }
    try RowStorage(table, in: self, environment).save(updates, .sync(environment.now()))
    try removeFact(SyncFact.agreement(on: table))
    try setFact(SyncFact.mustCompare, "1")
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

  /// `announced` is the database that the server announced just now; nil if it announced none, or did not answer.
  /// Throws `StoreError`.
  package init(of store: any StoreReader, for remote: any RemoteTable, announced: String?) throws {
    guard let owner = try Account.owner(of: store) else {
      self = .unowned
      return
    }
    let current = Account(remote)
    let known = try store.fact(SyncFact.database(of: owner.server))
    let isOtherDatabase = announced != nil && known != nil && announced != known
    if owner.isSameUser(as: current), owner.server == current.server, !isOtherDatabase {
      self = .own
    } else if owner.isSameUser(as: current), owner.server != current.server, announced != nil, announced == known {
      self = .moved(from: owner.server)
    } else {
      self = .other(OtherAccount(owner: owner, current: current, pending: try store.operationCount()))
    }
  }
}
