import FoundationEssentials
package import TableProtocol
import TableSQL

/// Takes a server's database over into another storage: from a file into PostgreSQL, or back. No server may run on
/// either.
///
/// It stays the same database, so that devices notice nothing. The one it comes from is not changed.
package struct DatabaseMove {
  /// Rows that are written together.
  private static let rowsTogether = 1_000

  private let source: DatabaseLocation
  private let target: DatabaseLocation
  private let clock: @Sendable () -> Timestamp
  /// By which others know this move.
  private let nonce = UUID().uuidString

  /// A path or a URL each.
  package init(from source: String, to target: String, clock: @escaping @Sendable () -> Timestamp) {
    self.source = DatabaseLocation(source)
    self.target = DatabaseLocation(target)
    self.clock = clock
  }

  /// Moves everything, then compares both. Returns what is in the new one; the findings are about tokens that are
  /// damaged in the old one, and were not moved. Throws if the new one has something in it already, if they are not
  /// the same in the end, or if somebody wrote to the old one meanwhile: then the new one is empty, or not to be used.
  /// A file is at its place only after this was done.
  package func run() async throws(ServerDatabaseError) -> DatabaseReport {
    let place = target.path.map { ServerDatabase(path: $0).path }
    try await failing(at: target) { if let place { try MovedFile.check(source: source.path, target: place) } }
    let from = try await reading {
      if let path = source.path { try checkNotServed(path) }
      return try source.open(move: nonce)
    }
    defer { try? from.close() }
    let hold = try await reading { try source.path.map(HeldDatabase.init) }
    defer { hold?.end() }
    let moved = try await reading {
      try from.refuseOthers()
      let content = try await content(of: from)
      // A server on a database without tokens lets everybody in.
      guard content.tokens.damaged.isEmpty || !content.tokens.sound.isEmpty else {
        throw ServerDatabaseError.move(.noSoundToken(database: source.shown))
      }
      return content
    }
    return try await failing(at: target) {
      guard let place else { return try await moveIntoServer(moved, from: from) }
      try checkNotServed(place)
      return try await MovedFile(place: place).make {
        try await fill($0, with: moved, from: from)
      } confirm: {
        try await confirm(moved, in: from)
      }
    }
  }

  private func moveIntoServer(_ moved: MovedDatabase, from: any MovableStorage) async throws -> DatabaseReport {
    let to = try target.open(makesDatabase: true, move: nonce)
    defer { try? to.close() }
    try to.claim()
    do {
      let report = try await fill(to, with: moved, from: from)
      try await confirm(moved, in: from)
      try to.markMoveFinished()
      return report
    } catch {
      to.giveUpMove()
      throw error
    }
  }

  private func fill(
    _ to: any MovableStorage, with moved: MovedDatabase, from: any MovableStorage
  ) async throws -> DatabaseReport {
    try to.begin(moved)
    for list in moved.lists { try await move(list, from: from, to: to) }
    try to.finish(moved)
    return try await compare(moved, from: from, to: to)
  }

  /// Throws if somebody wrote to the old database since it was read, or may do so now.
  private func confirm(_ moved: MovedDatabase, in from: any MovableStorage) async throws {
    try await reading {
      try from.refuseOthers()
      guard try await content(of: from).isSame(as: moved) else {
        throw ServerDatabaseError.move(.sourceChanged(database: source.shown))
      }
    }
  }

  /// Throws failures as those of the old database, not the new one.
  private func reading<Value>(_ body: () async throws -> Value) async throws(ServerDatabaseError) -> Value {
    try await failing(at: source, body)
  }

  private func failing<Value>(
    at place: DatabaseLocation, _ body: () async throws -> Value
  ) async throws(ServerDatabaseError) -> Value {
    do {
      return try await body()
    } catch {
      throw ServerDatabaseError(move: error, at: place)
    }
  }

  /// Throws if a program has the file open.
  private func checkNotServed(_ path: String) throws {
    if try DatabaseHeader.check(path: path) { try DatabaseReplacement.checkUnused(path) }
  }

  private func content(of storage: any MovableStorage) async throws -> MovedDatabase {
    var lists: [MovedDatabase.List] = []
    for list in try await storage.lists() {
      lists.append(
        try await storage.read(list) {
          MovedDatabase.List(list: list, columns: $0.schema.columns, state: try $0.state())
        })
    }
    // As somebody has it who never had a list: nobody can have this name.
    let nobody = ListID(.todoItem, owner: UserName("\u{7E}nobody\u{7E}"))
    return MovedDatabase(
      identity: storage.identity, epoch: try await storage.read(nobody) { try $0.state().epoch },
      aliases: try storage.aliases(), address: try storage.address(), lists: lists, tokens: try storage.allTokens(),
      answersKeptAfter: clock())
  }

  private func move(
    _ list: MovedDatabase.List, from: any MovableStorage, to: any MovableStorage
  ) async throws {
    var place: [FieldValue]?
    var isFirst = true
    repeat {
      let rows = try await reading { [place] in try await Self.rows(of: list.list, in: from, after: place) }
      place = rows.last.map { [.integer($0.updatedAt.milliseconds), .text($0.id.text)] }
      guard !rows.isEmpty || isFirst && list.list != ListID(.todoItem) else { return }
      let (columns, isAtBeginning) = (list.columns, isFirst)
      try await to.write(list.list) { target in
        if isAtBeginning { try target.add(Array(columns.dropFirst(target.schema.columns.count))) }
        for row in rows { try target.insert(row.storedRecord(columns)) }
        try target.save(lastMoment: list.state.lastMoment, digest: list.state.digest)
      }
      isFirst = false
    } while place != nil
  }

  private static func rows(
    of list: ListID, in storage: any MovableStorage, after place: [FieldValue]?
  ) async throws -> [ListedRow] {
    try await storage.read(list) { stored in
      var query = ListQuery(
        nulls: .sql, order: [SortKey(SystemColumn.updatedAt)], limit: Self.rowsTogether, includesDeleted: true)
      query.place = place
      var rows: [ListedRow] = []
      try stored.forEachRow(of: query) { row in
        rows.append(row)
        return true
      }
      return rows
    }
  }

  /// The digest that devices compare, one of everything in every row, tombstones too, and the tokens.
  private func compare(
    _ moved: MovedDatabase, from: any MovableStorage, to: any MovableStorage
  ) async throws -> DatabaseReport {
    var report = DatabaseReport()
    for list in moved.lists {
      let there = try await reading { try await Self.sum(of: list, in: from) }
      let here = try await Self.sum(of: list, in: to)
      let state = try await to.read(list.list) { try $0.state() }
      let check = try await to.read(list.list) { try $0.check() }
      guard there == here, state == list.state, check.counted == list.state.digest, check.damaged == 0,
        check.unmarked == 0
      else { throw ServerDatabaseError.move(.differs(database: target.shown, list: list.list.description)) }
      report.lists += 1
      report.items += check.counted.count
    }
    guard try to.allTokens() == StoredTokens(sound: moved.tokens.sound) else {
      throw ServerDatabaseError.move(.differs(database: target.shown, list: to.tokenTable))
    }
    if let damaged = DatabaseFinding(damagedTokens: moved.tokens.damaged) { report.findings.append(damaged) }
    return report
  }

  private static func sum(of list: MovedDatabase.List, in storage: any MovableStorage) async throws -> [Int64] {
    var place: [FieldValue]?
    var (sum, count): (Int64, Int64) = (0, 0)
    repeat {
      let rows = try await rows(of: list.list, in: storage, after: place)
      place = rows.last.map { [.integer($0.updatedAt.milliseconds), .text($0.id.text)] }
      for row in rows { sum &+= RowDigest(row.storedRecord(list.columns), list.columns).value }
      count += Int64(rows.count)
    } while place != nil
    return [sum, count]
  }
}

extension ServerDatabaseError {
  /// Why a move stopped at one of both databases.
  fileprivate init(move error: any Error, at place: DatabaseLocation) {
    switch error {
    case StorageError.busy: self = .move(.inUse(database: place.shown))
    case StorageError.tooSlow: self = .move(.tooSlow(database: place.shown))
    default: self = place.failure(error).ofMove
    }
  }

  /// The words for a failure that a server or another command has too.
  private var ofMove: ServerDatabaseError {
    if case .noDatabase(let path) = self { return .move(.noDatabase(path: path)) }
    if case .backup(.inUse(let path)) = self { return .move(.inUse(database: path)) }
    if case .busy(let path) = self { return .move(.inUse(database: path)) }
    if case .databaseServer(.notAllowed, let database) = self { return .move(.notAllowed(database: database)) }
    if case .databaseServer(.other(let reason), let database) = self {
      return .move(.failed(database: database, reason: reason))
    }
    if case .unexpected(let name, let database) = self { return .move(.failed(database: database, reason: name)) }
    if case .diskFailed(let path, let reason) = self { return .move(.failed(database: path, reason: reason)) }
    guard case .cannotOpen(let path, let reason) = self else { return self }
    return .move(.failed(database: path, reason: reason))
  }
}
