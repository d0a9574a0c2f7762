import FoundationEssentials
import TableProtocol

/// Whose list a store holds: a server, and who we are there. A store holds one account's list, and its
/// changes are sent to no other (offline-sync Q26).
package struct Account: Sendable, Hashable, Codable {
  /// The server's address, as it was configured.
  package var server: String
  /// See `RemoteTable.user`; nil where it was not noted.
  package var user: String?

  package init(server: String, user: String?) {
    self.server = server
    self.user = user
  }

  init(_ remote: any RemoteTable) {
    self.init(server: remote.server, user: remote.user)
  }

  /// The account the store belongs to; nil for a store that was never synced, or was emptied since.
  package static func owner(of store: any StoreReader) throws -> Account? {
    try store.fact(SyncFact.account).flatMap { try? JSONDecoder().decode(Account.self, from: Data($0.utf8)) }
  }

  func becomeOwner(of store: any StoreWriter) throws {
    let text = String(decoding: try JSONEncoder().encode(self), as: UTF8.self)
    try store.setFact(SyncFact.account, text)
  }

  /// Makes a store that belongs to nobody yet the list of the account at this server: before the first thing goes
  /// there, and with the first that comes from there. Which database the server has is noted with it: a sync that is
  /// cut right after must not leave a store that takes any other for its own. `now` is UTC.
  static func claim(_ store: any StoreWriter, for remote: any RemoteTable, now: Timestamp) throws {
    guard try store.fact(SyncFact.account) == nil else { return }
    try Account(remote).becomeOwner(of: store)
    try store.setFact(SyncFact.claimed, now.text)
    try remote.knowledge.remember(of: remote.server, in: store, now: now)
  }

  package func isSameUser(as other: Account) -> Bool {
    user == nil || other.user == nil || user == other.user
  }
}

/// What becomes of a list whose account is another than the configured one.
package enum AccountChange: Sendable, Hashable {
  /// It is the same list at another address, or under another name: everything stays, and all is compared.
  case sameList
  /// The list is taken along: all of it is sent to the new account as new. The old one keeps what it has and
  /// gets nothing more.
  case takeAlong
}

/// The store holds the list of another account. Nothing was sent, and nothing has changed.
package struct OtherAccount: Error, Sendable, Hashable {
  package let owner: Account
  package let current: Account
  /// Changes that wait to be sent to the owner.
  package let pending: Int
}
