import TableProtocol

/// Makes sure, before anything is sent, that the store holds the list of the account that is configured.
struct AccountCheck {
  let store: any LocalStore
  let remote: any RemoteTable
  let environment: Environment
  /// The tables that are synced.
  let tables: [String]

  private var current: Account { Account(remote) }

  /// Throws `OtherAccount`, unless it was said what is to be done then.
  func pass(_ change: AccountChange?) throws {
    guard let owner = try store.read(Account.owner) else {
      // With nothing to send, the store is claimed with the first page; an address that leads nowhere claims nothing.
      guard try store.read({ try $0.operationCount() }) > 0 else {
        // The server may have another database than when it was last heard.
        if remote.knowledge.database != nil { _ = try identity() }
        return
      }
      _ = try identity()
      return try take(possession: nil)
    }
    if let change { return try pass(change, from: owner) }
    if owner.isSameUser(as: current) {
      if owner.server == current.server { return }
      // A server that says who it is may move.
      if let known = try database(of: owner), try identity() == known { return try take(possession: nil) }
    }
    throw try other(than: owner)
  }

  /// Throws `OtherAccount`. Changes nothing, and asks nothing of the server.
  func requireOwner() throws {
    guard let owner = try store.read(Account.owner) else { return }
    if owner.server != current.server || !owner.isSameUser(as: current) { throw try other(than: owner) }
  }

  /// The server has another database than the one this list was synced with.
  func other(than owner: Account? = nil) throws -> OtherAccount {
    try store.read { store in
      OtherAccount(owner: owner ?? current, current: current, pending: try store.operationCount())
    }
  }

  private func pass(_ change: AccountChange, from owner: Account) throws {
    let known = try database(of: owner)
    let announced = try identity()
    let isSamePlace = announced == nil || known == nil ? owner.server == current.server : announced == known
    try take(possession: owner.isSameUser(as: current) && isSamePlace ? nil : change)
  }

  private func identity() throws -> String? { try remote.identify(tables.first ?? "") }

  private func database(of owner: Account) throws -> String? {
    try store.read { try $0.fact(SyncFact.database(of: owner.server)) }
  }

  /// The configured account becomes the owner, in one transaction with what that means for the list.
  private func take(possession change: AccountChange?) throws {
    try store.write { store in
      switch change {
      case nil: try keepEpoch(in: store)
      case .sameList:
        try Self.forgetServer(tables, in: store)
        try store.removeFact(SyncFact.epoch(of: current.server))
        for table in tables { try Self.doubtVersions(of: table, in: store) }
        try store.setFact(SyncFact.mustCompare, current.server)
      case .takeAlong:
        try Self.forgetServer(tables, in: store)
        try store.removeFact(SyncFact.epoch(of: current.server))
        for table in tables { try Self.makeNew(table, in: store) }
      }
      try Account.claim(store, for: remote, now: environment.now())
      try current.becomeOwner(of: store)
      try remote.knowledge.remember(of: remote.server, in: store, now: environment.now())
    }
  }

  /// A server that moved has the same database: what was known of its epoch holds at the new address.
  private func keepEpoch(in store: any StoreWriter) throws {
    guard let owner = try Account.owner(of: store), owner.server != current.server else { return }
    if let epoch = try store.fact(SyncFact.epoch(of: owner.server)) {
      try store.setFact(SyncFact.epoch(of: current.server), epoch)
    }
  }

  private static func forgetServer(_ tables: [String], in store: any StoreWriter) throws {
    for table in tables {
      try store.removeDeltaTokens(of: table)
      try store.removeFact(SyncFact.agreement(on: table))
    }
    try store.removeFact(SyncFact.lastPush)
    try store.removeFact(SyncFact.lastPull)
    try store.removeFact(SyncFact.mustCompare)
  }

  /// Another server may give the same version to other content: none is believed any more, and no change goes
  /// out as one of a version this server could have.
  private static func doubtVersions(of table: String, in store: any StoreWriter) throws {
    let rows = try store.records(TableQuery(table: table)).records.filter { $0.system.version != nil }
    try store.upsert(
      rows.map { row in
        var system = row.system
        system.version = TrackedRow.voidVersion
        return Record(id: row.id, values: [:], system: system)
      }, in: table)
    for operation in try store.operations(after: 0, limit: .max) where operation.table == table {
      guard operation.base?.system.version != nil else { continue }
      var changed = operation
      changed.base?.system.version = TrackedRow.voidVersion
      try store.replace(changed)
    }
    for error in try store.operationErrors() where error.table == table {
      guard error.serverItem?.system.version != nil else { continue }
      var changed = error
      changed.serverItem?.system.version = TrackedRow.voidVersion
      try store.save(changed)
    }
  }

  /// Gives the rows of a table without what a server said of them, in the order they were made.
  private static func strip(_ table: String, in store: any StoreWriter) throws -> [Record] {
    let order = [SortKey(SystemColumn.createdAt)]
    let rows = try store.records(TableQuery(table: table, order: order)).records.map { row in
      Record(id: row.id, values: row.values, system: SystemProperties(createdAt: row.system.createdAt))
    }
    try store.remove(rows.map(\.id), from: table)
    try store.upsert(rows, in: table)
    return rows
  }

  /// Every row becomes one that no server has yet. What waited, or was to be decided, was about rows of the
  /// old server; what the rows hold here is what goes along.
  private static func makeNew(_ table: String, in store: any StoreWriter) throws {
    try store.removeOperations(of: table)
    try store.removeShadows(of: table)
    for row in try strip(table, in: store) {
      // Another device may take the same list along: the new server may know the id, from somebody else.
      var tracked = TrackedRow(id: RecordID(row.id), local: row.values, createdAt: row.system.createdAt)
      tracked.takeAlong()
      for operation in StoredRow.operations(of: tracked, in: table) { try store.append(operation) }
    }
  }
}

extension StoreWriter {
  /// Drops all operations of a table with their errors. Their rows stay as they are.
  func removeOperations(of table: String) throws {
    for operation in try operations(after: 0, limit: .max) where operation.table == table {
      try removeOperation(operation.id)
      try removeError(of: operation.id)
    }
  }
}
