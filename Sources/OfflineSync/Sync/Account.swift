import FoundationEssentials
import TableProtocol

/// A server and a user there: the owner of the list in a store. A store holds the list of one account, and its changes
/// are sent to no other account (sync-rules Q26).
public struct Account: Sendable, Hashable, Codable {
  /// The server's address, as configured.
  public var server: String
  /// See `RemoteTable.user`; nil if it was not saved.
  public var user: String?
  /// The name that the server has for the user; nil if it did not say. It stays when the token is another.
  package var name: String?

  package init(server: String, user: String?, name: String? = nil) {
    self.server = server
    self.user = user
    self.name = name
  }

  init(_ remote: any RemoteTable) {
    self.init(server: remote.server, user: remote.user, name: remote.knowledge.userName)
  }

  /// Returns the account that owns the store; nil if the store was never synced, or was emptied since.
  package static func owner(of store: any StoreReader) throws -> Account? {
    try store.fact(SyncFact.account).flatMap { try? JSONDecoder().decode(Account.self, from: Data($0.utf8)) }
  }

  func becomeOwner(of store: any StoreWriter) throws {
    let text = String(decoding: try JSONEncoder().encode(self), as: UTF8.self)
    try store.setFact(SyncFact.account, text)
  }

  /// Makes this account the owner of a store without one, and saves which database the server has. Called in each
  /// transaction that sends or stores something. `now` is UTC.
  ///
  /// Without the database, a sync that is cut right after would leave a store that accepts any other one.
  static func setFirstOwner(of store: any StoreWriter, for remote: any RemoteTable, now: Timestamp) throws {
    guard try store.fact(SyncFact.account) == nil else { return }
    try Account(remote).becomeOwner(of: store)
    try store.setFact(SyncFact.ownedSince, now.text)
    try remote.knowledge.remember(of: remote.server, in: store, now: now)
  }

  /// Adds the name of the user to an owner that was saved without one: the server may be of a newer version since.
  static func addName(to store: any StoreWriter, for remote: any RemoteTable) throws {
    let current = Account(remote)
    guard current.name != nil, let owner = try owner(of: store), owner.name == nil, owner.server == current.server,
      owner.user == current.user
    else { return }
    try current.becomeOwner(of: store)
  }

  /// How often the list was taken along to another account.
  static func timesTakenAlong(_ store: any StoreReader) throws -> Int {
    try store.fact(SyncFact.takenAlong).flatMap(Int.init) ?? 0
  }

  package func isSameUser(as other: Account) -> Bool {
    user == nil || other.user == nil || user == other.user
  }

  /// True if the servers have the same name for both users. It proves something only within one database.
  package func hasSameName(as other: Account) -> Bool { name != nil && name == other.name }
}

/// The answer to the question what happens to a list that another account owns.
public enum AccountChange: Sendable, Hashable {
  /// The list is the same, at another address or under another name: everything stays, and all rows are compared.
  case sameList
  /// All rows are sent to the new account as new rows. The old account keeps its rows and gets no more changes.
  case takeAlong
}

/// Another account owns the list in the store. Nothing was sent, and nothing has changed.
public struct OtherAccount: Error, Sendable, Hashable {
  /// The account that owns the list.
  public let owner: Account
  /// The configured account.
  public let current: Account
  /// The number of changes that wait to be sent to the owner, one for each row.
  public let pending: Int
}
