package import FoundationEssentials
package import TableProtocol

/// A user as the keeper of a database sees them.
package struct KeptUser: Hashable, Sendable {
  /// Nil for whoever need not sign in, who have lists too.
  package let name: UserName?
  /// Rows that are not deleted, in all of their lists.
  package internal(set) var items = 0
  package internal(set) var tombstones = 0
  /// Those that let somebody in, without invitations.
  package internal(set) var tokens = 0
  /// When one of the tokens that were not taken back was last used, to the minute. UTC.
  package internal(set) var lastUse: Timestamp?

  init(_ name: UserName?) { self.name = name }

  mutating func add(_ content: ListContent) {
    items += content.items
    tombstones += content.tombstones
  }

  /// Adds one that was not taken back.
  mutating func add(_ grant: Grant, now: Timestamp) {
    if !grant.hasExpired(at: now), grant.scope != .invite { tokens += 1 }
    lastUse = [lastUse, grant.lastUsedAt].compactMap(\.self).max()
  }
}

extension ServerDatabase {
  /// Who has a list, or a token or an invitation that was not taken back, by their names. Those who need not sign in
  /// come first, if there is something in a list of theirs. A server may run meanwhile.
  package func users(_ update: DatabaseUpdate) async throws(ServerDatabaseError) -> [KeptUser] {
    try await keeping(update) { storage in
      var users: [UserName?: KeptUser] = [:]
      for list in try await storage.lists() {
        let content = try await storage.read(list, mayBeLong: true) { try ListContent(of: $0) }
        users[list.owner, default: KeptUser(list.owner)].add(content)
      }
      // A token that was taken back may be of somebody who was removed, and had the same name.
      for grant in try await storage.allGrants().grants.values where !grant.isRevoked {
        users[grant.user, default: KeptUser(grant.user)].add(grant, now: update.clock())
      }
      return users.values.filter { $0.name != nil || $0.items + $0.tombstones > 0 }
        .sorted { ($0.name?.text ?? "") < ($1.name?.text ?? "") }
    }
  }

  /// Removes the lists of users, and takes back the tokens and invitations. A second later a server that runs lets none
  /// of the devices in, but those of users whom another sign-in (JWT) lets in. One epoch begins for all. `makeUUID`
  /// gives its random part.
  package func remove(
    _ users: Set<UserName>, _ update: DatabaseUpdate, makeUUID: () -> UUID = { UUID() }
  ) async throws(ServerDatabaseError) -> RemovedUsers {
    try await keeping(update) { storage in
      try storage.remove(users, now: update.clock(), nonce: makeUUID().epochNonce)
    }
  }
}
