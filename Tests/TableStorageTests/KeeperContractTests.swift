import StorageSupport
import Support
import TableProtocol
import Testing

@testable import TableStorage

/// What every ``KeeperStorage`` promises of what is taken out of it.
@Suite("The keeper of a storage")
struct KeeperContractTests {
  /// Writes a row, a tombstone and an answer, in a column that nobody else has.
  private func fill(_ list: ListID, in storage: any ServerStorage) async throws {
    try await storage.write(list) { list in
      try list.add([TableColumn(name: "n", kind: .number)])
      try list.insert(.made("a", at: 5))
      var deleted = Record.made("b", at: 7)
      deleted.system.deleted = true
      try list.insert(deleted)
      try list.keep(KeptAnswer(id: "c 1", firstSent: Timestamp(milliseconds: 5), status: 200, body: []))
      try list.save(lastMoment: Timestamp(milliseconds: 7), digest: TableDigest(count: 1, checksum: 3))
    }
  }

  private func list(_ table: String, of owner: String) throws -> ListID {
    let user = try #require(UserName(owner))
    return ListID(try #require(ServedTable(named: table)), owner: user)
  }

  /// As a list is that nothing was ever written to, in this epoch.
  private func expectNothing(of list: ListID, in storage: any ServerStorage, epoch: DatabaseEpoch) async throws {
    let (state, columns) = try await storage.read(list) { (try $0.state(), $0.schema.columns) }
    #expect(state == ListState(lastMoment: .epoch, digest: TableDigest(), epoch: epoch), "\(list)")
    #expect(columns == list.table.firstColumns)
    try await storage.write(list) { list in
      let (row, answer) = (try list.row("a"), try list.answer("c 1"))
      #expect(list.isNew && row == nil && answer == nil)
    }
  }

  @Test(
    "takes out a table of all users with all that is kept of it, and the next epoch begins",
    arguments: StorageKind.ofServers)
  func table(kind: StorageKind) async throws {
    try await kind.use { opened async throws in
      let storage = try #require(opened as? any ServerStorage)
      let (hers, his) = (try list("movies", of: "anna"), try list("movies", of: "ben"))
      for list in [hers, his, .first] { try await fill(list, in: storage) }
      let removed = try storage.remove([hers.table], now: Timestamp(milliseconds: 50), nonce: "n1")
      #expect(removed == RemovedLists(lists: 2, items: 2, tombstones: 2))
      #expect(try await storage.lists() == [.first])
      let state = try await storage.read(.first) { try $0.state() }
      #expect(state.epoch == DatabaseEpoch(number: 2, from: Timestamp(milliseconds: 7), nonce: "n1,1"))
      #expect(state.lastMoment.milliseconds == 50 && state.digest.count == 1)
      #expect(try await storage.ids() == ["a", "b"])
      for list in [hers, his] {
        try await expectNothing(of: list, in: storage, epoch: DatabaseEpoch(number: 2, from: nil, nonce: "n1,1"))
      }
      try await storage.write(hers) { list in
        try list.add([TableColumn(name: "title", kind: .text)])
        try list.insert(.made("a", at: 60))
        try list.save(lastMoment: Timestamp(milliseconds: 60), digest: TableDigest(count: 1, checksum: 4))
      }
      #expect(try await storage.read(hers) { $0.schema.columns.map(\.name) } == ["title"])
    }
  }

  /// Returns how many items the user has got.
  private func give(
    _ user: UserName, _ scope: AccessScope, to storage: any ServerStorage, digest: UInt8
  ) throws -> Int {
    let grant = Grant(id: "", user: user, scope: scope, createdAt: Timestamp(milliseconds: 1))
    return try storage.add(grant, token(digest)).itemsTakenOver
  }

  private func token(_ digest: UInt8) -> TokenDigest { TokenDigest(hash: Array(repeating: digest, count: 32)) }

  @Test(
    "takes out a user: the lists go, tokens and invitations let nobody in, and the first list is nobody's again",
    arguments: StorageKind.ofServers)
  func user(kind: StorageKind) async throws {
    try await kind.use { opened async throws in
      let storage = try #require(opened as? any ServerStorage)
      let (hers, his) = (try list("movies", of: "anna"), try list("movies", of: "ben"))
      let (anna, ben) = (try #require(hers.owner), try #require(his.owner))
      try await fill(.first, in: storage)
      #expect(try give(anna, .sync, to: storage, digest: 1) == 1)
      for (user, scope, digest) in [(anna, .invite, 2), (ben, .sync, 3)] as [(UserName, AccessScope, UInt8)] {
        #expect(try give(user, scope, to: storage, digest: digest) == 0)
      }
      for list in [hers, his] { try await fill(list, in: storage) }

      let removed = try storage.remove([anna], now: Timestamp(milliseconds: 50), nonce: "n1")
      #expect(removed.lists == RemovedLists(lists: 2, items: 2, tombstones: 2))
      #expect(Set(removed.grants.map(\.scope)) == [.sync, .invite])
      #expect(Set(try await storage.lists()) == [.first, his])
      #expect(try await storage.grant(token(1))?.isRevoked == true)
      #expect(try await storage.grant(token(3))?.isRevoked == false)
      #expect(try storage.wereTokensGiven())
      try await expectNothing(of: hers, in: storage, epoch: DatabaseEpoch(number: 2, from: nil, nonce: "n1,1"))
      let (first, columns) = try await storage.read(.first) { (try $0.state(), $0.schema.columns) }
      #expect(first.newestMoment == nil && first.digest == TableDigest() && first.epoch.from == nil)
      #expect(columns == ServedTable.todoItem.firstColumns)
      #expect(try await storage.ids() == [])
      #expect(try await storage.read(his) { try $0.state().digest.count } == 1)
      for (list, isAdmitted) in [(hers, false), (his, true), (.first, true)] as [(ListID, Bool)] {
        #expect(try await storage.read(list) { try $0.isOwnerAdmitted() } == isAdmitted, "\(list)")
        #expect(try await storage.write(list) { try $0.isOwnerAdmitted() } == isAdmitted, "\(list)")
      }
      let late = try #require(UserName("late"))
      #expect(try give(late, .sync, to: storage, digest: 4) == 0, "the first user was there")
      #expect(try storage.remove([anna], now: .epoch, nonce: "n2") == RemovedUsers(lists: RemovedLists(), grants: []))
    }
  }

  @Test(
    "leaves the list that those who need not sign in have begun since to them when its first user is taken out",
    arguments: StorageKind.ofServers)
  func begunAgain(kind: StorageKind) async throws {
    try await kind.use { opened async throws in
      let storage = try #require(opened as? any ServerStorage)
      let (anna, his) = (try #require(UserName("anna")), try list("movies", of: "ben"))
      try await fill(.first, in: storage)
      #expect(try give(anna, .sync, to: storage, digest: 1) == 1)
      try await fill(.first, in: storage)
      #expect(try storage.remove([anna], now: Timestamp(milliseconds: 50), nonce: "n1").lists.items == 1)
      #expect(try await storage.lists() == [.first], "and none of the user is left")
      #expect(try await storage.ids() == ["a", "b"])
      #expect(try await storage.write(.first) { try $0.answer("c 1") } != nil)
      try await storage.write(.first) { list in
        try list.insert(.made("c", at: 55))
        try list.save(lastMoment: Timestamp(milliseconds: 55), digest: TableDigest(count: 2, checksum: 5))
      }
      let nothing = RemovedUsers(lists: RemovedLists(), grants: [])
      #expect(try storage.remove([anna], now: Timestamp(milliseconds: 50), nonce: "n") == nothing)
      try await fill(his, in: storage)
      #expect(try await storage.read(his) { $0.schema.columns.map(\.name) } == ["n"])
      #expect(try storage.raiseEpoch(now: Timestamp(milliseconds: 60), nonce: "n2").number == 3)
      #expect(try await storage.read(.first) { try $0.check().damaged } == 0)
    }
  }

  @Test("takes out several tables, or several users, in one epoch", arguments: StorageKind.ofServers)
  func several(kind: StorageKind) async throws {
    try await kind.use { opened async throws in
      let storage = try #require(opened as? any ServerStorage)
      let (movies, plays) = (try list("movies", of: "anna"), try list("plays", of: "ben"))
      let (anna, ben) = (try #require(movies.owner), try #require(plays.owner))
      for list in [movies, plays] { try await fill(list, in: storage) }
      let tables = try storage.remove([movies.table, plays.table], now: Timestamp(milliseconds: 50), nonce: "n1")
      #expect(tables == RemovedLists(lists: 2, items: 2, tombstones: 2))
      for (user, digest) in [(anna, 1), (ben, 2)] as [(UserName, UInt8)] {
        _ = try give(user, .sync, to: storage, digest: digest)
      }
      for list in [movies, plays] { try await fill(list, in: storage) }
      let users = try storage.remove([anna, ben], now: Timestamp(milliseconds: 60), nonce: "n2")
      #expect(users.lists.items == 2 && Set(users.grants.map(\.user)) == [anna, ben])
      #expect(try await storage.lists() == [.first])
      #expect(try await storage.read(.first) { try $0.state().epoch.number } == 3)
    }
  }

  @Test(
    "names the epochs before a removal, no further back than an older state or the epoch in which a list was begun",
    arguments: StorageKind.ofServers)
  func names(kind: StorageKind) async throws {
    try await kind.use { opened async throws in
      let storage = try #require(opened as? any ServerStorage)
      let lists = try ["anna", "ben", "carl", "dora", "emil"].map { try list("movies", of: $0) }
      for list in lists + [ListID.first] { try await fill(list, in: storage) }
      func remove(_ list: ListID, _ name: String) async throws -> String? {
        let owner = try #require(list.owner)
        _ = try storage.remove([owner], now: Timestamp(milliseconds: 50), nonce: name)
        return try await storage.read(.first) { try $0.state().epoch.nonce }
      }
      #expect(try await remove(lists[0], "n1") == "n1,1")
      #expect(try await remove(lists[1], "n2") == "n2,n1,1")
      #expect(try storage.raiseEpoch(now: Timestamp(milliseconds: 60), nonce: "n3").nonce == "n3")
      #expect(try await remove(lists[2], "n4") == "n4,n3")
      try await fill(lists[0], in: storage)
      #expect(try await remove(lists[3], "n5") == "n5,n4", "a client may have rows of the former list")
      #expect(try await remove(lists[4], "n6") == "n6,n5,n4")
      #expect(try await storage.read(.first) { try $0.state().epoch.number } == 7)
    }
  }

  @Test("begins no epoch if there is nothing to take out", arguments: StorageKind.ofServers)
  func nothing(kind: StorageKind) async throws {
    try await kind.use { opened async throws in
      let storage = try #require(opened as? any ServerStorage)
      let plays = try list("plays", of: "anna").table
      #expect(try storage.remove([plays], now: Timestamp(milliseconds: 50), nonce: "n") == RemovedLists())
      #expect(try await storage.read(.first) { try $0.state().epoch } == DatabaseEpoch(number: 1))
    }
  }

  @Test(
    "says that the tokens are taken back already if the lists can't go",
    .enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed"))
  func tokensFirst() async throws {
    try await StorageKind.postgreSQL.use { opened async throws in
      let storage = try #require(opened as? PostgreSQLStorage)
      let movies = try list("movies", of: "anna")
      let anna = try #require(movies.owner)
      _ = try give(anna, .sync, to: storage, digest: 1)
      try await fill(movies, in: storage)
      try storage.blocking { connection in
        try connection.run(
          "CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$")
        try connection.run(
          "CREATE TRIGGER keep BEFORE DELETE ON ebb_list FOR EACH ROW EXECUTE FUNCTION keep()")
      }
      let address = storage.connections.address.shown
      let problem = DatabaseServerProblem.other(reason: "rows of ebb_list can't be removed")
      #expect(throws: ServerDatabaseError.tokensTakenBack(.databaseServer(problem, database: address))) {
        try storage.remove([anna], now: Timestamp(milliseconds: 50), nonce: "n1")
      }
      #expect(try await storage.grant(token(1))?.isRevoked == true)
      #expect(try await storage.lists().contains(movies))
    }
  }
}
